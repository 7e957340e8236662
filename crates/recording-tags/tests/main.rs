//! Tags of recordings, read back from the published form.

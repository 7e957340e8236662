//! Decides which soundbites can be cut out of their recordings.

use std::fs::File;
use std::io;

use recording_tags::{Refusal, Tags};

use model::SitePath;
use model::podcast::Soundbite;

/// Maximum duration of a clip in seconds. At 320 kbit/s, these are 24 MB; Cloudflare Pages rejects
/// files of more than 25 MiB.
pub const MAX_CLIP: f64 = 600.0;

/// Tries to cut a soundbite out of a recording. `file` is the opened recording.
///
/// # Errors
///
/// Returns an error with the reason if the clip gets no file.
pub fn cut(
    file: io::Result<File>,
    recording: &SitePath,
    soundbite: &Soundbite,
) -> Result<(), Refusal> {
    let span = soundbite.milliseconds();
    if soundbite.duration > MAX_CLIP {
        return Err(Refusal::Cut("the clip is longer than ten minutes"));
    }
    recording_tags::cut(&mut file?, &recording.extension(), span, &Tags::default()).map(drop)
}

-- Whether a write changed a file. One that changed none is the cause of nothing.
ALTER TABLE journal ADD COLUMN wrote INTEGER NOT NULL DEFAULT 1;

-- The webhooks of site.toml when it was last read, and those that it no longer has while messages wait for them.
CREATE TABLE endpoints (
  name TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  secret_env TEXT NOT NULL
) STRICT;

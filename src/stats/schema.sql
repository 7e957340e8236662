-- Requests for media files from access logs. Repeated texts are stored once, in other tables, and referred to by number.
CREATE TABLE IF NOT EXISTS log_paths (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE     -- in the site's spelling of public paths
) STRICT;

CREATE TABLE IF NOT EXISTS log_agents (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE     -- empty: the client sent none
) STRICT;

-- The imported logs. Length and fingerprint identify a log that has grown since.
CREATE TABLE IF NOT EXISTS logs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  length INTEGER NOT NULL,      -- number of bytes read, after decompression
  fingerprint TEXT NOT NULL,    -- of these bytes: XXH3, 128 bits, hexadecimal
  imported INTEGER NOT NULL     -- Unix milliseconds
) STRICT;

-- In the order of counting: all requests of a listener for one file are adjacent.
CREATE TABLE IF NOT EXISTS log_requests (
  path INTEGER NOT NULL,
  listener INTEGER NOT NULL,    -- a keyed hash of address and agent
  time INTEGER NOT NULL,        -- Unix microseconds
  log INTEGER NOT NULL,
  line INTEGER NOT NULL,
  status INTEGER NOT NULL,
  method INTEGER NOT NULL,      -- 0 GET, 1 HEAD, 2 other
  bytes INTEGER,                -- NULL: the log lacks it
  agent INTEGER,                -- NULL: the log lacks it
  PRIMARY KEY (path, listener, time, log, line)
) STRICT, WITHOUT ROWID;

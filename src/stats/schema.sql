-- Requests for media, as access logs tell them. Texts that come again and again are numbers of other tables.
CREATE TABLE IF NOT EXISTS log_paths (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE     -- as the site spells public paths
) STRICT;

CREATE TABLE IF NOT EXISTS log_agents (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE     -- empty: the client sent none
) STRICT;

-- The logs that were imported: what a log began with is known again by it.
CREATE TABLE IF NOT EXISTS logs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  length INTEGER NOT NULL,      -- bytes that were read, unpacked
  fingerprint TEXT NOT NULL,    -- of these bytes: XXH3, 128 bits, hexadecimal
  imported INTEGER NOT NULL     -- Unix milliseconds
) STRICT;

-- In the order in which they are counted: what a listener asked of one file stands together.
CREATE TABLE IF NOT EXISTS log_requests (
  path INTEGER NOT NULL,
  listener INTEGER NOT NULL,    -- a keyed hash of address and agent
  time INTEGER NOT NULL,        -- Unix microseconds
  log INTEGER NOT NULL,
  line INTEGER NOT NULL,
  status INTEGER NOT NULL,
  method INTEGER NOT NULL,      -- 0 GET, 1 HEAD, 2 another
  bytes INTEGER,                -- NULL: the log does not tell
  agent INTEGER,                -- NULL: the log does not tell
  PRIMARY KEY (path, listener, time, log, line)
) STRICT, WITHOUT ROWID;

-- Times are Unix milliseconds. Secrets, tokens and idempotency keys are there as SHA-256 alone.

CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL, -- separated by spaces
  secret BLOB NOT NULL,
  created INTEGER NOT NULL,
  not_before INTEGER,
  expires INTEGER,
  revoked INTEGER
) STRICT;

CREATE TABLE journal (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  operation TEXT NOT NULL,
  subject TEXT NOT NULL,
  path TEXT,
  key_id TEXT NOT NULL,
  causation TEXT,
  correlation TEXT
) STRICT;

CREATE TABLE reservations (
  key BLOB PRIMARY KEY,
  payload BLOB NOT NULL,
  item_id TEXT NOT NULL,
  reserved INTEGER NOT NULL,
  status INTEGER, -- with the body: NULL until the creation is complete
  body TEXT
) STRICT;
CREATE INDEX reservations_by_time ON reservations (reserved);

CREATE TABLE uploads (
  token BLOB PRIMARY KEY,
  path TEXT NOT NULL,
  category TEXT NOT NULL,
  item_id TEXT,
  size INTEGER, -- bytes
  media_type TEXT,
  expires INTEGER NOT NULL
) STRICT;

-- Jobs of the warehouse.
CREATE TABLE jobs (
  number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order in which they were started
  project TEXT NOT NULL,
  id TEXT NOT NULL,
  owner TEXT NOT NULL,          -- the id of the key that started it
  configuration TEXT NOT NULL,  -- JSON, as it was given
  details TEXT NOT NULL,        -- JSON: what it needs to run
  state TEXT NOT NULL CHECK (state IN ('PENDING', 'RUNNING', 'DONE')),
  outcome TEXT,                 -- JSON: what came of it
  created INTEGER NOT NULL,     -- Unix milliseconds, these three
  started INTEGER,
  ended INTEGER,
  UNIQUE (project, id)
) STRICT;
CREATE INDEX jobs_unfinished ON jobs (state) WHERE state != 'DONE';

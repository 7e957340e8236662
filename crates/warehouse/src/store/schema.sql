-- A dataset of the warehouse.
CREATE TABLE dataset (
  facts TEXT NOT NULL -- JSON: its description, name for people, labels, times
) STRICT;

-- Its tables and views. The rows of a table are in "t<id>", a STRICT table with a column for each field.
CREATE TABLE tables (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  fields TEXT NOT NULL,    -- JSON: the fields of its schema
  view TEXT,               -- the statement of a view
  rows INTEGER NOT NULL,
  facts TEXT NOT NULL,
  expires INTEGER          -- Unix milliseconds
) STRICT;

-- Jobs whose writes are in this dataset: written with them, so that after a crash it can be told.
CREATE TABLE applied (
  job TEXT PRIMARY KEY,
  outcome TEXT NOT NULL,   -- JSON
  at INTEGER NOT NULL      -- Unix milliseconds
) STRICT;

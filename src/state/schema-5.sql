-- Writes that are noted in the journal and not known to be made. One that a crash cut off is looked at when the site
-- is next served.
CREATE TABLE intents (
  journal INTEGER PRIMARY KEY, -- the id of its entry
  steps TEXT NOT NULL, -- JSON: what it does to which files
  reservation BLOB -- the key of the reservation that it answers
) STRICT;

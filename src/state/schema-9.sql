-- Texts that agents propose for files that readers have: a person accepts or discards them.
CREATE TABLE proposals (
  id TEXT PRIMARY KEY,
  time INTEGER NOT NULL,
  agent TEXT NOT NULL,
  path TEXT NOT NULL, -- from the site's root
  reason TEXT, -- in the agent's words
  before TEXT NOT NULL,
  after TEXT NOT NULL
) STRICT;

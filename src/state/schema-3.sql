-- Hooks that were taken; ids are there as SHA-256 alone. Several rows of one id are attempts of one delivery.
CREATE TABLE deliveries (
  id BLOB NOT NULL,
  signed INTEGER NOT NULL, -- Unix seconds, as the sender signed it
  answer TEXT NOT NULL,
  received INTEGER NOT NULL,
  PRIMARY KEY (id, signed)
) STRICT;
CREATE INDEX deliveries_by_time ON deliveries (received);

-- What hooks told of each show.
CREATE TABLE shows (
  app TEXT NOT NULL,
  show TEXT NOT NULL, -- its calendar and its id there
  known TEXT NOT NULL,
  PRIMARY KEY (app, show)
) STRICT;

-- The meetings and streams that hooks told of.
CREATE TABLE sessions (
  app TEXT NOT NULL,
  session TEXT NOT NULL,
  show TEXT NOT NULL,
  PRIMARY KEY (app, session)
) STRICT;

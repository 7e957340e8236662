-- What calendars held, state by state, so that a client can be told what changed since it last asked.

CREATE TABLE event_ledger (
  serial INTEGER NOT NULL, -- of the newest state
  forgotten INTEGER NOT NULL, -- the oldest state that is still known as a whole
  secret BLOB NOT NULL -- what tokens are sealed with
) STRICT;
INSERT INTO event_ledger VALUES (0, 0, randomblob(32));

CREATE TABLE event_versions (
  calendar TEXT NOT NULL,
  event TEXT NOT NULL,
  serial INTEGER NOT NULL, -- the first state that it is of
  until INTEGER, -- the first one that it is no longer of
  noticed INTEGER NOT NULL, -- when it came
  ended INTEGER, -- when it went, with `until`
  fingerprint INTEGER NOT NULL,
  deleted INTEGER NOT NULL, -- 1: the event is gone, and this is what it last was
  shape TEXT NOT NULL,
  PRIMARY KEY (calendar, event, serial)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_versions_newest ON event_versions (calendar, event) WHERE until IS NULL;
CREATE INDEX event_versions_ended ON event_versions (ended) WHERE ended IS NOT NULL;

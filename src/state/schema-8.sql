-- What webhooks are told of: each resource as it was when it was last compared.
CREATE TABLE resources (
  kind TEXT NOT NULL, -- item, page, site_file, event, channel, navigation, theme
  id TEXT NOT NULL,
  file TEXT NOT NULL, -- from the site's root
  public INTEGER NOT NULL,
  keys TEXT NOT NULL, -- JSON: a hash of each part of its file
  data TEXT NOT NULL, -- JSON: what messages say of it
  journal INTEGER NOT NULL, -- the newest entry of the journal that its messages know of
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- One row once there is a ledger: the first comparison only notes.
CREATE TABLE ledger_of_resources (since INTEGER NOT NULL) STRICT;

-- Messages, one a webhook and event. A message holds up the later ones of its resource until it has ended.
CREATE TABLE messages (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL, -- of the event
  endpoint TEXT NOT NULL, -- the webhook's name in site.toml
  type TEXT NOT NULL,
  resource TEXT NOT NULL,
  time INTEGER NOT NULL,
  data TEXT NOT NULL, -- JSON
  changed TEXT, -- the parts that changed, separated by spaces
  causation TEXT,
  correlation TEXT,
  depth INTEGER NOT NULL, -- how many events lead to it, one caused by the other
  state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'delivered', 'failed', 'cut')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next INTEGER NOT NULL, -- when it may be sent
  answer TEXT, -- what came of the last attempt
  ended INTEGER,
  UNIQUE (endpoint, id)
) STRICT;
CREATE INDEX messages_open ON messages (endpoint, resource, number) WHERE state IN ('waiting', 'sending');
CREATE INDEX messages_ended ON messages (ended) WHERE ended IS NOT NULL;
CREATE INDEX messages_by_id ON messages (id);

-- Webhooks whose receiver said that it is gone, at this address.
CREATE TABLE gone_endpoints (
  endpoint TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;

-- The write that changed a resource is looked for by both.
CREATE INDEX journal_by_subject ON journal (subject);
CREATE INDEX journal_by_path ON journal (path) WHERE path IS NOT NULL;

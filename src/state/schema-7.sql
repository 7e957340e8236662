-- Who is signed in to the editor. Codes, cookies and tokens are there as SHA-256 alone.

CREATE TABLE editor_codes (
  code BLOB PRIMARY KEY,
  expires INTEGER NOT NULL
) STRICT;

CREATE TABLE editor_sessions (
  cookie BLOB PRIMARY KEY,
  token BLOB NOT NULL,
  begun INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT;

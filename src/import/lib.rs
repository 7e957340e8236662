//! `import`: reads shows and blogs from feeds, exports, running services and folders of other
//! generators, and writes them as content files of a site.
//!
//! Each importer reads one kind of source into [`Found`]: a channel, entries with their front
//! matter and body, former addresses, and notes about everything without an equivalent. [`bring`]
//! writes all content that the site does not have yet.
//!
//! | file | contents |
//! | --- | --- |
//! | `found` | the data that an importer returns |
//! | `feed` | any feed, parsed by the crate `feeds` |
//! | `parts` | a feed that is split into several documents |
//! | `services` | a running service, requested with a key, or its export: Ghost, microfeed, Podlove, Castopod |
//! | `stored` | data that a service stores about an entry and that its feed does not contain |
//! | `wordpress` | additional data in a WordPress export |
//! | `folder` | the folder of another generator: Hugo, Jekyll, Zola, Eleventy |
//! | `bodies` | conversion of HTML to Markdown, verified with the site's renderer |
//! | `texts` | conversion of plain text and HTML from feeds |
//! | `fitting` | removal of values that feedwright would reject in a content file |
//! | `naming`, `stems` | ids, segments, file names |
//! | `tasks` | the files to write, with their paths and former paths |
//! | `translations` | languages, and texts that are translations of each other |
//! | `patterns`, `tables` | tables of a new `site.toml`: addresses, languages, defaults |
//! | `known` | content that the site already has |
//! | `media` | downloads to the folder of an item |
//! | `later` | downloads for items that an earlier run wrote |
//! | `files` | copies of files from a folder, and links between entries |
//! | `links` | links between the entries of a feed |
//! | `redirects` | former paths of lists and feeds |
//! | `run` | the input and the outcome of an import |
//! | `bring` | the steps that write the imported content |
//! | `planet` | `fetch`: the items of feeds that the planet shows |
//!
//! - Only new files are written, each completely. Existing files stay unchanged, except with
//!   `--media`: it replaces media addresses in existing files with references to downloaded files.
//! - The resulting site can be built: values that feedwright would reject in a content file are
//!   removed.
//! - Everything that is not imported is reported.

mod address;
mod bodies;
mod bring;
mod feed;
mod files;
mod fitting;
mod folder;
mod found;
mod known;
mod later;
mod links;
mod media;
mod naming;
mod parts;
mod patterns;
pub mod planet;
mod redirects;
mod run;
mod services;
mod stems;
mod stored;
mod tables;
mod tasks;
mod texts;
mod translations;
mod wordpress;

pub use address::client;
pub use bring::bring;
pub use folder::{Generator, read as read_folder};
pub use found::{Found, Hidden, Note};
pub use parts::read as read_whole_feed;
pub use run::{Outcome, Run};
pub use services::{Key, Service, read as read_service};
pub use tables::tables;

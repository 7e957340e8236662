//! `import`: reads shows and blogs from feeds, exports, running services and folders of other
//! generators, and writes them as files of a site.
//!
//! Each importer reads one kind of source into [`Found`]: a channel, entries with their front
//! matter and body, former addresses, and notes about everything without an equivalent. [`bring`]
//! writes everything that the site does not have yet.
//!
//! | file | what |
//! | --- | --- |
//! | `found` | the data that an importer returns |
//! | `feed` | any feed, parsed by the crate `feeds` |
//! | `parts` | a feed that is split into several documents |
//! | `services` | a running service, requested with a key, or its export: Ghost, microfeed, Podlove, Castopod |
//! | `stored` | properties of an entry at a service that a feed does not have |
//! | `wordpress` | additional data in a WordPress export |
//! | `folder` | the folder of another generator: Hugo, Jekyll, Zola, Eleventy |
//! | `bodies` | HTML converted to Markdown, verified with the site's renderer |
//! | `texts` | conversion of plain text and HTML from feeds |
//! | `fitting` | removal of values that feedwright would reject in a content file |
//! | `naming` | ids, segments, file names |
//! | `known` | the content that the site has already |
//! | `media` | files that are downloaded next to their item |
//! | `later` | downloads for items that an earlier run wrote |
//! | `files` | files that are copied from a folder, and links between texts |
//! | `links` | links between the texts of a feed |
//! | `redirects` | former paths of lists and feeds |
//! | `bring` | the steps that write the imported content |
//!
//! - Existing files stay unchanged: only new files are written, each completely. `--media` is the
//!   exception: an address of the source that a file still has is replaced by the downloaded file.
//! - The resulting site builds: a value that feedwright would refuse in a content file is removed.
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
mod redirects;
mod services;
mod stored;
mod texts;
mod wordpress;

pub use address::client;
pub use bring::{Outcome, Run, bring};
pub use folder::{Generator, read as read_folder};
pub use found::{Found, Hidden, Note};
pub use parts::read as read_whole_feed;
pub use services::{Key, Service, read as read_service};

//! `import`: reads shows and blogs from feeds, exports, running services and folders of other generators, and writes
//! them as files of a site.
//!
//! Each importer reads one kind of source into [`Found`]: a channel, entries with their front matter and body, former addresses,
//! and what has no place here. [`bring`] writes all that the site does not have yet.
//!
//! | file | what |
//! | --- | --- |
//! | `found` | what an importer finds |
//! | `feed` | any feed, by the crate `feeds` |
//! | `parts` | a feed with all its parts |
//! | `services` | a running service that is asked with a key, or its export: Ghost, microfeed, Podlove, Castopod |
//! | `kept` | what a service keeps of an entry beside a feed |
//! | `wordpress` | what an export of WordPress has beside a feed |
//! | `folder` | the folder of another generator: Hugo, Jekyll, Zola, Eleventy |
//! | `bodies` | HTML as Markdown, by the renderer that will show it |
//! | `texts` | texts as feeds have them |
//! | `fitting` | what the site's reader would refuse is left out, and listed |
//! | `naming` | ids, segments, files |
//! | `known` | what the site has already |
//! | `media` | files that are downloaded beside their item |
//! | `later` | the same for items that an earlier run wrote |
//! | `files` | files that are copied from a folder, and links between texts |
//! | `links` | which links of a feed's texts lead to one another |
//! | `redirects` | former paths of lists and feeds |
//! | `bring` | the run |
//!
//! - Nothing that is there is changed: only new files are written, each whole. One exception is asked for by `--media`: an
//!   address of the source that still stands in a file becomes the file that came from there.
//! - What is written builds: an entry that the site's reader refuses loses the value that it refuses.
//! - What is not carried over is told.

mod address;
mod bodies;
mod bring;
mod feed;
mod files;
mod fitting;
mod folder;
mod found;
mod kept;
mod known;
mod later;
mod links;
mod media;
mod naming;
mod parts;
mod redirects;
mod services;
mod texts;
mod wordpress;

pub use address::client;
pub use bring::{Outcome, Run, bring};
pub use folder::{Generator, read as read_folder};
pub use found::{Found, Hidden, Note};
pub use parts::read as read_whole_feed;
pub use services::{Key, Service, read as read_service};

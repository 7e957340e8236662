//! Files become the model. What one file is read into depends only on that file and on the files it names.
//!
//! [`load`] reads a whole site through [`library`], which keeps the result of each file. `listing` finds
//! the files, `content_files` picks those that are content, and `reading` reads one file. Each kind of
//! content has a module of its own (`item`, `page`, `channel`, `calendar` and so on), which reads a table
//! of front matter through [`fields`].

pub(crate) mod alternatives;
mod attachment;
pub mod body;
pub(crate) mod body_reader;
pub mod calendar;
pub mod channel;
pub mod channel_file;
pub mod chapters;
pub(crate) mod check;
pub mod config;
pub(crate) mod content_files;
pub(crate) mod css;
pub mod dates;
mod deploy;
pub(crate) mod disk;
mod examples;
pub mod fields;
mod hiding_keys;
pub(crate) mod history;
pub mod html;
mod images;
pub mod item;
pub(crate) mod key_advice;
pub mod library;
pub(crate) mod linker;
pub(crate) mod listing;
pub mod load;
mod media_cache;
pub(crate) mod nearest;
pub(crate) mod notation;
pub(crate) mod open_folder;
pub mod page;
pub(crate) mod place;
pub(crate) mod podcast;
pub(crate) mod reading;
mod realtime;
pub(crate) mod records;
pub(crate) mod redirects;
pub(crate) mod reference;
pub(crate) mod sample_site;
pub(crate) mod schema;
mod shapes;
mod shared_fields;
pub mod sources;
pub(crate) mod stamp;
pub(crate) mod stored_media;
mod stray_files;
pub(crate) mod survey;
pub(crate) mod text;
#[cfg(feature = "serve")]
pub(crate) mod unsaved;
mod webhooks;
mod words;
pub(crate) mod xml;

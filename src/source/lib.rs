//! Reading of a site's files into the model. The result for a file depends only on that file and on
//! the files it refers to.
//!
//! [`load`] reads a whole site through [`library`], which caches the result for each file.
//! `listing` lists the files, `content_files` selects the content files, and `reading` reads one
//! file. Each kind of content has a module (`item`, `page`, `channel`, `calendar` and so on), which
//! reads a table of front matter through [`fields`].

mod addresses;
mod aggregate;
mod albums;
pub mod alternatives;
mod attachment;
pub mod body;
pub mod body_reader;
pub mod calendar;
pub mod channel;
pub mod channel_file;
pub mod chapters;
pub mod check;
pub mod clips;
pub mod config;
pub mod content_files;
pub mod css;
pub mod dates;
pub mod defaults;
mod deploy;
pub mod disk;
mod examples;
pub mod fields;
mod folder_defaults;
pub mod foreign;
mod hiding_keys;
pub mod history;
pub mod html;
mod images;
pub mod item;
pub mod key_advice;
mod languages;
pub mod library;
pub mod linker;
pub mod listing;
pub mod load;
mod media_cache;
pub mod nearest;
pub mod notation;
pub mod open_folder;
pub mod page;
pub mod place;
pub mod planet;
pub mod playlists;
pub mod podcast;
pub mod reading;
mod realtime;
pub mod records;
pub mod redirects;
pub mod reference;
pub mod sample_site;
pub mod schema;
mod shapes;
mod shared_fields;
pub mod show;
mod show_address;
pub mod show_folders;
pub mod sources;
pub mod stamp;
pub mod stored_media;
mod stray_files;
pub mod survey;
pub mod text;
pub mod unsaved;
mod webhooks;
mod words;
pub mod xml;

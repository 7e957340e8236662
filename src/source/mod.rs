//! Files become the model. One file's result depends on that file alone, and the media it names.
//!
//! [`load`] reads a whole site through [`library`], which keeps what was read by file. A library asks
//! `listing` which files there are, `content_files` which of them are content, and `reading` what one file
//! says. Each kind has a file of its own (`item`, `page`, `channel`, `calendar` and so on), which reads a
//! table of front matter through [`fields`].

pub mod body;
pub mod calendar;
pub mod channel;
pub mod chapters;
pub mod config;
pub(crate) mod content_files;
pub mod dates;
pub(crate) mod disk;
pub mod fields;
pub mod highlight;
pub(crate) mod history;
pub mod html;
pub mod item;
mod key_advice;
pub mod library;
pub(crate) mod linker;
pub(crate) mod listing;
pub mod load;
pub mod page;
pub(crate) mod place;
pub(crate) mod podcast;
mod reading;
mod realtime;
pub(crate) mod redirects;
pub(crate) mod reference;
pub(crate) mod sample_site;
mod shared_fields;
pub mod sources;
mod stray_files;
pub(crate) mod text;
pub(crate) mod xml;

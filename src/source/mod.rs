//! Files become the model. One file's result depends on that file alone, and the media it names.

pub mod body;
pub mod calendar;
pub mod channel;
pub mod chapters;
pub mod config;
pub mod dates;
pub(crate) mod disk;
pub mod fields;
pub mod highlight;
pub(crate) mod history;
pub mod html;
pub mod item;
mod key_advice;
pub mod library;
pub(crate) mod links;
pub(crate) mod listing;
pub mod load;
pub mod page;
pub(crate) mod podcast;
mod reading;
mod realtime;
pub(crate) mod redirects;
pub(crate) mod reference;
pub(crate) mod sample;
mod shared_fields;
mod stray_files;
pub(crate) mod xml;

//! Files become the model. One file's result depends on that file alone, and the media it names.

pub mod body;
pub mod calendar;
pub mod channel;
pub mod chapters;
pub mod config;
pub mod dates;
pub mod disk;
pub mod fields;
pub mod front_matter;
mod guesses;
pub mod highlight;
pub mod history;
pub mod html;
pub mod item;
pub mod library;
pub mod links;
mod listing;
pub mod load;
pub mod media;
pub mod page;
pub mod parts;
pub mod podcast;
mod reading;
mod realtime;
pub mod redirects;
pub mod reference;
pub mod value;

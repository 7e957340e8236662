//! Files become the model. One file's result depends on that file alone, and the media it names.

pub mod dates;
pub mod fields;
pub mod front_matter;
pub mod media;
pub mod reference;
pub mod value;

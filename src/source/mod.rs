//! Reads files into the model.

pub mod chapters;
pub mod media;

//! (stub, replaced by the media branch)
use crate::model::chapter::Chapter;
use std::path::Path;
/// facts
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MediaFacts {
    /// b
    pub bytes: u64,
    /// t
    pub media_type: String,
    /// s
    pub duration: Option<f64>,
    /// px
    pub dimensions: Option<(u32, u32)>,
    /// c
    pub chapters: Vec<Chapter>,
    /// p
    pub problems: Vec<String>,
}
/// err
pub type MediaError = std::io::Error;
/// read
pub fn read(path: &Path) -> Result<MediaFacts, MediaError> {
    Ok(MediaFacts {
        bytes: path.metadata()?.len(),
        media_type: media_type(path),
        ..Default::default()
    })
}
/// mt
pub fn media_type(path: &Path) -> String {
    mime_guess::from_path(path)
        .first_raw()
        .unwrap_or("application/octet-stream")
        .to_owned()
}

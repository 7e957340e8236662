//! Items and pages whose text is not saved in a file yet.

use std::path::Path;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::fields::Reader;
use super::reading::ContentFile;
use model::{Config, SitePath, Source};

/// Reads an unsaved content file with its body. Returns the content and its fingerprint, or `None`
/// if the content is invalid.
pub fn unsaved<T: ContentFile>(
    root: &Path,
    config: &Config,
    source: Source<'_>,
) -> Option<(T, u64)> {
    unsaved_for_preview(root, config, source, false)
}

/// Reads an unsaved content file with its body, which has [line marks](Reader::has_line_marks) if a
/// preview needs them.
pub fn unsaved_for_preview<T: ContentFile>(
    root: &Path,
    config: &Config,
    source: Source<'_>,
    has_line_marks: bool,
) -> Option<(T, u64)> {
    let mut reader = Reader::new(source, config, root);
    reader.has_line_marks = has_line_marks;
    let mut value = T::read(&reader)?;
    let hash = xxh3_64(source.text.as_bytes());
    let fingerprint = xxh3_64_with_seed(&hash.to_le_bytes(), reader.fingerprint());
    value.set_media(reader.finish().1);
    Some((value, fingerprint))
}

/// Returns the other files that an unsaved content file refers to, whether they exist or not.
pub fn referenced_files<T: ContentFile>(
    root: &Path,
    config: &Config,
    source: Source<'_>,
) -> Vec<SitePath> {
    let reader = Reader::new(source, config, root);
    drop(T::read(&reader));
    let looked_up = reader.take_lookups().into_iter();
    looked_up.map(|(path, _)| path).collect()
}

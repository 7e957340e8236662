//! Smaller versions of a site's pictures. Each version is made once and stored in
//! `.feedwright/pictures/`, under the hash of the picture.
//!
//! A build makes all missing versions in parallel, and decodes each picture only once. A preview
//! makes a version when a browser requests it. Files that no build has used for a month are
//! removed.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ::pictures::{Fault, Picture, VERSION, without_metadata};
use rayon::prelude::*;

use super::Site;
use super::cards::CardFolder;
use super::old_files::remove_old;
use local::store::put;
use model::artwork::sizes;
use model::pictures::name_of;
use model::{Diagnostic, ImageInfo, MediaFile, Pictures, Rule, Severity, Size, SocialCard};
use render::Body;
use site::Snapshot;

/// Maximum number of pixels of a picture that is resized directly. A larger picture is first
/// reduced to half its size, to save memory.
const HALVING_THRESHOLD: u64 = 30_000_000;

/// A site's pictures, and the folder for their resized versions.
#[derive(Debug)]
pub struct PictureFolder {
    root: PathBuf,
    folder: PathBuf,
    cards: CardFolder,
}

/// The missing files of one picture.
struct Missing<'a> {
    file: &'a MediaFile,
    still: &'a ImageInfo,
    /// Missing sizes, widest first.
    sizes: Vec<Size>,
    placeholder_image: bool,
}

impl Site {
    /// Enables the site to resize its pictures on demand.
    pub fn make_pictures(&mut self) {
        let folder = PictureFolder::of(&self.snapshot.root);
        let folder: Arc<dyn Pictures> = Arc::new(folder);
        self.snapshot.for_each_edition(&mut |own| own.pictures = Some(Arc::clone(&folder)));
    }
}

impl PictureFolder {
    /// Returns the pictures of the site at `root`.
    pub fn of(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            folder: root.join(".feedwright/pictures"),
            cards: CardFolder::of(root),
        }
    }

    /// Makes all missing versions of a site's pictures. Returns diagnostics for pictures that
    /// failed. `begin` receives the number of pictures to process, and `tick` is called after each,
    /// from any thread.
    pub fn make_all(
        &self,
        snapshot: &Snapshot,
        begin: impl FnOnce(usize),
        tick: &(dyn Fn() + Sync),
    ) -> Vec<Diagnostic> {
        let existing = self.listing();
        let mut needed = HashSet::new();
        let media = snapshot.media.iter();
        let stills = media.filter_map(|file| snapshot.picture(&file.path));
        let mut missing: Vec<Missing<'_>> = stills
            .filter_map(|(file, still)| {
                let mut sizes = sizes(file, &snapshot.config.images);
                sizes.sort_by_key(|size| std::cmp::Reverse(size.width));
                needed.extend(sizes.iter().map(|size| cached_name(still, *size)));
                needed.insert(placeholder_name(still));
                sizes.retain(|size| !existing.contains(&cached_name(still, *size)));
                let placeholder_image = !existing.contains(&placeholder_name(still));
                (placeholder_image || !sizes.is_empty()).then_some(Missing {
                    file,
                    still,
                    sizes,
                    placeholder_image,
                })
            })
            .collect();
        missing.extend(undecoded(snapshot, &existing, &mut needed));
        remove_old(&self.folder, existing.difference(&needed));
        if missing.is_empty() {
            return Vec::new();
        }
        begin(missing.len());
        let is_full = AtomicBool::new(false);
        let make = |missing: &Missing<'_>| {
            if is_full.load(Ordering::Relaxed) {
                return None;
            }
            let fault = self.make(missing).err();
            tick();
            // If the folder for pictures cannot be written, every picture fails with the same
            // error. The error is reported once.
            let is_of_folder =
                |fault: &Diagnostic| fault.severity == Severity::Error && fault.file.is_none();
            fault.filter(|fault| !is_of_folder(fault) || !is_full.swap(true, Ordering::Relaxed))
        };
        missing.par_iter().filter_map(make).collect()
    }

    /// Makes the missing files of a picture. Each size is made from the smallest larger size that
    /// is at least 1.5 times as wide. This is much faster than using the original, without a
    /// visible difference.
    fn make(&self, missing: &Missing<'_>) -> Result<(), Diagnostic> {
        let damaged = |fault: Fault| decode_error(missing.file, &fault);
        let mut picture = self.decode(missing.file)?;
        if missing.sizes.is_empty() && !missing.placeholder_image {
            let name = decoded_marker_name(missing.still);
            return self.write_cached(&name, b"").map_err(|error| store_error(&error));
        }
        if u64::from(picture.width()) * u64::from(picture.height()) > HALVING_THRESHOLD {
            picture.halve_to(missing.sizes.first().map_or(1, |size| size.width));
        }
        let mut made: Vec<Picture> = Vec::new();
        for size in &missing.sizes {
            if made.last().is_none_or(|last| last.width() != size.width) {
                let of = made.iter().rev().find(|made| made.width() >= 3 * size.width / 2);
                let of = of.unwrap_or(&picture);
                made.push(of.resized(size.width).map_err(damaged)?);
            }
            if let Some(resized) = made.last() {
                let bytes = resized.encode(size.format).map_err(damaged)?;
                self.write_cached(&cached_name(missing.still, *size), &bytes)
                    .map_err(|error| store_error(&error))?;
            }
        }
        if missing.placeholder_image {
            let smallest = made.last().unwrap_or(&picture);
            let bytes = smallest.placeholder_image().map_err(damaged)?;
            self.write_cached(&placeholder_name(missing.still), &bytes)
                .map_err(|error| store_error(&error))?;
        }
        Ok(())
    }

    fn decode(&self, file: &MediaFile) -> Result<Picture, Diagnostic> {
        Picture::decode(&self.read(file)?).map_err(|fault| decode_error(file, &fault))
    }

    fn read(&self, file: &MediaFile) -> Result<Vec<u8>, Diagnostic> {
        fs::read(file.source.on_disk(&self.root)).map_err(|error| {
            Diagnostic::error(format!("{} cannot be read: {error}", file.source))
                .file(file.source.as_str())
                .help("check that it is a readable file")
        })
    }

    fn read_cached(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.join(name)).ok()
    }

    fn write_cached(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        put(&self.folder.join(name), bytes)
    }

    fn listing(&self) -> HashSet<String> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().into_string());
        names.filter_map(Result::ok).collect()
    }
}

impl Pictures for PictureFolder {
    fn size(&self, file: &MediaFile, size: Size) -> Result<Vec<u8>, Diagnostic> {
        let Some(still) = &file.still else {
            return self.read(file);
        };
        let name = cached_name(still, size);
        if let Some(bytes) = self.read_cached(&name) {
            return Ok(bytes);
        }
        let missing = Missing {
            file,
            still,
            sizes: vec![size],
            placeholder_image: !self.folder.join(placeholder_name(still)).exists(),
        };
        let made = self.make(&missing);
        match made.map(|()| self.read_cached(&name)) {
            Ok(Some(bytes)) => Ok(bytes),
            // A picture that cannot be resized is served unchanged.
            _ => self.published(file),
        }
    }

    fn placeholder_image(&self, file: &MediaFile) -> Option<Vec<u8>> {
        let still = file.still.as_ref()?;
        // A build makes all placeholders before rendering. In the preview, a page does not wait for
        // a placeholder; the placeholder is made together with the first smaller version of the
        // picture.
        let cached = self.read_cached(&placeholder_name(still));
        cached.filter(|_| !still.is_graphic)
    }

    fn card(&self, card: &SocialCard<'_>) -> Vec<u8> {
        self.cards.file(card)
    }

    fn published(&self, file: &MediaFile) -> Result<Vec<u8>, Diagnostic> {
        let bytes = self.read(file)?;
        Ok(without_metadata(&bytes).unwrap_or(bytes))
    }
}

/// Removes metadata from a picture file that is published unchanged. The metadata may contain a
/// location that the author did not intend to publish.
pub fn remove_metadata(root: &Path, body: Body) -> Body {
    let copy = match &body {
        Body::File(file) if media_facts::media_type(file).starts_with("image/") => {
            let bytes = fs::read(root.join(file)).unwrap_or_default();
            without_metadata(&bytes)
        }
        _ => None,
    };
    copy.map_or(body, Body::Bytes)
}

fn cached_name(still: &ImageInfo, size: Size) -> String {
    format!("{:016x}-{}", still.hash, name_of(still, size))
}

/// Returns pictures in front matter that have no smaller versions and have never been decoded. They
/// must be decoded once to find damage, which is an error for pictures in front matter.
fn undecoded<'s>(
    snapshot: &'s Snapshot,
    existing: &HashSet<String>,
    needed: &mut HashSet<String>,
) -> Vec<Missing<'s>> {
    let named = snapshot.media.iter().filter(|file| file.is_value);
    let small = named.filter(|file| snapshot.picture(&file.path).is_none());
    let stills = small.filter_map(|file| Some((file, file.still.as_ref()?)));
    let mut missing = Vec::new();
    for (file, still) in stills {
        let name = decoded_marker_name(still);
        if !existing.contains(&name) {
            missing.push(Missing { file, still, sizes: Vec::new(), placeholder_image: false });
        }
        needed.insert(name);
    }
    missing
}

/// Returns the name of the empty file that marks a picture as decodable.
fn decoded_marker_name(still: &ImageInfo) -> String {
    format!("{:016x}-{VERSION}.seen", still.hash)
}

fn placeholder_name(still: &ImageInfo) -> String {
    format!("{:016x}-{VERSION}.stand-in", still.hash)
}

/// Reports a picture that could not be decoded.
fn decode_error(file: &MediaFile, fault: &Fault) -> Diagnostic {
    let source = file.source.as_str();
    if matches!(fault, Fault::Damaged(_)) && file.is_value {
        return Diagnostic::error(format!("{source} is damaged or not an image: {fault}"))
            .file(source)
            .help("replace the file");
    }
    Diagnostic::warning(Rule::PictureSizes, format!("this picture cannot be resized: {fault}"))
        .file(source)
        .help("save it again with another program; until then it is published unchanged")
}

fn store_error(error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("resized pictures cannot be saved in .feedwright/pictures: {error}"))
        .help("check the folder's permissions and the free disk space")
}

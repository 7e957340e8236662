//! Reads title, chapters, cover and numbers of an episode from the tags of its recording.

use std::fs;
use std::io::Write as _;

use serde::Deserialize;
use serde_json::json;

use super::kind::FileKind;
use super::media::{folder_of, locate, reference_to};
use super::on_disk::begin;
use super::{Answer, EDITOR};
use api_shared::{ApiError, check_inside_site};
use edit::transaction::IncomingFile;
use media_facts::Cover;
use model::chapter::Chapter;
use model::content_folder::ITEMS;
use model::{ContentFolder, SitePath};
use server::App;
use source::chapters::embedded;
use source::disk::Disk;

/// A recording of a document.
#[derive(Debug, Deserialize)]
pub struct Recording {
    path: String,
    /// The reference to the recording in the document.
    reference: String,
    /// Whether to save the cover next to the document.
    #[serde(default)]
    cover: bool,
}

/// Returns the values in the tags of a recording, and the reason why it cannot be played. Saves the
/// cover as a new file.
pub fn take(app: &App, request: &Recording) -> Answer {
    let (path, _) = FileKind::at(&request.path)?;
    let file = locate(app, &request.path, &request.reference)?;
    let failed = |error: media_facts::MediaError| ApiError::bad(error.to_string());
    let facts = Disk::new(app.live.root()).media(&file).map_err(failed)?;
    let tags = media_facts::tags(&file.on_disk(app.live.root())).map_err(failed)?;
    let image = match tags.cover.filter(|_| request.cover) {
        Some(cover) => Some(save(app, &request.path, &file, &cover)?),
        None => None,
    };
    let chapters: Vec<Chapter> = facts.chapters.iter().map(embedded).collect();
    let number = |number| is_first(app, &path).then_some(number);
    Ok(json!({
        "title": tags.title,
        "chapters": chapters,
        "image": image,
        "season": number(tags.season),
        "episode": number(tags.episode),
        "problem": facts.damage,
    }))
}

/// Returns whether the site has no other episode. Otherwise, the numbers of the last episode
/// continue.
fn is_first(app: &App, path: &SitePath) -> bool {
    let moment = app.live.newest();
    let mut items = moment.site.snapshot.entries.iter().map(|entry| &entry.item);
    items.all(|item| item.source == *path || !item.is_episode())
}

/// Saves a cover next to a document, and returns the reference to it. A file with the same bytes is
/// used again.
fn save(
    app: &App,
    document: &str,
    recording: &SitePath,
    cover: &Cover,
) -> Result<String, ApiError> {
    let folder = folder_of(document)?;
    let root = app.live.root();
    // The shared folder has the files of many documents.
    let is_shared =
        ContentFolder::inner(ITEMS, document).is_some() && !document.contains("/index.");
    let stem = if is_shared { recording.stem() } else { "cover" };
    let same = SitePath::parse(&format!("{folder}/{stem}.{}", cover.extension));
    let is_same =
        |path: &SitePath| fs::read(path.on_disk(root)).is_ok_and(|own| own == cover.bytes);
    if let Some(path) = same.filter(is_same) {
        return Ok(reference_to(&path));
    }
    let writing = begin(app, "uploadMedia", EDITOR);
    let path = writing.free_name(&folder, stem, cover.extension)?;
    check_inside_site(root, &path)?;
    let mut file = IncomingFile::next_to(&path.on_disk(root))?;
    file.write_all(&cover.bytes)?;
    file.flush_to_disk()?;
    writing.keep(path.as_str(), &path, file)?;
    Ok(reference_to(&path))
}

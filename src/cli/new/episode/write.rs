//! Writes a new episode: first its files, and last its text.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde_json::{Value, json};

use super::plan::Episode;
use super::recording::{Chapters, Companion};
use edit::{NewFolder, create};
use model::{SitePath, Slug};
use source::reference::publish;

/// The files of an episode: in a new folder, or next to a recording that is in the site.
enum Place<'p> {
    New(NewFolder),
    Existing { root: &'p Path, folder: &'p str },
}

impl Place<'_> {
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::New(folder) => folder.write(name, bytes),
            Self::Existing { root, folder } => create(&root.join(folder).join(name), bytes),
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        match self {
            Self::New(folder) => folder.path().join(name),
            Self::Existing { root, folder } => root.join(folder).join(name),
        }
    }
}

/// Writes the files of an episode. `copied` receives the number of bytes after each copied piece.
/// Returns what the front matter contains, for people.
pub fn write(
    root: &Path,
    episode: &Episode,
    moves: bool,
    copied: &dyn Fn(u64),
) -> io::Result<Vec<String>> {
    let recording = &episode.recording;
    let folder = episode.path.parent().unwrap_or_default();
    let place = match episode.is_in_place {
        true => Place::Existing { root, folder },
        false => Place::New(NewFolder::next_to(&root.join(folder))?),
    };
    let stem = Slug::from_title(&recording.stem());
    let stem = stem.map_or_else(|| "episode".to_owned(), |slug| slug.to_string());
    let mut brought = Vec::new();
    let mut bring = |path: &Path, name: String| -> io::Result<String> {
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        match (&place, &recording.in_site) {
            (Place::Existing { .. }, _) => return Ok(own.into_owned()),
            (_, Some(recording)) => return Ok(reference_next_to(recording, &own)),
            (Place::New(new), None) if moves && !path.is_symlink() => {
                new.link(path, &name, copied)?;
            }
            (Place::New(new), None) => new.copy(path, &name, copied)?,
        }
        brought.push(path.to_owned());
        Ok(name)
    };
    let attachment = bring(&recording.path, format!("{stem}.{}", recording.extension()))?;
    let mut take = |own: &Companion, middle: &str| -> io::Result<String> {
        let name = format!("{stem}{middle}.{}", own.extension);
        match &own.converted {
            None => bring(&own.path, name),
            Some(text) => place.write(&name, text.as_bytes()).map(|()| name),
        }
    };
    let transcript = recording.transcript.as_ref().map(|own| take(own, "")).transpose()?;
    let chapters = match &recording.chapters {
        Chapters::File(own) => json!(take(own, ".chapters")?),
        Chapters::List(list) if list.is_empty() => Value::Null,
        Chapters::List(list) => json!(list),
    };
    let cover = cover(episode, &place, &stem)?;
    let mut podcast = json!({});
    let podcast_fields = [
        ("season", json!(episode.season)),
        ("episode", json!(episode.number)),
        ("transcripts", json!(transcript.as_ref().map(|name| [name]))),
        ("chapters", chapters),
    ];
    for (key, value) in podcast_fields.into_iter().filter(|(_, value)| !value.is_null()) {
        podcast[key] = value;
    }
    let facts = summary(episode, &podcast, cover.is_some());
    let fields = [
        ("id", json!(episode.id.as_str())),
        ("slug", json!(episode.slug)),
        ("title", json!(episode.title)),
        ("status", json!(episode.is_draft.then_some("unpublished"))),
        ("language", json!(episode.language)),
        ("date_published", json!(episode.date)),
        ("attachment", json!(attachment)),
        ("image", json!(cover)),
        ("podcast", if podcast == json!({}) { Value::Null } else { podcast }),
    ];
    // The description is plain text, so a tag in it is not HTML.
    let description = recording.tags.description.as_deref().unwrap_or_default();
    let body = description.replace("\r\n", "\n").replace('\r', "\n").replace('<', "&lt;");
    let text = front_matter::compose(&fields, &body);
    place.write(episode.path.file_name(), text.as_bytes())?;
    if let Place::New(folder) = place {
        folder.keep()?;
    }
    if moves {
        // The site has everything, so an original that cannot be removed does not matter.
        brought.iter().for_each(|path| drop(fs::remove_file(path)));
    }
    Ok(facts)
}

/// Returns the public path of a file next to a recording of the site.
fn reference_next_to(recording: &SitePath, name: &str) -> String {
    let folder = recording.parent().unwrap_or_default();
    let path = SitePath::parse(&format!("{folder}/{name}"));
    publish(path.unwrap_or_else(|| recording.clone())).path
}

/// Writes the cover in the tags, and returns its name. A damaged cover is left out.
fn cover(episode: &Episode, place: &Place<'_>, stem: &str) -> io::Result<Option<String>> {
    let Some(cover) = &episode.recording.tags.cover else {
        return Ok(None);
    };
    let stem = if episode.path.stem() == "index" { "cover" } else { stem };
    let name = format!("{stem}.{}", cover.extension);
    match place.write(&name, &cover.bytes) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let is_same = fs::read(place.path(&name))? == cover.bytes;
            return Ok(is_same.then_some(name));
        }
        written => written?,
    }
    let path = place.path(&name);
    match media_facts::read(&path) {
        Ok(facts) if facts.damage.is_none() && facts.dimensions.is_some() => Ok(Some(name)),
        _ => fs::remove_file(path).map(|()| None),
    }
}

/// Returns the facts about an episode, for people.
fn summary(episode: &Episode, podcast: &Value, has_cover: bool) -> Vec<String> {
    let count = |key: &str| podcast[key].as_array().map_or(0, Vec::len);
    let number = match (episode.season, episode.number) {
        (Some(season), Some(number)) => Some(format!("season {season}, episode {number}")),
        (None, Some(number)) => Some(format!("episode {number}")),
        (season, None) => season.map(|season| format!("season {season}")),
    };
    let chapters = match (podcast["chapters"].is_string(), count("chapters")) {
        (true, _) => Some("chapters".to_owned()),
        (false, 0) => None,
        (false, count) => Some(super::super::super::output::count(count, "chapter", "chapters")),
    };
    let duration = episode.recording.facts.duration.map(render::text::clock);
    let cover = has_cover.then(|| "cover".to_owned());
    let transcript = (count("transcripts") > 0).then(|| "transcript".to_owned());
    [number, duration, cover, chapters, transcript].into_iter().flatten().collect()
}

//! Downloads the media files of an entry.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fetch::{Client, Fault, Kind, Url};
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

use super::found::{Body, Note, note};
use super::naming::relative;
use local::make_folders;
use model::{Languages, SitePath};
use source::html::{self, Role};
use source::reference::publish;

/// Folder for incomplete downloads, relative to the site's root.
pub const PARTS: &str = ".feedwright/import";
/// Folder for files that several entries reference, relative to the site's root.
pub const SHARED: &str = "content/media";

/// Downloads media files into a site.
pub struct Media<'a> {
    pub root: &'a Path,
    pub client: &'a Client,
    /// Number of entries that reference each address. A file that several entries reference is
    /// downloaded once, to the shared folder.
    pub uses: HashMap<String, usize>,
    /// Callback that receives an address, and the number of bytes received from it.
    pub progress: &'a (dyn Fn(&str, u64) + Sync),
    pub languages: &'a Languages,
    pub shared: Mutex<HashMap<String, String>>,
    /// Locked while a download gets its name, because translations share a folder.
    pub names: Mutex<()>,
}

/// The destination for the files of one entry.
pub struct Place<'a> {
    /// The content file that references the downloads.
    pub file: &'a SitePath,
    pub folder: &'a SitePath,
    /// Location of the entry in the source.
    pub place: &'a str,
    pub notes: &'a mut Vec<Note>,
    /// The addresses requested so far, each with the reference to the downloaded file, or `None` if
    /// the download failed.
    pub brought: HashMap<String, Option<String>>,
}

/// Paths of the front matter keys that refer to files. `[]` means each element of a list.
pub const FILES: [&str; 18] = [
    "attachment.url",
    "image",
    "image.url",
    "banner_image",
    "banner_image.url",
    "icon",
    "icon.url",
    "favicon",
    "podcast.transcripts.[]",
    "podcast.transcripts.[].url",
    "podcast.chapters",
    "podcast.chapters.url",
    "podcast.chapters.[].img",
    "podcast.images.[].href",
    "podcast.people.[].img",
    "podcast.trailers.[].url",
    "podcast.alternateEnclosures.[].sources.[].uri",
    "seo.social_image",
];

/// Calls `action` with each value that refers to a file by an absolute address.
pub fn each_file(fields: &mut Map<String, Value>, action: &mut dyn FnMut(&str, &mut Value)) {
    for file in FILES {
        let steps: Vec<&str> = file.split('.').collect();
        if let Some((first, rest)) = steps.split_first()
            && let Some(value) = fields.get_mut(*first)
        {
            walk(value, rest, file, action);
        }
    }
}

fn walk(value: &mut Value, steps: &[&str], name: &str, action: &mut dyn FnMut(&str, &mut Value)) {
    match (steps.split_first(), &mut *value) {
        (None, Value::String(text)) if text.starts_with("http") => action(name, value),
        (Some((&"[]", rest)), Value::Array(list)) => {
            list.iter_mut().for_each(|one| walk(one, rest, name, action));
        }
        (Some((key, rest)), Value::Object(map)) => {
            if let Some(value) = map.get_mut(*key) {
                walk(value, rest, name, action);
            }
        }
        _ => {}
    }
}

/// Keys whose values feedwright reads from the recording itself.
pub const FACTS: [&str; 3] = ["mime_type", "size_in_bytes", "duration_in_seconds"];

/// Returns the addresses of the pictures, recordings and videos embedded in a body.
pub fn body_media(body: &Body) -> Vec<String> {
    let Body::Html(text) = body else {
        return Vec::new();
    };
    let mut found = Vec::new();
    html::rewrite(text, |role, reference, _| {
        if role != Role::Link && reference.starts_with("http") && is_media(reference) {
            found.push(reference.to_owned());
        }
        None
    });
    found
}

/// Returns whether an address has the file extension of a media file. This excludes most frames,
/// which embed pages of other sites.
fn is_media(reference: &str) -> bool {
    let ending = Url::parse(reference).ok();
    let ending = ending.as_ref().and_then(|url| url.path().rsplit_once('.'));
    ending.is_some_and(|(_, ending)| {
        let ending = ending.to_ascii_lowercase();
        const KNOWN: [&str; 19] = [
            "jpg", "jpeg", "png", "gif", "webp", "avif", "heic", "svg", "mp3", "m4a", "aac", "ogg",
            "opus", "oga", "wav", "flac", "mp4", "m4v", "webm",
        ];
        KNOWN.contains(&&*ending)
    })
}

impl Place<'_> {
    pub fn count(&self) -> usize {
        self.brought.values().flatten().count()
    }
}

impl Media<'_> {
    /// Downloads the files that front matter refers to, and replaces their addresses with
    /// references to the downloaded files.
    pub fn bring_fields(
        &self,
        fields: &mut Map<String, Value>,
        place: &mut Place<'_>,
    ) -> Result<(), Fault> {
        let mut failed = None;
        let announced = fields
            .get("attachment")
            .and_then(|file| file.get("size_in_bytes"))
            .and_then(Value::as_u64);
        each_file(fields, &mut |name, value| {
            let Some(url) = value.as_str().map(str::to_owned) else {
                return;
            };
            let length = announced.filter(|_| name == "attachment.url");
            match self.bring(&url, name, length, place) {
                Ok(Some(reference)) => *value = reference.into(),
                Ok(None) => {}
                Err(fault) => failed = Some(fault),
            }
        });
        // Properties that feedwright reads from the recording are not written to front matter.
        let main = fields.get_mut("attachment").and_then(Value::as_object_mut);
        if let Some(main) = main.filter(|main| {
            main.get("url").and_then(Value::as_str).is_some_and(|url| !url.starts_with("http"))
        }) {
            for key in FACTS {
                main.remove(key);
            }
            if let (1, Some(url)) = (main.len(), main.get("url").cloned()) {
                fields.insert("attachment".to_owned(), url);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Downloads the media of a converted body, and replaces their addresses with references to the
    /// downloaded files.
    pub fn bring_body(
        &self,
        text: &mut String,
        addresses: &[String],
        place: &mut Place<'_>,
    ) -> Result<(), Fault> {
        for url in addresses {
            let spans = spans(text, url);
            if spans.is_empty() {
                continue;
            }
            if let Some(reference) = self.bring(url, "text", None, place)? {
                for span in spans.into_iter().rev() {
                    text.replace_range(span, &reference);
                }
            }
        }
        Ok(())
    }

    /// Downloads a file and returns the reference to it. If the download fails, reports the failure
    /// and returns `None`. Returns an error if the file cannot be written to disk, so that further
    /// downloads are pointless.
    pub fn bring(
        &self,
        url: &str,
        role: &str,
        length: Option<u64>,
        place: &mut Place<'_>,
    ) -> Result<Option<String>, Fault> {
        if let Some(known) = place.brought.get(url) {
            return Ok(known.clone());
        }
        let is_shared = self.uses.get(url).is_some_and(|uses| *uses > 1);
        if is_shared {
            // The first entry that references a shared file downloads it. The others wait for the
            // lock.
            let mut shared = self.shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if let Some(reference) = shared.get(url) {
                return Ok(Some(reference.clone()));
            }
            let Some(folder) = SitePath::parse(SHARED) else {
                return Ok(None);
            };
            let brought = self.file(url, role, length, &folder, place)?;
            // References that start with a slash are public paths of the website, not file paths.
            let reference = brought.map(|path| publish(path).path);
            shared.extend(reference.clone().map(|reference| (url.to_owned(), reference)));
            return Ok(reference);
        }
        let brought = self.file(url, role, length, place.folder, place)?;
        let reference = brought.map(|path| relative(place.file.as_str(), path.as_str()));
        place.brought.insert(url.to_owned(), reference.clone());
        Ok(reference)
    }

    fn file(
        &self,
        url: &str,
        role: &str,
        length: Option<u64>,
        folder: &SitePath,
        place: &mut Place<'_>,
    ) -> Result<Option<SitePath>, Fault> {
        let part = self.root.join(PARTS).join(format!("{:016x}", xxh3_64(url.as_bytes())));
        let target = match earlier_target(&part, self.root) {
            Some(target) => target,
            None => match self.download(url, role, (&part, folder), place)? {
                Some(target) => target,
                None => return Ok(None),
            },
        };
        let actual_length = target.on_disk(self.root).metadata();
        let actual_length = actual_length.map_or(0, |facts| facts.len());
        if let Some(length) = length.filter(|length| *length != actual_length) {
            let message =
                format!("the feed says that {url} has {length} bytes, but it has {actual_length}");
            note(place.notes, message, place.place);
        }
        Ok(Some(target))
    }

    fn download(
        &self,
        url: &str,
        role: &str,
        (part, folder): (&Path, &SitePath),
        place: &mut Place<'_>,
    ) -> Result<Option<SitePath>, Fault> {
        let disk = |path: &Path, error: io::Error| Fault {
            kind: Kind::Disk,
            message: format!("{} cannot be written: {error}", path.display()),
        };
        let mut stays = |why: String| {
            let message = format!("{} was not downloaded: {why}", role_name(role));
            note(place.notes, message, place.place);
            Ok(None)
        };
        make_folders(&self.root.join(PARTS)).map_err(|error| disk(part, error))?;
        let progress = |bytes| (self.progress)(url, bytes);
        let done = match self.client.download(url, part, &progress) {
            Ok(done) => done,
            Err(fault) if fault.kind == Kind::Disk => return Err(fault),
            Err(fault) => return stays(fault.to_string()),
        };
        if done.media_type.as_deref() == Some("text/html") && !role.contains("transcript") {
            let _ = fs::remove_file(part);
            return stays(format!("{url} returned a web page instead of a file"));
        }
        let (stem, ending) = name_of(&done.url, url, done.media_type.as_deref(), role);
        // An HTML or Markdown file would be read as an item, unless it is next to an `index.md`. It
        // goes to the shared folder instead.
        let is_text = matches!(&*ending, "html" | "htm" | "md") && place.file.stem() != "index";
        let shared = SitePath::parse(SHARED).filter(|_| is_text);
        let folder = shared.as_ref().unwrap_or(folder);
        let _names = self.names.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let target = edit::free_name(self.root, folder, &stem, &ending)
            .map_err(|error| disk(part, error))?;
        put(part, &target, self.root).map_err(|error| disk(&target.on_disk(self.root), error))?;
        Ok(Some(target))
    }
}

/// Returns the byte ranges in a body where an address is the whole target of a link or the whole
/// value of an attribute.
fn spans(text: &str, url: &str) -> Vec<Range<usize>> {
    let found = text.match_indices(url).map(|(at, _)| at..at + url.len()).filter(|span| {
        let before = &text[..span.start];
        let is_begun = ["](", "](<", "=\""].iter().any(|start| before.ends_with(start));
        is_begun && text[span.end..].starts_with([')', '>', '"', ' ', '\n'])
    });
    found.collect()
}

/// Moves a completely downloaded file to its final path. A record of the move is kept until the run
/// ends, so that the run after an interrupted one does not download the file again.
fn put(part: &Path, target: &SitePath, root: &Path) -> io::Result<()> {
    fs::write(part.with_extension(PUT), target.as_str())?;
    let target = target.on_disk(root);
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    edit::rename(part, &target)
}

/// Returns the final path of a file that an interrupted run downloaded.
fn earlier_target(part: &Path, root: &Path) -> Option<SitePath> {
    let target = SitePath::parse(&fs::read_to_string(part.with_extension(PUT)).ok()?)?;
    target.on_disk(root).is_file().then_some(target)
}

/// Extension of the records of moved files.
const PUT: &str = "put";

fn role_name(role: &str) -> &str {
    match role {
        "text" => "a picture or recording in the body",
        role if role.starts_with("attachment") => "a recording",
        role if role.contains("transcript") => "a transcript",
        role if role.contains("chapters") => "a chapters file",
        _ => "a picture",
    }
}

/// Returns the stem and the extension of a file name. Both come from the address. If the address
/// has no usable extension, the extension comes from the media type.
fn name_of(url: &str, first: &str, media_type: Option<&str>, role: &str) -> (String, String) {
    let last = |url: &str| {
        let url = Url::parse(url).ok()?;
        let last = url.path_segments()?.rev().find(|part| !part.is_empty())?.to_owned();
        let last = percent_encoding::percent_decode_str(&last).decode_utf8_lossy().into_owned();
        Some(last).filter(|last| last.contains('.'))
    };
    // The name after a redirect may be meaningless, so the name in the original address is
    // preferred.
    let name = last(first).or_else(|| last(url)).unwrap_or_default();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((&name, ""));
    let plain = |c: char| {
        if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' }
    };
    let stem: String = stem.chars().map(plain).take(80).collect();
    let stem = stem.trim_matches('-').to_owned();
    let ending: String = ending.chars().filter(char::is_ascii_alphanumeric).take(5).collect();
    let known = match media_type {
        Some("audio/mpeg" | "audio/mp3") => "mp3",
        Some("audio/mp4" | "audio/x-m4a" | "audio/m4a") => "m4a",
        Some("video/mp4") => "mp4",
        Some("image/jpeg") => "jpg",
        Some("image/png") => "png",
        Some("image/webp") => "webp",
        Some("image/gif") => "gif",
        Some("text/vtt") => "vtt",
        Some("application/x-subrip" | "application/srt") => "srt",
        Some("application/json" | "application/json+chapters") => "json",
        _ => "",
    };
    let ending = match (ending.to_ascii_lowercase(), known) {
        (own, "") => own,
        (own, known) if own.is_empty() || matches!(&*own, "php" | "aspx" | "cgi") => {
            known.to_owned()
        }
        (own, _) => own,
    };
    let fallback = || role.split(['.', '[']).next_back().unwrap_or("file").to_owned();
    (if stem.is_empty() { fallback() } else { stem }, ending)
}

/// Returns the stem of the file name that a download from an address gets.
pub fn stem_of(url: &str) -> String {
    name_of(url, url, None, "file").0
}

/// Removes the records of moved files after a complete run. Incomplete downloads stay.
pub fn clear(root: &Path) {
    let folder: PathBuf = root.join(PARTS);
    let files = fs::read_dir(&folder).into_iter().flatten().flatten();
    let notes = files.map(|file| file.path());
    for note in notes.filter(|path| path.extension().is_some_and(|ending| ending == PUT)) {
        let _ = fs::remove_file(note);
    }
    let _ = fs::remove_dir(folder);
}

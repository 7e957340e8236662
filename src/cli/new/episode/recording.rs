//! A recording for a new episode, with its tags and the files next to it.

use std::fs;
use std::path::{Path, PathBuf};

use media_facts::{MediaFacts, Tags};
use model::chapter::Chapter;
use model::{Category, ContentFolder, SitePath};
use source::chapters::{self, Format, embedded};
use source::disk::{MAX_TEXT, read_within};
use source::foreign;

/// The extensions of transcripts, the most detailed format first.
const TRANSCRIPTS: [&str; 6] = ["vtt", "srt", "json", "html", "htm", "txt"];

/// The extensions of files with chapters.
const CHAPTERS: [&str; 6] = ["json", "txt", "xml", "psc", "vtt", "srt"];

/// A recording, and what was found out about it.
pub struct Recording {
    pub path: PathBuf,
    /// The path in the site, if the recording is already in `content/`.
    pub in_site: Option<SitePath>,
    pub facts: MediaFacts,
    pub tags: Tags,
    pub transcript: Option<Companion>,
    pub chapters: Chapters,
}

/// A file next to a recording that belongs to it.
pub struct Companion {
    pub path: PathBuf,
    /// The extension for the site.
    pub extension: String,
    /// The content for the site, if it differs from the file's.
    pub converted: Option<String>,
}

/// The chapters of a recording.
pub enum Chapters {
    File(Companion),
    List(Vec<Chapter>),
}

impl Recording {
    /// Reads a recording. Returns the reason if it cannot be published.
    pub fn read(root: &Path, path: &Path) -> Result<Self, String> {
        let name = path.display();
        let unreadable = |error| format!("{name} cannot be read: {error}");
        if fs::metadata(path).map_err(unreadable)?.is_dir() {
            return Err(format!("{name} is a folder; name the recordings in it"));
        }
        let media_type = media_facts::media_type(path);
        if !matches!(Category::of_media_type(&media_type), Category::Audio | Category::Video) {
            return Err(format!(
                "{name} is not a recording; name a file such as .mp3, .m4a, .opus or .mp4"
            ));
        }
        source::disk::open_file(path).map_err(unreadable)?;
        let facts = media_facts::read(path).map_err(|error| error.to_string())?;
        if let Some(damage) = &facts.damage {
            return Err(format!("{name} is {damage}; export it again"));
        }
        let tags = media_facts::tags(path).map_err(|error| error.to_string())?;
        let (transcript, chapters) = companions(path);
        let chapters =
            chapters.unwrap_or_else(|| Chapters::List(facts.chapters.iter().map(safe).collect()));
        let in_site = in_site(root, path);
        Ok(Self { path: path.to_owned(), in_site, facts, tags, transcript, chapters })
    }

    /// Returns the title in the tags, or else in the name of the file: "low-tide_2.mp3" is "Low
    /// tide 2".
    pub fn title(&self) -> String {
        let stem = self.stem();
        let words = stem.split(|c: char| c.is_whitespace() || "-_".contains(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let mut title = words.join(" ");
        if let Some(first) = title.chars().next() {
            let upper: String = first.to_uppercase().collect();
            title.replace_range(..first.len_utf8(), &upper);
        }
        let tagged = self.tags.title.as_deref().unwrap_or(&title).split_whitespace();
        let title = tagged.collect::<Vec<_>>().join(" ");
        if title.is_empty() { "Untitled".to_owned() } else { title }
    }

    pub fn stem(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn extension(&self) -> String {
        let extension = self.path.extension().unwrap_or_default().to_string_lossy();
        extension.to_ascii_lowercase()
    }
}

/// Returns the path in the site of a file that feedwright can publish where it is.
fn in_site(root: &Path, path: &Path) -> Option<SitePath> {
    let own = SitePath::below(&root.canonicalize().ok()?, &path.canonicalize().ok()?)?;
    let text = own.as_str();
    (ContentFolder::split(text).is_some() && !text.contains("/.")).then_some(own)
}

/// Returns a chapter of a file. Links to anything but web pages are left out.
fn safe(chapter: &media_facts::Chapter) -> Chapter {
    let chapter = embedded(chapter);
    let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
    Chapter { url: chapter.url.filter(is_web), ..chapter }
}

/// Finds the transcript and the chapters with the name of a recording: `walk.vtt`,
/// `walk.chapters.json`.
fn companions(recording: &Path) -> (Option<Companion>, Option<Chapters>) {
    let stem = recording.file_stem().unwrap_or_default().to_string_lossy();
    let folder = recording.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    // The rest of each name after the recording's name: `.vtt` or `.chapters.json`.
    let mut found: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let end = name.to_str()?.strip_prefix(&*stem)?.to_ascii_lowercase();
            let (middle, _) = end.rsplit_once('.')?;
            let middle = middle.trim_matches(['.', '-', '_', ' ']);
            matches!(middle, "" | "chapters" | "transcript").then(|| (end, entry.path()))
        })
        .collect();
    let rank = |list: &[&str], end: &str| {
        let extension = end.rsplit('.').next().unwrap_or_default();
        list.iter().position(|own| *own == extension)
    };
    found.sort_by_key(|(end, _)| rank(&TRANSCRIPTS, end).unwrap_or(TRANSCRIPTS.len()));
    let (mut transcript, mut chapters) = (None, None);
    for (end, path) in found {
        let text =
            read_within(&path, MAX_TEXT).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(text) = text else { continue };
        let own = text.trim_start_matches('\u{feff}');
        let extension = end.rsplit('.').next().unwrap_or_default().to_owned();
        let listed = foreign::chapters(&end, own).filter(|_| rank(&CHAPTERS, &end).is_some());
        if let Some(listed) = listed {
            let is_native = matches!(&*extension, "json" | "txt")
                && chapters::parse(own, Format::Auto).is_ok_and(|parsed| parsed.faults.is_empty());
            chapters.get_or_insert(match is_native {
                true => Chapters::File(Companion { path, extension, converted: None }),
                false => Chapters::List(listed),
            });
        } else if transcript.is_none() && rank(&TRANSCRIPTS, &end).is_some() {
            let converted = foreign::transcript(&end, own);
            transcript = converted.map(|(name, text)| {
                let converted = (!name.ends_with(&extension)).then_some(text);
                let extension = name.rsplit('.').next().unwrap_or_default().to_owned();
                Companion { path, extension, converted }
            });
        }
    }
    (transcript, chapters)
}

//! The kinds of files that the editor can write.

use api_shared::ApiError;
use model::content_folder::{CALENDARS, ITEMS, PAGES};
use model::{ContentFolder, Diagnostic, Severity, SiteFile, SitePath};
use project::transcript_faults;
use source::chapters::{self, ChapterError};
use source::fields::Reader;
use source::schema::Kind;
use source::{calendar, channel, item, page};

/// Maximum length of a file or folder name, in bytes, on common file systems.
const MAX_NAME_LENGTH: usize = 255;

/// The kind of a file that the editor can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A document with front matter, or `calendar.toml`, which consists only of fields.
    Content(Kind),
    /// The chapters of a recording, as JSON or as lines of text.
    Chapters,
    /// The transcript of a recording, with timestamps.
    Transcript,
    /// The template of a site file, or its draft.
    SiteFile,
}

impl FileKind {
    /// Returns the kind of a file, or None if the editor cannot write it.
    pub fn of(path: &SitePath) -> Option<Self> {
        if SiteFile::name_at(path).is_some() {
            return Some(Self::SiteFile);
        }
        let extension = path.extension();
        let is_section = path.section_folder().is_some();
        let path = path.as_str();
        let (_, inner) = ContentFolder::split(path).filter(|_| !path.contains("/."))?;
        let is_in = |folder: &str| ContentFolder::inner(folder, path).is_some();
        let is_channel = inner
            .strip_prefix("channel.")
            .is_some_and(|name| !name.contains('/') && name.matches('.').count() < 2);
        let is_named = |stem: &str| path.rsplit('/').next().is_some_and(|name| name.contains(stem));
        match extension.as_str() {
            "vtt" | "srt" => Some(Self::Transcript),
            "toml" if is_in(CALENDARS) && path.ends_with("/calendar.toml") => {
                Some(Self::Content(Kind::Calendar))
            }
            "json" | "txt" if is_named("chapters") => Some(Self::Chapters),
            "md" | "html" => match inner {
                _ if is_channel => Some(Self::Content(Kind::Channel)),
                _ if is_section => Some(Self::Content(Kind::Page)),
                _ if is_in(ITEMS) => Some(Self::Content(Kind::Item)),
                _ if is_in(PAGES) => Some(Self::Content(Kind::Page)),
                _ if is_in(CALENDARS) => Some(Self::Content(Kind::Event)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Parses a path from a request and returns it with the kind of its file.
    pub fn at(path: &str) -> Result<(SitePath, Self), ApiError> {
        let path = SitePath::parse(path);
        let found = path.and_then(|path| Self::of(&path).map(|kind| (path, kind)));
        let (path, kind) =
            found.ok_or_else(|| ApiError::bad("path: the editor cannot edit this file"))?;
        if path.as_str().split('/').any(|name| name.len() > MAX_NAME_LENGTH) {
            return Err(ApiError::bad(format!(
                "path: each file and folder name must be at most {MAX_NAME_LENGTH} bytes"
            )));
        }
        Ok((path, kind))
    }

    /// Returns whether the whole file is TOML.
    pub fn is_toml(self) -> bool {
        matches!(self, Self::Content(kind) if kind.is_toml())
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Content(kind) => kind.name(),
            Self::Chapters => "chapters",
            Self::Transcript => "transcript",
            Self::SiteFile => "site-file",
        }
    }

    /// Returns a function that reads a file of this kind to find errors that prevent a build.
    /// [`problems`](Self::problems) checks chapters, transcripts and site files, which never
    /// prevent a build.
    pub fn check(self) -> fn(&Reader<'_>) {
        match self {
            Self::Content(Kind::Page) => |reader| drop(page::read(reader)),
            Self::Content(Kind::Channel) => |reader| drop(channel::read(reader)),
            Self::Content(Kind::Event | Kind::Calendar) => |reader| drop(calendar::read(reader)),
            Self::Content(_) => |reader| drop(item::read(reader)),
            Self::Chapters | Self::Transcript | Self::SiteFile => |_| (),
        }
    }

    /// Returns the problems in the text of a file without front matter.
    pub fn problems(self, path: &SitePath, text: &str) -> Vec<Diagnostic> {
        match self {
            // Problems in a site file are found when the file is rendered.
            Self::Content(_) | Self::SiteFile => Vec::new(),
            Self::Transcript => {
                let format = transcripts::Format::of("", path.as_str(), text.as_bytes());
                transcript_faults(path, text.as_bytes(), format, None)
            }
            Self::Chapters => match chapters::parse(text, chapters::Format::Auto) {
                Ok(parsed) => {
                    let faults = parsed.faults.into_iter();
                    let report = |fault: ChapterError| fault.report(Severity::Warning, path, text);
                    faults.map(report).collect()
                }
                Err(fault) => vec![fault.report(Severity::Error, path, text)],
            },
        }
    }
}

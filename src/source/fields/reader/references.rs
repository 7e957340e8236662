//! The files that a content file refers to.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use media_facts::MediaFacts;
use serde_json::json;

use super::Reader;
use crate::playlists::{self, is_playlist};
use crate::reference::{self, Local, Problem, Reference};
use crate::text::{TOO_LARGE_HELP, not_utf8};
use model::defaults::DEFAULT;
use model::podcast::Soundbite;
use model::url::is_absolute;
use model::{ArtworkRoles, ContentLink, Fix, Image, MediaFile, Rule, SitePath, folded};

/// How a file uses another file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReferenceUse {
    /// A front matter key refers to the file.
    Named,
    /// The body links to the file.
    Linked,
    /// The body shows the file.
    Shown,
}

impl Reader<'_> {
    /// Resolves a reference in this file's front matter. If the reference is to a file of the site,
    /// the file will be published. A missing file, a file outside the site and a damaged picture
    /// are errors.
    pub fn reference(&self, text: &str, span: &Range<usize>) -> Option<Reference> {
        let found = self.publish(text, span, ReferenceUse::Named);
        let is_path = text.starts_with('/') && !text.starts_with("//");
        // A missing file below `/media/` is already an error.
        if is_path && !text.starts_with("/media/") && matches!(found, Some(Reference::Remote(_))) {
            let link = ContentLink::to_path(text, if *span == DEFAULT { 0 } else { span.start });
            self.links.borrow_mut().push(link);
        }
        found
    }

    /// Takes the public paths that front matter has referred to so far. They are checked when the
    /// whole site has been read.
    pub fn take_links(&self) -> Vec<ContentLink> {
        self.links.take()
    }

    /// Resolves a link in a body, like [`reference`](Self::reference). A damaged file is a warning.
    pub fn linked(&self, text: &str, span: &Range<usize>) -> Option<Reference> {
        self.publish(text, span, ReferenceUse::Linked)
    }

    /// Resolves a file that is embedded in a body, like [`linked`](Self::linked).
    pub fn shown(&self, text: &str, span: &Range<usize>) -> Option<Reference> {
        self.publish(text, span, ReferenceUse::Shown)
    }

    /// Marks the soundbites that can be cut out of an item's recording.
    pub fn mark_clips(&self, recording: &SitePath, soundbites: &mut [Soundbite]) {
        for soundbite in soundbites.iter_mut().filter(|_| self.config.audio.clips) {
            soundbite.is_cut = self.disk.can_cut(recording, soundbite);
            self.add_dependency(&[soundbite.is_cut.into()]);
        }
    }

    /// Reports the problems with a media file, once for each file that refers to it.
    fn report_media(&self, local: &Local, span: &Range<usize>, is_named: bool) {
        let (source, facts) = (&local.file.source, &local.facts);
        if facts.damage.is_none() && facts.problems.is_empty()
            || !self.examined.borrow_mut().insert(source.clone())
        {
            return;
        }
        if let Some(damage) = &facts.damage {
            let (message, help) = (format!("{source} is {damage}"), "replace the file");
            // A damaged recording may be a placeholder, to be replaced before its episode is
            // public.
            match is_named && facts.media_type.starts_with("image/") {
                true => self.error(span, message, help),
                false => self.warning(Rule::Media, span, message, help),
            }
        }
        for problem in &facts.problems {
            let help = match problem.starts_with("sizes: ") {
                true => "save it again with another program; until then it is published unchanged",
                false => "add the missing value next to the file's name; until then it is left out",
            };
            let message = format!("{source}: {problem}");
            self.warning(Rule::Media, span, message, help);
        }
    }

    fn publish(&self, text: &str, span: &Range<usize>, used: ReferenceUse) -> Option<Reference> {
        if let Some(problem) = self.relative_path_problem(text) {
            self.refuse(text, span, problem);
            return None;
        }
        match reference::resolve(&self.disk, self.source.path, text, self.config) {
            Ok(Reference::Local(mut local)) => {
                if used == ReferenceUse::Named && is_playlist(&local.file.source) {
                    self.playlist(&mut local);
                }
                self.report_media(&local, span, used == ReferenceUse::Named);
                if let Some(own) = self.disk.real_spelling(&local.file.source) {
                    let message = format!(
                        "{} does not match the name of the file exactly",
                        local.file.source
                    );
                    self.warning(Rule::NameCase, span, message, reference::spelling_help(&own));
                }
                let Local { file, url, facts } = &local;
                // The hash for integrity is computed later, and only if a tag states it.
                let facts = MediaFacts { integrity: None, ..(**facts).clone() };
                let read = json!([file.source, file.path, url, &facts]);
                self.add_dependency(read.to_string().as_bytes());
                if facts.media_type.starts_with("audio/") {
                    // The size of a published recording depends on the tags that the file has.
                    let version = self.disk.version(&file.source).unwrap_or_default();
                    self.add_dependency(&version.to_le_bytes());
                }
                self.media.borrow_mut().push(MediaFile {
                    is_only_shown: used == ReferenceUse::Shown && file.still.is_some(),
                    is_value: used == ReferenceUse::Named && !self.is_lenient.get(),
                    ..file.clone()
                });
                Some(Reference::Local(local))
            }
            Ok(Reference::Stored { url, facts }) => {
                self.add_dependency(json!([url, &*facts]).to_string().as_bytes());
                Some(Reference::Stored { url, facts })
            }
            Ok(remote) => Some(remote),
            Err(problem) => {
                self.refuse(text, span, problem);
                None
            }
        }
    }

    /// Returns the reason why a relative path is refused.
    fn relative_path_problem(&self, text: &str) -> Option<Problem> {
        let is_relative = !text.starts_with('/') && !is_absolute(text);
        (self.refuses_relative_paths && is_relative).then(|| Problem {
            message: format!("a default cannot be the relative path {text:?}"),
            help: "write a path that starts with /media/, or a full URL".into(),
            found: None,
            is_harmful: false,
        })
    }

    /// Publishes the files that a playlist names, and adds the playlist's facts.
    fn playlist(&self, local: &mut Local) {
        let mut read = playlists::read(&self.disk, &local.file.source);
        local.facts = Arc::new(read.facts(&local.facts));
        self.add_dependency(&read.texts.to_le_bytes());
        self.media.borrow_mut().append(&mut read.files.into_iter().collect());
        if self.examined.borrow_mut().insert(local.file.source.clone()) {
            read.found.drain(..).for_each(|found| self.report(found));
        }
    }

    /// Returns the hash for `podcast:integrity` of a recording of the site, if it is known.
    pub fn integrity(&self, reference: &Reference) -> Option<String> {
        let integrity = match reference {
            Reference::Remote(_) => None,
            Reference::Local(Local { file, .. }) => {
                self.disk.media_with_integrity(&file.source).ok()?.integrity.clone()
            }
            Reference::Stored { facts, .. } => facts.integrity.clone(),
        }?;
        self.add_dependency(integrity.as_bytes());
        Some(integrity)
    }

    /// Reports why a reference is broken.
    pub fn refuse(&self, text: &str, span: &Range<usize>, problem: Problem) {
        let found = problem.found.as_ref();
        let fix = found.and_then(|found| find_respelled(text, found, span.start));
        let is_lenient = self.is_lenient.get();
        self.is_lenient.set(is_lenient && !problem.is_harmful);
        self.report_with(None, span, || (problem.message, problem.help, fix));
        self.is_lenient.set(is_lenient);
    }

    /// Adds artwork roles to a picture, if the picture is a file of the site.
    pub fn artwork_roles(&self, image: Option<&Image>, what: ArtworkRoles) {
        let is_it = |file: &&mut MediaFile| {
            image.is_some_and(|image| self.config.media_url(&file.path) == image.url)
        };
        for file in self.media.borrow_mut().iter_mut().filter(is_it) {
            file.artwork_roles = file.artwork_roles.or(what);
        }
    }

    /// Returns an address unchanged. Reports an error and returns `None` if the address's scheme
    /// could harm a reader.
    pub fn check_harmless(&self, address: String, span: &Range<usize>) -> Option<String> {
        match reference::harmful_scheme(&address) {
            None => Some(address),
            Some(problem) => {
                self.error(span, problem.message, problem.help);
                None
            }
        }
    }

    /// Returns the file of the site that a relative path in this file refers to.
    pub fn locate(&self, path: &str) -> Result<SitePath, Problem> {
        if let Some(problem) = self.relative_path_problem(path) {
            return Err(problem);
        }
        reference::locate(&self.disk, self.source.path, path)
    }

    /// Returns the address of the file that a relative path refers to, if the file is missing from
    /// the site's folder but listed in `content/media.json`.
    pub fn stored(&self, path: &str) -> Option<String> {
        let found = reference::stored_elsewhere(&self.disk, self.source.path, path, self.config);
        found.map(|found| found.url().to_owned())
    }

    /// Returns whether a file is published at this path below `/media/`.
    pub fn is_published(&self, path: &str) -> bool {
        reference::published_at(&self.disk, path).is_some()
    }

    /// Returns whether an HTML file is in the folder of an item's or page's `index` file. Such a
    /// file is published like other media, and is not content.
    pub fn is_next_to_index(&self, file: &SitePath) -> bool {
        self.disk.is_next_to_index(file)
    }

    /// Returns the text of the file of the site that a relative path refers to. Adds the file to
    /// the dependencies of this file. A file that is missing, outside the site or not UTF-8 is an
    /// error.
    pub fn read_relative_text(
        &self,
        path: &str,
        span: &Range<usize>,
    ) -> Option<(SitePath, String)> {
        let read = || {
            let source = self.locate(path)?;
            reference::check_publishable(&self.disk, &source)?;
            let bytes = self.disk.read(&source).map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => Problem {
                    message: format!("{source} is larger than 16 MiB"),
                    help: TOO_LARGE_HELP.into(),
                    found: None,
                    is_harmful: false,
                },
                _ => Problem {
                    message: format!("{source} cannot be read: {error}"),
                    help: "check that it is a readable file".into(),
                    found: None,
                    is_harmful: false,
                },
            })?;
            Ok((source, bytes))
        };
        match read() {
            Ok((source, bytes)) => {
                let text = match String::from_utf8(bytes) {
                    Ok(text) => text,
                    Err(error) => {
                        let valid = error.utf8_error().valid_up_to();
                        self.report(not_utf8(&source, error.as_bytes(), valid));
                        return None;
                    }
                };
                let file = reference::publish(source.clone());
                self.add_dependency(text.as_bytes());
                self.media.borrow_mut().push(file);
                Some((source, text))
            }
            Err(problem) => {
                self.refuse(path, span, problem);
                None
            }
        }
    }
}

/// Returns a fix that corrects the spelling of a reference to the spelling of the file's path.
/// Returns `None` if the names differ in more than case and Unicode form.
fn find_respelled(text: &str, found: &SitePath, at: usize) -> Option<Fix> {
    let mut own = found.as_str().rsplit('/');
    let mut parts = Vec::new();
    for part in text.rsplit('/') {
        let is_name = !matches!(part, "" | "." | "..");
        let own = own.next().filter(|own| is_name && folded(part) == folded(own));
        parts.push(own.unwrap_or(part));
    }
    parts.reverse();
    let to = parts.join("/");
    (to != text).then(|| Fix::Respell { at, from: text.to_owned(), to })
}

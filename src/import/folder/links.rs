//! Resolves references in content files: to other content files, to files that are copied, or to
//! other sites.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use fetch::Url;
use percent_encoding::percent_decode_str;

use super::source::{Source, Text};
use super::tree::{Tree, ending, joined, split};
use crate::found::{FINAL_PREFIX, Note, TEXT_PREFIX, note, to_text};
use crate::naming::key;
use model::url::{encode_path, split_suffix};
use source::html::Role;

/// The imported site, with lookup tables for references.
pub struct Links<'s> {
    source: &'s Source,
    tree: &'s Tree,
    by_path: HashMap<&'s str, usize>,
    by_address: HashMap<String, usize>,
    /// Files to copy to `content/media/`, by path in that folder.
    pub shared: BTreeMap<String, PathBuf>,
    pub notes: Vec<Note>,
}

/// The references of one content file.
pub struct TextReferences<'l, 's> {
    pub links: &'l mut Links<'s>,
    pub text: &'s Text,
    /// Files to copy next to the content file, by path in that folder.
    pub files: BTreeMap<String, PathBuf>,
}

impl<'s> Links<'s> {
    pub fn of(source: &'s Source, tree: &'s Tree) -> Self {
        let texts = || source.texts.iter().enumerate();
        let addresses = texts().filter_map(|(at, text)| Some((key(text.address.as_deref()?), at)));
        Self {
            source,
            tree,
            by_path: texts().map(|(at, text)| (text.path.as_str(), at)).collect(),
            by_address: addresses.collect(),
            shared: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    pub fn authors(&self) -> &'s super::data::Data {
        &self.source.authors
    }

    /// Returns the path of a reference to the imported site, without the path of the site's base
    /// address. Returns `None` for other references.
    fn public<'r>(&self, reference: &'r str) -> Option<&'r str> {
        let base = self.source.base_url.as_ref();
        if let Some(path) = reference.strip_prefix('/').filter(|rest| !rest.starts_with('/')) {
            let path = &reference[reference.len() - path.len() - 1..];
            let below = path.strip_prefix(self.source.base_path());
            return Some(below.filter(|below| below.starts_with('/')).unwrap_or(path));
        }
        let whole = Url::parse(reference).ok()?;
        let is_own = whole.host_str() == base?.host_str()
            && whole.path().starts_with(self.source.base_path());
        let (_, rest) = reference.split_once("://").filter(|_| is_own)?;
        let path = rest.find('/').map_or("/", |at| &rest[at..]);
        Some(path.strip_prefix(self.source.base_path()).unwrap_or(path))
    }

    /// Returns the file that is public at a path of the imported site, together with the normalized
    /// path.
    fn at_root(&self, path: &str) -> Option<(String, PathBuf)> {
        let path = joined("", path).filter(|path| !path.is_empty())?;
        let mut roots = self.source.roots.iter();
        let file = roots.find_map(|root| self.tree.files.get(&format!("{root}{path}")));
        if let Some(file) = file {
            return Some((path, file.clone()));
        }
        // Files next to a content file are public below the page of the content file.
        let (folder, name) = split(&path);
        let owner = self.source.texts.get(*self.by_address.get(&key(folder))?)?;
        let file = format!("{}{name}", owner.folder.as_deref()?);
        let file = self.tree.files.get(&file)?.clone();
        Some((path, file))
    }
}

impl TextReferences<'_, '_> {
    /// Returns the reference that has the same target in the new site, or `None` if the reference
    /// stays unchanged.
    pub fn reference(&mut self, role: Role, reference: &str) -> Option<String> {
        if reference.starts_with(['#', '?'])
            || reference.is_empty()
            || reference.starts_with(TEXT_PREFIX)
        {
            return None;
        }
        let (path, suffix) = split_suffix(reference);
        let found = self.found(role, path)?;
        Some(format!("{found}{suffix}"))
    }

    fn found(&mut self, role: Role, path: &str) -> Option<String> {
        let decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
        if let Some(file) = decoded.strip_prefix("@/") {
            return self.text_at(&format!("content/{file}"));
        }
        let public = self.links.public(&decoded).map(str::to_owned);
        if let Some(public) = public {
            let text = self.links.by_address.get(&key(&public)).copied();
            let is_text = role == Role::Link && !public.trim_matches('/').is_empty();
            if let Some(text) = text.filter(|_| is_text) {
                return Some(to_text(&self.links.source.texts[text].path));
            }
            let file = self.at_root(&public);
            let file = file.map(|reference| self.marked_reference(reference));
            if file.is_none() && role != Role::Link {
                self.missing(&decoded);
            }
            // Any other path of the imported site becomes the same path of this site.
            return file.or_else(|| (decoded != public).then_some(public));
        }
        if decoded.contains("://") || decoded.starts_with("//") || has_scheme(&decoded) {
            return None;
        }
        if let Some(found) = self.relative_reference(&decoded) {
            return Some(found);
        }
        let address = self.text.address.clone()?;
        let folder = if address.ends_with('/') { &*address } else { split(&address).0 };
        let public = format!("/{}", joined(folder, &decoded)?);
        let text = self.links.by_address.get(&key(&public)).copied();
        if let Some(text) = text.filter(|_| role == Role::Link) {
            return Some(to_text(&self.links.source.texts[text].path));
        }
        if let Some(file) = self.at_root(&public) {
            return Some(self.marked_reference(file));
        }
        self.missing(&decoded);
        let end = if decoded.ends_with('/') { "/" } else { "" };
        Some(format!("{}{end}", encode_path(&public)))
    }

    /// Returns a reference to the file at a path of the imported site. If the content file is
    /// unpublished, the file is copied next to it, because shared files are public.
    fn at_root(&mut self, path: &str) -> Option<String> {
        let (path, real) = self.links.at_root(path)?;
        if self.text.hidden.is_some() {
            let name = self.free(split(&path).1, &real);
            self.files.insert(name.clone(), real);
            return Some(encode_path(&name));
        }
        let reference = format!("/media/{}", encode_path(&path));
        self.links.shared.entry(path).or_insert(real);
        Some(reference)
    }

    fn missing(&mut self, name: &str) {
        let place = self.text.path.clone();
        let message = format!(
            "`{name}` is missing from the folder; references to it point to its former address"
        );
        note(&mut self.links.notes, message, place);
    }

    fn text_at(&self, path: &str) -> Option<String> {
        self.links.by_path.contains_key(path).then(|| to_text(path))
    }

    /// Returns a reference to a file or content file, given its path relative to the current
    /// content file.
    fn relative_reference(&mut self, path: &str) -> Option<String> {
        let folder = split(&self.text.path).0;
        let file = joined(folder, path)?;
        if let Some(at) = self.links.by_path.get(&*file) {
            let source = self.links.source;
            let found = &source.texts[*at];
            // Hugo looks for the target in the language of the referring file.
            let found = match source.links_in_language {
                true => source.in_language(found, &self.text.language),
                false => found,
            };
            return Some(to_text(&found.path));
        }
        let real = self.links.tree.files.get(&file)?.clone();
        let own = self.text.folder.as_deref().and_then(|folder| file.strip_prefix(folder));
        let name = own.map_or_else(|| self.free(split(&file).1, &real), str::to_owned);
        self.files.insert(name.clone(), real);
        Some(self.marked_reference(encode_path(&name)))
    }

    /// Returns a file name that is not used by another file next to the content file.
    fn free(&self, name: &str, real: &PathBuf) -> String {
        let (stem, ending) = ending(name);
        let numbered = (2..).map(|number| format!("{stem}-{number}.{ending}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let is_free = |name: &String| self.files.get(name).is_none_or(|held| held == real);
        names.find(is_free).unwrap_or_else(|| name.to_owned())
    }

    /// Marks a local reference in HTML as correct. Otherwise it would be resolved against a base
    /// address before the HTML is written.
    fn marked_reference(&self, reference: String) -> String {
        if self.text.is_html { format!("{FINAL_PREFIX}{reference}") } else { reference }
    }

    /// Returns a reference to a file that front matter refers to. Its path is relative to the
    /// content file, or to the root of the site.
    pub fn file(&mut self, reference: &str) -> Option<String> {
        let (path, _) = split_suffix(reference);
        let decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
        let found = match self.links.public(&decoded).map(str::to_owned) {
            Some(public) => self.at_root(&public),
            None if has_scheme(&decoded) => return None,
            None => self.relative_reference(&decoded).or_else(|| self.at_root(&decoded)),
        };
        let found = found.map(|found| found.trim_start_matches(FINAL_PREFIX).to_owned());
        if found.is_none() && !has_scheme(&decoded) {
            self.missing(&decoded);
            let base = self.links.source.base_url.as_ref()?;
            let folder = if decoded.starts_with('/') {
                ""
            } else {
                self.text.address.as_deref().unwrap_or_default()
            };
            let path = format!(
                "{}/{}",
                base.as_str().trim_end_matches('/'),
                encode_path(&joined(folder, &decoded)?)
            );
            return Some(path);
        }
        found
    }
}

fn has_scheme(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+')
    })
}

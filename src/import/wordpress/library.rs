//! The uploaded files and reusable blocks of an export. Posts refer to them by id.

use std::collections::HashMap;

use feeds::{Feed, Text, WordPress};

use super::super::texts::{escaped, plain};
use source::html;

/// The uploaded files and reusable blocks of a site.
#[derive(Debug, Default)]
pub struct Library {
    files: HashMap<String, File>,
    /// Ids of the files that were uploaded to each entry, in the order that WordPress stores.
    by_parent: HashMap<String, Vec<String>>,
    blocks: HashMap<String, String>,
    /// Addresses of the public entries, by id.
    links: HashMap<String, String>,
}

/// An uploaded file.
#[derive(Debug, Default)]
pub struct File {
    pub url: String,
    pub alt: String,
    pub title: String,
    /// The caption, as HTML.
    pub caption: String,
    order: i64,
}

impl Library {
    pub fn of(feed: &Feed) -> Self {
        let mut library = Self::default();
        for item in &feed.items {
            let Some(entry) = &item.wordpress else {
                continue;
            };
            if let (Some(link), "publish") = (&item.link, entry.status.as_str()) {
                library.links.insert(entry.id.clone(), link.clone());
            }
            let text = |text: &Option<Text>| text.clone().map(Text::into_plain).unwrap_or_default();
            match (entry.kind.as_str(), &entry.file) {
                ("attachment", Some(url)) if entry.status != "trash" => {
                    let file = File {
                        url: url.clone(),
                        alt: meta(entry, "_wp_attachment_image_alt").unwrap_or_default().to_owned(),
                        title: item.title.clone().map(plain).unwrap_or_default(),
                        caption: entry.excerpt.clone(),
                        order: entry.order,
                    };
                    let parent = library.by_parent.entry(entry.parent.clone());
                    parent.or_default().push(entry.id.clone());
                    library.files.insert(entry.id.clone(), file);
                }
                ("wp_block", _) if entry.status == "publish" && !entry.has_password => {
                    library.blocks.insert(entry.id.clone(), text(&item.content));
                }
                _ => {}
            }
        }
        let Self { files, by_parent, .. } = &mut library;
        for ids in by_parent.values_mut() {
            ids.sort_by_key(|id| files.get(id).map(|file| file.order));
        }
        library
    }

    pub fn file(&self, id: &str) -> Option<&File> {
        self.files.get(id.trim())
    }

    /// Returns the content of a reusable block.
    pub fn block(&self, id: &str) -> Option<&str> {
        self.blocks.get(id).map(String::as_str)
    }

    /// Returns the files that were uploaded to an entry.
    pub fn files_of(&self, entry: &str) -> Vec<&File> {
        let ids = self.by_parent.get(entry).into_iter().flatten();
        ids.filter_map(|id| self.file(id)).collect()
    }

    /// Replaces links that contain an entry's id, such as `/?p=37`, with the entry's address.
    pub fn with_links(&self, text: &str) -> String {
        if !text.contains("?p=") && !text.contains("?page_id=") {
            return text.to_owned();
        }
        html::rewrite(text, |_, reference, _| {
            let (site, query) = reference.split_once('?')?;
            let (key, id) = query.split_once('=')?;
            let link = self.links.get(id).filter(|_| matches!(key, "p" | "page_id"))?;
            let is_here = site.is_empty() || site == "/" || link.starts_with(site);
            is_here.then(|| link.clone())
        })
    }

    /// Adds alternative texts from the library to pictures that lack an alternative text.
    pub fn with_alternatives(&self, text: &str) -> String {
        if !text.contains("wp-image-") {
            return text.to_owned();
        }
        let replaced = html::replace_images(text, |image| {
            let (_, id) = image.written.split_once("wp-image-")?;
            let end = id.find(|c: char| !c.is_ascii_digit()).unwrap_or(id.len());
            let alt = &self.file(&id[..end])?.alt;
            let (start, rest) = image.written.split_at("<img".len());
            let rest = rest.replace(" alt=\"\"", "").replace(" alt=''", "");
            let has_own = alt.is_empty() || rest.contains(" alt=");
            (!has_own).then(|| format!("{start} alt=\"{}\"{rest}", attribute(alt)))
        });
        replaced.unwrap_or_else(|| text.to_owned())
    }
}

impl File {
    /// Returns the picture as HTML, with its caption.
    pub fn figure(&self) -> String {
        let caption = match self.caption.trim() {
            "" => String::new(),
            caption => format!("<figcaption>{caption}</figcaption>"),
        };
        format!(
            "<figure><img src=\"{}\" alt=\"{}\">{caption}</figure>",
            attribute(&self.url),
            attribute(&self.alt)
        )
    }

    /// Returns whether the file is a picture.
    pub fn is_picture(&self) -> bool {
        const ENDINGS: [&str; 7] = ["jpg", "jpeg", "png", "gif", "webp", "avif", "svg"];
        let ending = self.url.rsplit_once('.').map_or("", |(_, ending)| ending);
        ENDINGS.iter().any(|own| own.eq_ignore_ascii_case(ending))
    }

    /// Returns an audio or video player for the file as HTML, with the file's title as the caption.
    pub fn player(&self, element: &str) -> String {
        let title = escaped(&self.title);
        format!(
            "<figure><{element} controls src=\"{}\"></{element}><figcaption>{title}</figcaption></figure>",
            attribute(&self.url)
        )
    }
}

/// Escapes a value for an attribute in double quotes.
pub fn attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}

/// Returns the value of a custom field of an entry, unless it is empty.
pub fn meta<'e>(entry: &'e WordPress, name: &str) -> Option<&'e str> {
    let found = entry.meta.iter().find(|(key, _)| key == name);
    found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
}

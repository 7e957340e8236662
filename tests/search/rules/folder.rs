//! A built site whose search index is read in Rust, as a browser would read it.

use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use scraper::{Html, Node, Selector};
use search::static_index::{Listing, Published, TranscriptFormat, TranscriptListing};
use serde_json::Value;
use transcripts::Format;

/// The folder of a built site, and the path of its base.
pub struct Folder {
    pub root: PathBuf,
    pub base: &'static str,
}

impl Folder {
    fn file(&self, path: &str) -> Option<Vec<u8>> {
        let path = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
        fs::read(self.root.join(Path::new(path.trim_start_matches('/')))).ok()
    }
}

impl Published for Folder {
    fn index_file(&self, name: &str) -> Option<Vec<u8>> {
        self.file(&format!("search/index/{name}"))
    }

    fn text(&self, listing: &Listing) -> Option<String> {
        match &listing.text {
            Some(path) => Some(item_text(&serde_json::from_slice(&self.file(path)?).ok()?)),
            None => {
                let page = self.file(&format!("{}index.html", listing.path))?;
                Some(page_text(&String::from_utf8(page).ok()?))
            }
        }
    }

    fn said(&self, transcript: &TranscriptListing, bytes: Range<usize>) -> Option<String> {
        let file = self.file(transcript.address.strip_prefix(self.base)?)?;
        let bytes = file.get(bytes.start..bytes.end.min(file.len()))?;
        let format = match transcript.format {
            TranscriptFormat::Vtt => Format::Vtt,
            TranscriptFormat::Srt => Format::Srt,
            TranscriptFormat::Json => Format::Json,
            TranscriptFormat::Html => Format::Html,
            TranscriptFormat::Text => Format::Plain,
        };
        let cues: Vec<String> =
            transcripts::read(bytes, format).map(|cue| cue.text.into_owned()).collect();
        Some(cues.join(" "))
    }
}

/// The text of an item's JSON Feed, and what else counts as its content.
fn item_text(feed: &Value) -> String {
    let item = &feed["items"][0];
    let list = |name: &str| item[name].as_array().cloned().unwrap_or_default();
    let tags = list("tags").into_iter();
    let authors = list("authors").into_iter();
    let authors = authors.map(|author| author["name"].clone());
    let podcast = &item["_service"]["podcast"];
    let names = [&podcast["season"]["name"], &podcast["episode"]["display"]];
    let texts = [item["content_text"].clone()].into_iter();
    let texts = texts.chain(tags).chain(authors);
    let texts = texts.chain(names.into_iter().cloned());
    let texts: Vec<String> = texts.filter_map(|text| Some(text.as_str()?.to_owned())).collect();
    // No phrase goes from one to the next, over a word that no query has.
    texts.join("\nboundary\n")
}

/// The text of a page's `main`, without what is no part of its content.
fn page_text(html: &str) -> String {
    let page = Html::parse_document(html);
    let select = |selector: &str| Selector::parse(selector).unwrap();
    let aside = select("script, style, nav, form, dialog");
    let aside: HashSet<_> = page.select(&aside).map(|element| element.id()).collect();
    let mut text = String::new();
    for main in page.select(&select("main")) {
        for node in main.descendants() {
            if let Node::Text(own) = node.value()
                && !node.ancestors().any(|above| aside.contains(&above.id()))
            {
                text.push_str(own);
            }
        }
    }
    text
}

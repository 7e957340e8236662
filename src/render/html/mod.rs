//! HTML documents: the generator's head and frame around a theme's slots.

pub mod context;
mod head;
mod head_tags;
mod json_ld;
mod local;
mod upcoming;

use std::sync::OnceLock;

use serde_json::Value;

use self::head::Head;
use super::inputs::{FrameInputs, ItemPage, ListPage, PageInputs, Shared};
use crate::model::{Config, Diagnostic};
use crate::site::paths;
use crate::theme::Slot;
use mustache::{Context, escape_into};

/// The frames of each slot's pages, made when first needed. They belong to one snapshot and theme.
#[derive(Debug, Default)]
pub struct Frames([OnceLock<Frame>; Slot::ALL.len()]);

/// What the pages of a slot share.
#[derive(Debug)]
struct Frame {
    global: Value,
    dialog: String,
    /// Whether a template asks for plain texts.
    texts: bool,
}

impl Frame {
    fn new(shared: &Shared<'_>, inputs: &FrameInputs<'_>) -> Self {
        let texts = shared.theme.mentions("content_text");
        let dialog = shared.has_search.then(|| search_dialog(shared.config));
        Self {
            global: context::global(shared, inputs, texts),
            dialog: dialog.unwrap_or_default(),
            texts,
        }
    }
}

/// Writes HTML documents, each from what it is made of.
#[derive(Clone, Copy)]
pub struct Html<'a> {
    pub shared: Shared<'a>,
    pub frames: &'a Frames,
}

impl<'a> Html<'a> {
    /// A page of the home page or of a tag.
    pub fn list(&self, page: &ListPage<'_>) -> Result<String, Diagnostic> {
        let pages = self.pages_of(Slot::WebFeed, &page.frame);
        let Frame { global, texts, .. } = pages.frame;
        let context = context::list(&self.shared, global, page, *texts);
        pages.document(&Head::list(&self.shared, page), &context)
    }

    pub fn item(&self, page: &ItemPage<'_>) -> Result<String, Diagnostic> {
        let pages = self.pages_of(Slot::WebItem, &page.frame);
        let context = context::item_page(&self.shared, page, pages.frame.texts);
        pages.document(&Head::item(&self.shared, page.item.entry), &context)
    }

    pub fn page(&self, page: &PageInputs<'_>) -> Result<String, Diagnostic> {
        let pages = self.pages_of(Slot::WebPage, &page.frame);
        let context = context::page(&self.shared, page.entry);
        pages.document(&Head::page(&self.shared, page.entry), &context)
    }

    pub fn search(&self, frame: &FrameInputs<'_>) -> Result<String, Diagnostic> {
        let pages = self.pages_of(Slot::WebSearch, frame);
        let head = Head::other(&self.shared, "Search".into(), paths::SEARCH, true);
        pages.document(&head, &context::search())
    }

    /// The theme's stylesheet of the RSS feed: the whole document.
    pub fn rss_stylesheet(&self, frame: &FrameInputs<'_>) -> Result<String, Diagnostic> {
        let pages = self.pages_of(Slot::RssStylesheet, frame);
        let mut out = String::new();
        pages.slot(Slot::RssStylesheet, &Value::Null, &mut out)?;
        Ok(out)
    }

    fn pages_of(&self, slot: Slot, inputs: &FrameInputs<'_>) -> SlotPages<'a> {
        let make = || Frame::new(&self.shared, inputs);
        SlotPages {
            shared: self.shared,
            slot,
            frame: self.frames.0[slot as usize].get_or_init(make),
        }
    }
}

/// Writes the pages of one slot.
struct SlotPages<'a> {
    shared: Shared<'a>,
    slot: Slot,
    frame: &'a Frame,
}

impl SlotPages<'_> {
    fn document(&self, head: &Head<'_>, context: &Value) -> Result<String, Diagnostic> {
        let mut document = String::with_capacity(16 * 1024);
        let out = &mut document;
        let language = head.language(&self.shared);
        out.push_str("<!doctype html>\n<html lang=\"");
        escape_into(language, out);
        out.push_str(if is_right_to_left(language) {
            "\" dir=\"rtl\">\n<head>\n"
        } else {
            "\">\n<head>\n"
        });
        head.write(&self.shared, out);
        self.slot(Slot::WebHeader, context, out)?;
        out.push_str("</head>\n<body>\n");
        self.slot(Slot::WebBodyStart, context, out)?;
        // A format 1 theme has no slot for the 404 Page: its text alone stands between start and end.
        if self.shared.theme.slots.contains_key(&self.slot) {
            self.slot(self.slot, context, out)?;
        } else {
            plain_page(context, out);
        }
        self.slot(Slot::WebBodyEnd, context, out)?;
        out.push_str(&self.frame.dialog);
        out.push_str("</body>\n</html>\n");
        Ok(document)
    }

    /// Renders a slot on one of the pages.
    fn slot(&self, slot: Slot, page: &Value, out: &mut String) -> Result<(), Diagnostic> {
        let theme = self.shared.theme;
        let Some(template) = theme.slots.get(&slot) else {
            return Ok(());
        };
        let item = Context::Named("item", &page["items"][0]);
        let contexts = [Context::from(&self.frame.global), Context::from(page), item];
        // Only an item's page has `item`; elsewhere templates find the feed's null.
        let contexts = &contexts[..if self.slot == Slot::WebItem { 3 } else { 2 }];
        template
            .render_in(contexts, &theme.partials, out)
            .map_err(|error| {
                let partial = error
                    .template()
                    .and_then(|name| Some((theme.partial_files.get(name)?, name)));
                let (file, template) = match partial {
                    Some((file, name)) => (Some(file), theme.partials.get(name)),
                    None => (theme.manifest.files.get(&slot), Some(template)),
                };
                let file = file.map_or("theme.json", String::as_str);
                let line = template
                    .and_then(|template| template.source().lines().nth(error.line() - 1))
                    .unwrap_or_default();
                Diagnostic::error(error.message())
                    .file(format!("themes/{}/{file}", self.shared.config.theme))
                    .position(error.line(), error.column(), line)
                    .help("partials may stand 64 deep inside one another")
            })
    }
}

fn plain_page(context: &Value, out: &mut String) {
    out.push_str("<main><h1>");
    escape_into(context["page"]["title"].as_str().unwrap_or_default(), out);
    out.push_str("</h1>");
    out.push_str(context["page"]["content_html"].as_str().unwrap_or_default());
    out.push_str("</main>\n");
}

/// Languages whose script runs from right to left.
fn is_right_to_left(language: &str) -> bool {
    let mut parts = language.split(['-', '_']);
    let primary = parts.next().unwrap_or_default().to_ascii_lowercase();
    let script = parts.find(|part| part.len() == 4);
    match script.map(str::to_ascii_lowercase).as_deref() {
        Some("arab" | "hebr" | "thaa" | "syrc" | "nkoo" | "adlm" | "rohg") => true,
        Some(_) => false,
        None => matches!(
            primary.as_str(),
            "ar" | "he" | "fa" | "ur" | "ps" | "sd" | "ug" | "yi" | "dv" | "ckb" | "arc" | "nqo"
        ),
    }
}

fn search_dialog(config: &Config) -> String {
    let script = config.path(paths::SEARCH_SCRIPT);
    let action = config.path(paths::SEARCH);
    format!(
        "<dialog id=\"feedwright-search\" class=\"site-search\" aria-label=\"Search\">\n\
         <form role=\"search\" action=\"{action}\" method=\"get\">\n\
         <label for=\"feedwright-search-input\">Search this site</label>\n\
         <input id=\"feedwright-search-input\" name=\"q\" type=\"search\" autocomplete=\"off\" maxlength=\"200\" data-search-input>\n\
         <button type=\"submit\">Search</button>\n\
         <button type=\"button\" data-search-close>Close</button>\n\
         </form>\n\
         <p role=\"status\" data-search-status></p>\n\
         <ol data-search-results></ol>\n\
         </dialog>\n\
         <script src=\"{script}\" defer></script>\n"
    )
}

//! HTML documents: the generator's head and frame around a theme's slots.

pub mod context;
mod head;
mod head_tags;
pub mod json_ld;
mod local;
mod upcoming;

use serde_json::Value;

pub use context::ListPage;
pub use head::Head;
pub use upcoming::Upcoming;

use super::search::has_search;
use crate::model::Diagnostic;
use crate::site::{ItemEntry, PageEntry, Snapshot, paths};
use crate::theme::{Slot, Theme};
use mustache::{Data, escape_into};

/// What every page of a snapshot shares.
#[derive(Debug)]
pub struct Frame {
    global: Value,
    dialog: String,
    /// Whether a template asks for plain texts.
    texts: bool,
}

impl Frame {
    pub fn new(snapshot: &Snapshot, theme: &Theme, upcoming: &Upcoming) -> Self {
        let has_search = has_search(snapshot, theme);
        let dialog = if has_search {
            search_dialog(snapshot)
        } else {
            String::new()
        };
        let texts = theme.mentions("content_text");
        Self {
            global: context::global(snapshot, theme, &upcoming.events, has_search, texts),
            dialog,
            texts,
        }
    }
}

/// Renders HTML documents of one snapshot with one theme.
#[derive(Clone, Copy)]
pub struct Html<'a> {
    pub snapshot: &'a Snapshot,
    pub theme: &'a Theme,
    pub frame: &'a Frame,
    pub upcoming: &'a Upcoming,
}

impl Html<'_> {
    /// A page of the home page or of a tag.
    pub fn list(
        &self,
        head: &Head<'_>,
        page: &ListPage<'_>,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        self.document(
            Slot::WebFeed,
            head,
            &context::list(self.snapshot, &self.frame.global, page, self.frame.texts),
            out,
        )
    }

    pub fn item(&self, entry: &ItemEntry, out: &mut String) -> Result<(), Diagnostic> {
        self.document(
            Slot::WebItem,
            &Head::item(self.snapshot, entry),
            &context::item_page(self.snapshot, entry, self.frame.texts),
            out,
        )
    }

    pub fn page(&self, entry: &PageEntry, out: &mut String) -> Result<(), Diagnostic> {
        self.document(
            Slot::WebPage,
            &Head::page(self.snapshot, entry),
            &context::page(self.snapshot, entry),
            out,
        )
    }

    pub fn search(&self, out: &mut String) -> Result<(), Diagnostic> {
        let head = Head::other(self.snapshot, "Search".into(), paths::SEARCH, true);
        self.document(Slot::WebSearch, &head, &context::search(), out)
    }

    /// The theme's stylesheet of the RSS feed: the whole document.
    pub fn rss_stylesheet(&self, out: &mut String) -> Result<(), Diagnostic> {
        self.slot(Slot::RssStylesheet, Slot::RssStylesheet, &Value::Null, out)
    }

    fn document(
        &self,
        slot: Slot,
        head: &Head<'_>,
        context: &Value,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let language = head.language(self.snapshot);
        out.push_str("<!doctype html>\n<html lang=\"");
        escape_into(language, out);
        out.push_str(if is_right_to_left(language) {
            "\" dir=\"rtl\">\n<head>\n"
        } else {
            "\">\n<head>\n"
        });
        head.write(self.snapshot, self.upcoming, out);
        self.slot(Slot::WebHeader, slot, context, out)?;
        out.push_str("</head>\n<body>\n");
        self.slot(Slot::WebBodyStart, slot, context, out)?;
        // A format 1 theme has no slot for the 404 Page: its text alone stands between start and end.
        if self.theme.slots.contains_key(&slot) {
            self.slot(slot, slot, context, out)?;
        } else {
            plain_page(context, out);
        }
        self.slot(Slot::WebBodyEnd, slot, context, out)?;
        out.push_str(&self.frame.dialog);
        out.push_str("</body>\n</html>\n");
        Ok(())
    }

    /// Renders a slot on a page whose own slot is `subject`.
    fn slot(
        &self,
        slot: Slot,
        subject: Slot,
        page: &Value,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let Some(template) = self.theme.slots.get(&slot) else {
            return Ok(());
        };
        let item = Data::from([("item", Data::from(&page["items"][0]))]);
        let contexts = [Data::from(&self.frame.global), Data::from(page), item];
        // Only an item's page has `item`; elsewhere templates find the feed's null.
        let contexts = &contexts[..if subject == Slot::WebItem { 3 } else { 2 }];
        template
            .render_for_readers(contexts, &self.theme.partials, &|_, _| None, out)
            .map_err(|error| {
                let partial = error
                    .template()
                    .and_then(|name| Some((self.theme.partial_files.get(name)?, name)));
                let (file, template) = match partial {
                    Some((file, name)) => (Some(file), self.theme.partials.get(name)),
                    None => (self.theme.manifest.files.get(&slot), Some(template)),
                };
                let file = file.map_or("theme.json", String::as_str);
                let line = template
                    .and_then(|template| template.source().lines().nth(error.line() - 1))
                    .unwrap_or_default();
                Diagnostic::error(error.message())
                    .file(format!("themes/{}/{file}", self.snapshot.config.theme))
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

fn search_dialog(snapshot: &Snapshot) -> String {
    let script = snapshot.config.path(paths::SEARCH_SCRIPT);
    let action = snapshot.config.path(paths::SEARCH);
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

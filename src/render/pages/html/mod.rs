//! HTML documents: the head and frame that feedwright writes around a theme's slots.

mod clip;
mod embed;
mod head;
mod head_tags;
mod json_ld;
mod json_writer;
mod local_text;
mod search_dialog;

use std::borrow::Cow;

use mustache::{Data, Rewrite, escape_into};

pub use self::clip::clip;
pub use self::embed::embed;
use self::head::{Head, Subject};
use self::local_text::local_text;
use self::search_dialog::{escape_html, search_dialog};
use super::context::{self, CurrentPage};
use crate::addresses::public::SECTION_PAGE;
use crate::inputs::{
    AlbumIndexPage, ArchivePage, Crumb, FrameInputs, ItemPage, ListPage, PageInputs, PlanetPage,
    Shared, ShownFacet, TagIndexPage, page_position,
};
use crate::text::is_right_to_left;
use model::{Config, Diagnostic};
use site::{PageEntry, built_in_not_found, paths};
use theme::Slot;
use words::Words;

/// Renders a page of the home list or of a facet's list.
pub fn list(shared: &Shared<'_>, page: &ListPage<'_>) -> Result<String, Diagnostic> {
    let language = page.section().and_then(|entry| entry.page.language.as_deref());
    let words = shared.words_in(language);
    let shared = &shared.with_words(&words);
    let context = context::list_page(shared, page);
    Page::new(shared, Slot::WebFeed, &page.frame, context).document(&Head::list(shared, page))
}

pub fn item(shared: &Shared<'_>, page: &ItemPage<'_>) -> Result<String, Diagnostic> {
    let entry = page.item.entry;
    let words = shared.words_in(entry.item.language.as_deref());
    let shared = &shared.with_words(&words);
    let context = context::item_page(shared, page);
    let head = Head {
        series: page.item_links.series.as_ref(),
        translations: &page.item_links.translations,
        above: &page.above,
        ..Head::item(shared, entry)
    };
    Page::new(shared, Slot::WebItem, &page.frame, context).document(&head)
}

/// Renders a page, or the 404 page.
pub fn page(shared: &Shared<'_>, page: &PageInputs<'_>) -> Result<String, Diagnostic> {
    let words = shared.words_in(page.entry.page.language.as_deref());
    let shared = &shared.with_words(&words);
    let entry = match page.entry.page.source {
        Some(_) => page.entry,
        None => &built_in_not_found(&words),
    };
    let context = context::page(shared, page, entry);
    let head =
        Head { translations: &page.translations, above: &page.above, ..Head::page(shared, entry) };
    Page::new(shared, Slot::WebPage, &page.frame, context).document(&head)
}

/// Renders the archive page, or the archive page of one year.
pub fn archive(shared: &Shared<'_>, page: &ArchivePage<'_>) -> Result<String, Diagnostic> {
    let title = match page.year {
        None => shared.words.text("archive").to_owned(),
        Some(year) => format!("{} {year}", shared.words.text("archive")),
    };
    let head = Head {
        above: &page.above,
        list_in_languages: &page.frame.switch,
        ..Head::other(shared, title, &paths::archive(page.year), false)
    };
    let context = context::archive(shared, page);
    Page::new(shared, Slot::WebArchive, &page.frame, context).document(&head)
}

pub fn tag_index(shared: &Shared<'_>, page: &TagIndexPage<'_>) -> Result<String, Diagnostic> {
    let title = shared.words.text("tags").into();
    let head = Head {
        above: &[Crumb::Home],
        list_in_languages: &page.frame.switch,
        ..Head::other(shared, title, paths::TAG_INDEX, false)
    };
    let context = context::tag_index(shared, page);
    Page::new(shared, Slot::WebTags, &page.frame, context).document(&head)
}

pub fn album_index(shared: &Shared<'_>, page: &AlbumIndexPage<'_>) -> Result<String, Diagnostic> {
    let title = shared.words.text("albums").into();
    let head = Head {
        above: &[Crumb::Home],
        list_in_languages: &page.frame.switch,
        ..Head::other(shared, title, paths::ALBUM_INDEX, false)
    };
    let context = context::album_index(shared, page);
    Page::new(shared, Slot::WebAlbums, &page.frame, context).document(&head)
}

/// Renders a page of items of feeds from elsewhere.
pub fn planet(shared: &Shared<'_>, page: &PlanetPage<'_>) -> Result<String, Diagnostic> {
    let mut title = shared.words.text("planet").to_owned();
    if page.number > 1 {
        title = shared.words.joined(&title, &page_position(shared.words, page.number, page.count));
    }
    let head = Head {
        above: &[Crumb::Home],
        subject: Subject::Planet,
        ..Head::other(shared, title, &paths::planet(page.number), false)
    };
    let context = context::planet(shared, page);
    Page::new(shared, Slot::WebPlanet, &page.frame, context).document(&head)
}

pub fn search(shared: &Shared<'_>, frame: &FrameInputs<'_>) -> Result<String, Diagnostic> {
    let head = Head::other(shared, shared.words.text("search").into(), paths::SEARCH, true);
    Page::new(shared, Slot::WebSearch, frame, context::search()).document(&head)
}

/// Renders the subscribe page.
pub fn subscribe(shared: &Shared<'_>, frame: &FrameInputs<'_>) -> Result<String, Diagnostic> {
    let title = shared.words.text("subscribe").into();
    let mut head = Head::other(shared, title, paths::SUBSCRIBE, false);
    head.list_in_languages = &frame.switch;
    let values = [("title", shared.title())];
    head.description = shared.words.fill_placeholders("about_subscribing", &values);
    let context = context::subscribe(shared);
    Page::new(shared, Slot::WebSubscribe, frame, context).document(&head)
}

/// Renders the theme's CSS for the RSS feeds. The slot is the whole style sheet, and values are
/// escaped for CSS strings.
pub fn rss_styles(shared: &Shared<'_>, frame: &FrameInputs<'_>) -> Result<String, Diagnostic> {
    let mut out = String::new();
    let config = shared.config;
    Page::new(shared, Slot::RssStyles, frame, Data::default()).slot_with(
        Slot::RssStyles,
        &|key, text| {
            let own = local_text(config, key, text);
            match escape_css_string(own.as_deref().unwrap_or(text)) {
                Cow::Borrowed(_) => own,
                Cow::Owned(escape_html) => Some(escape_html.into()),
            }
        },
        &mut out,
    )?;
    Ok(out)
}

/// Escapes text for a CSS string (CSS Syntax 3, section 4.3.7).
fn escape_css_string(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| matches!(c, '"' | '\'' | '\\' | '<') || c.is_control();
    if !text.contains(is_special) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_special(c) {
            out.push_str(&format!("\\{:x} ", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out.into()
}

/// Renders the theme's XSL stylesheet for the RSS feeds. The slot is the whole document.
pub fn rss_stylesheet(shared: &Shared<'_>, frame: &FrameInputs<'_>) -> Result<String, Diagnostic> {
    let mut out = String::new();
    Page::new(shared, Slot::RssStylesheet, frame, Data::default())
        .slot(Slot::RssStylesheet, &mut out)?;
    Ok(out)
}

struct Page<'a> {
    shared: &'a Shared<'a>,
    /// The slot that renders the page's content.
    slot: Slot,
    frame: &'a FrameInputs<'a>,
    /// The contexts for templates: the context of the feed, followed by the context of the page.
    contexts: [Data<'a>; 2],
}

/// Writes the start tag of a document. Its attributes contain the language, the direction and the
/// numerals, which scripts also read.
fn start(language: &str, words: &Words, out: &mut String) {
    out.push_str("<!doctype html>\n<html");
    let is_right_to_left = is_right_to_left(language);
    let numerals = words.numerals();
    for (name, value) in [
        ("lang", Some(language)),
        ("dir", is_right_to_left.then_some("rtl")),
        ("data-numerals", numerals.as_deref()),
        ("data-words-lang", words.other_language()),
    ] {
        let Some(value) = value else { continue };
        out.push_str(&format!(" {name}=\""));
        escape_into(value, out);
        out.push('"');
    }
    out.push_str(">\n");
}

impl<'a> Page<'a> {
    fn new(shared: &'a Shared<'a>, slot: Slot, frame: &'a FrameInputs<'a>, own: Data<'a>) -> Self {
        Self { shared, slot, frame, contexts: [context::feed(shared, frame, None), own] }
    }

    fn document(mut self, head: &Head<'_>) -> Result<String, Diagnostic> {
        let shared = self.shared;
        let here = CurrentPage::of(shared, head.url(shared), head.above);
        self.contexts[0] = context::feed(shared, self.frame, Some(here));
        let mut document = String::with_capacity(16 * 1024);
        let out = &mut document;
        let language = shared.page_language(head.language).unwrap_or(shared.language());
        start(language, shared.words, out);
        out.push_str("<head>\n");
        head.write(shared, out);
        if self.slot == Slot::WebSearch && shared.has_search {
            // The search script requests the entry file of the index as soon as it runs.
            let entry = shared.config.path(paths::SEARCH_INDEX);
            out.push_str(&format!(
                "<link rel=\"preload\" href=\"{entry}\" as=\"fetch\" crossorigin>\n"
            ));
        }
        self.slot(Slot::WebHeader, out)?;
        out.push_str("</head>\n<body>\n");
        self.slot(Slot::WebBodyStart, out)?;
        // A theme that does not know sections only lists the items of a section.
        if let Subject::Facet(ShownFacet { section: Some(entry), .. }) = head.subject
            && !shared.theme.reads(Slot::WebFeed, SECTION_PAGE)
        {
            plain_page("header", shared.config, entry, out);
        }
        let start = out.len();
        self.slot(self.slot, out)?;
        if self.slot == Slot::WebSearch && !out[start..].contains("<noscript") {
            let home = shared.config.path("/");
            out.push_str(&format!(
                "<noscript><p class=\"mf-public-search-message\">{} <a href=\"{home}\">{}</a></p></noscript>\n",
                escape_html(shared.words.text("needs_javascript")),
                escape_html(shared.words.text("archive")),
            ));
        }
        // A theme of format 1 has no slot for the 404 page. Only the page's text is written between
        // the start and end slots.
        if let Subject::Page(entry) = head.subject
            && !shared.theme.slots.contains_key(&self.slot)
        {
            plain_page("main", shared.config, entry, out);
        }
        self.slot(Slot::WebBodyEnd, out)?;
        if shared.has_search {
            search_dialog(shared, self.slot == Slot::WebSearch, out);
        }
        out.push_str("</body>\n</html>\n");
        Ok(document)
    }

    /// Renders a slot on this page, if the theme has it.
    fn slot(&self, slot: Slot, out: &mut String) -> Result<(), Diagnostic> {
        let config = self.shared.config;
        self.slot_with(slot, &|key, text| local_text(config, key, text), out)
    }

    /// Renders a slot. `rewrite` replaces values that the template reads.
    fn slot_with(
        &self,
        slot: Slot,
        rewrite: &Rewrite<'_>,
        out: &mut String,
    ) -> Result<(), Diagnostic> {
        let (theme, config) = (self.shared.theme, self.shared.config);
        let Some(template) = theme.slots.get(&slot) else {
            return Ok(());
        };
        let (contexts, partials) = (&self.contexts, &theme.partials);
        let rendered = match self.shared.trace {
            None => template.render_for_readers(contexts, partials, rewrite, out),
            Some(trace) => {
                let mut pieces = Vec::new();
                let rendered =
                    template.render_traced(contexts, partials, Some(rewrite), out, &mut pieces);
                trace.add(pieces, |partial| {
                    let file = match partial {
                        Some(name) => theme.partial_files.get(name),
                        None => theme.manifest.files.get(&slot),
                    };
                    file.map(String::as_str)
                });
                rendered
            }
        };
        rendered.map_err(|error| {
            let partial =
                error.template().and_then(|name| Some((theme.partial_files.get(name)?, name)));
            let (file, template) = match partial {
                Some((file, name)) => (Some(file), theme.partials.get(name)),
                None => (theme.manifest.files.get(&slot), Some(template)),
            };
            let file = file.map_or("theme.json", String::as_str);
            let line = template
                .and_then(|template| template.source().lines().nth(error.line() - 1))
                .unwrap_or_default();
            Diagnostic::error(error.message())
                .file(format!("themes/{}/{file}", config.theme))
                .position(error.line(), error.column(), line)
                .help("nest partials at most 64 deep")
        })
    }
}

/// Writes the title and the text of a page in an HTML element.
fn plain_page(element: &str, config: &Config, entry: &PageEntry, out: &mut String) {
    out.push_str(&format!("<{element}><h1>"));
    escape_into(&entry.page.title, out);
    out.push_str("</h1>");
    let html = &entry.page.content.body().html;
    let local_text = local_text(config, "content_html", html);
    out.push_str(local_text.as_deref().unwrap_or(html));
    out.push_str(&format!("</{element}>\n"));
}

//! Tests a theme on fixture sites that are embedded in the program: small sites, a complete site,
//! and a site with hostile content.
//!
//! Every page is rendered twice from separately loaded data, and both results must be equal. Then
//! the markup and the links are checked. Faults are reported at their position in the theme's
//! template, if that position can be found.

mod fixtures;

use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use self::fixtures::{FIXTURES, Fixture};
use super::Site;
use super::page_links::template_links;
use model::{Config, Diagnostic, Severity, SitePath, Source, Visibility};
use render::{Body, Route};
use site::{gather, paths};
use source::config;
use source::html::{MarkupFault, markup_faults};
use source::sample_site::{AGGREGATE, sources_of};
use theme::Theme;

/// The result of a theme test.
#[derive(Debug, Default)]
pub struct ThemeTestResult {
    /// Number of pages that were rendered.
    pub pages: usize,
    /// Number of fixture sites that the pages belong to.
    pub sites: usize,
    pub found: Vec<Diagnostic>,
}

/// Renders every page of every fixture with a theme. `label` is the theme's folder.
pub fn test(theme: &Arc<Theme>, label: &str) -> ThemeTestResult {
    let outcomes = FIXTURES.par_iter().map(|fixture| {
        let (one, other) = (site(fixture, theme, label), site(fixture, theme, label));
        let pages: Vec<&Route> =
            one.routes().routes.iter().filter(|route| is_page(route)).collect();
        let found: Vec<Diagnostic> = pages
            .iter()
            .flat_map(|route| page_faults((&one, &other), route, fixture.name, label))
            .chain(broken_links(&one, fixture.name, label))
            .collect();
        (pages.len(), found)
    });
    let mut tested = ThemeTestResult::default();
    for (pages, found) in outcomes.collect::<Vec<_>>() {
        tested.pages += pages;
        tested.sites += 1;
        tested.found.extend(found);
    }
    // A fault in a template may occur on many pages, so equal faults are reported once.
    let mut told: Vec<Diagnostic> = Vec::new();
    for fault in tested.found {
        let is_told = |one: &Diagnostic| {
            one.message == fault.message
                && (&one.file, one.line, one.column) == (&fault.file, fault.line, fault.column)
        };
        if !told.iter().any(is_told) {
            told.push(fault);
        }
    }
    ThemeTestResult { found: told, ..tested }
}

fn site(fixture: &Fixture, theme: &Arc<Theme>, label: &str) -> Site {
    let texts = (fixture.texts)();
    let texts: Vec<(&str, &str)> =
        texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let text = format!("base_url = \"https://fixture.example\"\n{AGGREGATE}");
    let (config, _) = config::read(Path::new(""), &text);
    let sources = sources_of(&config, &texts);
    let visibility = Visibility {
        now: "2026-03-01T00:00:00Z".parse().unwrap_or_default(),
        drafts: true,
        future: true,
    };
    let config = Config { theme: label.trim_start_matches("themes/").to_owned(), ..config };
    let (snapshot, _) = gather(Path::new(""), config, sources, visibility, None);
    Site::new(snapshot, Arc::clone(theme))
}

/// Returns diagnostics for broken links in the theme's pages. A missing file of the theme is an
/// error. A missing page is a warning, because a real site may have it.
fn broken_links(site: &Site, fixture: &str, label: &str) -> Vec<Diagnostic> {
    let assets = paths::assets(&site.theme.hash);
    let found = template_links(site, label).into_iter();
    let found = found.map(|one| {
        let is_of_theme = one.message.contains(&assets) || one.message.contains("the theme has");
        let severity = match is_of_theme {
            true => Severity::Error,
            false => Severity::Warning,
        };
        let help = one.help.as_ref().map(|help| format!("{help} of the fixture {fixture}"));
        Diagnostic { severity, help, ..one }
    });
    found.collect()
}

fn is_page(route: &Route) -> bool {
    route.file.ends_with(".html") && !route.is_former
}

/// Renders a page of two sites that were made from the same fixture, and returns the faults of the
/// page.
fn page_faults(
    (one, other): (&Site, &Site),
    route: &Route,
    fixture: &str,
    label: &str,
) -> Vec<Diagnostic> {
    let render = |site: &Site| match site.renderer().render(&route.document) {
        Ok(Body::Bytes(bytes)) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Ok(_) => Ok(String::new()),
        Err(fault) => Err(fault),
    };
    let (html, again) = match (render(one), render(other)) {
        (Ok(html), Ok(again)) => (html, again),
        (Err(fault), _) | (_, Err(fault)) => return vec![fault],
    };
    let page = format!("{} of the fixture {fixture}", route.path);
    if html != again {
        let error = Diagnostic::error(format!("{page} changes when it is rendered again"));
        return vec![error.file(label)];
    }
    let faults = markup_faults(&html, fixtures::HOSTILE);
    faults
        .iter()
        .map(|fault| locate_in_template(&one.theme, label, (&page, &html), fault))
        .collect()
}

/// Reports a fault at the position in the template that wrote the tag. If that position is not
/// found, reports the fault at its position in the page.
fn locate_in_template(
    theme: &Theme,
    label: &str,
    (page, html): (&str, &str),
    fault: &MarkupFault,
) -> Diagnostic {
    let error = Diagnostic::error(&fault.message).help(format!("{}; seen on {page}", fault.help));
    let tag = html.get(fault.at..).unwrap_or_default();
    let tag = &tag[..tag.find('>').map_or(tag.len(), |end| end + 1)];
    // The beginning of the tag, up to the first attribute value. A template may insert the value.
    let own = match (tag.find('"'), tag.find('=')) {
        (Some(quote), _) => tag[..=quote].to_owned(),
        (None, Some(equals)) => format!("{}{{{{", &tag[..=equals]),
        (None, None) => tag.to_owned(),
    };
    let mut above = &html[..fault.at];
    let starts = if fault.is_of_text {
        above = above.strip_suffix(fixtures::BEFORE_HOSTILE).unwrap_or(above);
        let before = above.rsplit('\n').next().unwrap_or_default();
        ["{{{", "{{&"].map(|tag| format!("{}{tag}", before.trim_start()))
    } else {
        [tag.to_owned(), own]
    };
    for start in &starts {
        let candidates = theme.templates().flat_map(|(file, template)| {
            let text = template.source();
            let places = text.match_indices(start.as_str());
            places.map(move |(at, _)| (count_common_end_lines(&text[..at], above), file, text, at))
        });
        // If several candidates are equally good, the first one is used.
        let best = candidates.reduce(|best, other| if other.0 > best.0 { other } else { best });
        if let Some((_, file, text, at)) = best
            && let Some(path) = SitePath::parse(&format!("{label}/{file}"))
        {
            return error.at(Source { path: &path, text }, at);
        }
    }
    let line_start = html[..fault.at].rfind('\n').map_or(0, |at| at + 1);
    let line = html[..fault.at].matches('\n').count() + 1;
    let column = html[line_start..fault.at].chars().count() + 1;
    let text = html[line_start..].lines().next().unwrap_or_default();
    error.file(page).position(line, column, text)
}

/// Counts the equal lines at the ends of two strings: the template and the page before the fault.
fn count_common_end_lines(template: &str, page: &str) -> usize {
    let lines = |text: &'_ str| -> Vec<String> {
        let lines = text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
        lines.take(20).map(str::to_owned).collect()
    };
    let (template, page) = (lines(template), lines(page));
    template.iter().zip(&page).take_while(|(one, other)| one == other).count()
}

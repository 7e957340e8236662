//! A page that previews a theme. It shows each kind of page twice: in a frame as wide as a phone,
//! and in a frame as wide as a desktop screen.

use std::collections::HashSet;
use std::fmt::Write;

use mustache::escape_into;
use warp::http::StatusCode;

use super::moment::Moment;
use super::sent_document::SentDocument;
use model::url::encode_path;
use model::{Category, Item};
use render::Document;
use site::FacetKind;

/// The path of the theme preview.
pub const THEME_VIEWS_PATH: &str = "/.feedwright/theme";

/// Each frame keeps its full layout width, and `zoom` shows it at half size.
const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:1rem/1.5 system-ui,sans-serif;margin:1.5rem}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}\
.frames{display:flex;gap:1.5rem;overflow-x:auto}\
iframe{flex:none;height:900px;border:2px solid #8886;border-radius:1rem;background:#fff;zoom:.5}\
.phone{width:390px}.desk{width:1280px}\
@media(min-width:100rem){iframe{zoom:.8}}";

/// Returns the theme preview. Each frame reloads independently, like any page of the preview.
pub fn page(moment: &Moment) -> SentDocument {
    let site = &moment.site;
    let base = site.snapshot.config.base_path();
    let mut body = String::new();
    let mut told = HashSet::new();
    for route in &site.routes().routes {
        let Some(view) = view(moment, &route.document).filter(|view| told.insert(*view)) else {
            continue;
        };
        let path = format!("{base}{}", encode_path(&route.path));
        let mut address = String::new();
        escape_into(&path, &mut address);
        let _ = write!(
            body,
            "<h2>{view} <a href=\"{address}\">{address}</a></h2>\n<div class=\"frames\">"
        );
        for (class, width) in [("phone", 390), ("desk", 1280)] {
            let _ = write!(
                body,
                "<iframe class=\"{class}\" src=\"{address}\" title=\"{view}, {width} pixels wide\" loading=\"lazy\"></iframe>"
            );
        }
        body.push_str("</div>\n");
    }
    let mut name = String::new();
    escape_into(&site.theme.manifest.name, &mut name);
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Theme {name}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>Theme {name}</h1>\n{body}</body>\n</html>\n"
    );
    SentDocument {
        status: StatusCode::OK,
        media_type: "text/html; charset=utf-8".into(),
        bytes: page.into_bytes(),
    }
}

/// Returns what kind of page a document is, or `None` if the theme does not render the document.
/// The theme preview shows one page of each kind.
fn view(moment: &Moment, document: &Document) -> Option<&'static str> {
    let (snapshot, document) = document.in_snapshot(&moment.site.snapshot);
    let item = |at: usize| &*snapshot.entries[at].item;
    Some(match document {
        Document::Home(1) => "Home",
        Document::Home(_) => "Home, further pages",
        Document::Item(at) => kind(item(*at)),
        Document::Embed(_) => "Embedded player",
        Document::Clip(..) => "Clip",
        Document::Page(_) => "Page",
        Document::NotFound => "Page not found",
        Document::Facet(FacetKind::Tag, ..) => "Tag",
        Document::Facet(FacetKind::Season, ..) => "Season",
        Document::Facet(FacetKind::Author, ..) => "Author",
        Document::Facet(FacetKind::Album, ..) => "Album",
        Document::Facet(FacetKind::Series, ..) => "Series",
        Document::Facet(FacetKind::Section, ..) => "Section",
        Document::Tags => "Tags",
        Document::Albums => "Albums",
        Document::Planet(_) => "Planet",
        Document::Archive(_) => "Archive",
        Document::Subscribe => "Subscribe",
        Document::Search => "Search",
        _ => return None,
    })
}

fn kind(item: &Item) -> &'static str {
    let Some(attachment) = &item.attachment else {
        return "Text item";
    };
    match attachment.category {
        Category::Audio => "Audio item",
        Category::Video => "Video item",
        Category::Image => "Image item",
        Category::Document => "Document item",
        _ => "Link item",
    }
}

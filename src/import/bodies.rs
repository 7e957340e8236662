//! Converts bodies to Markdown, and verifies the result with the site's renderer.

use std::path::Path;

use fetch::Url;
use to_markdown::{Conversion, write};

use super::found::Body;
use super::texts::absolute;
use model::{Config, SitePath, Source};
use source::body::{catch_panic, markdown_body};
use source::fields::Reader;

/// Converts a body to Markdown, or to HTML where Markdown is not enough.
pub fn written(body: Body, source: to_markdown::Source, config: &Config) -> Conversion {
    match body {
        Body::None => Conversion::default(),
        Body::Markdown(text) => Conversion { text, ..Conversion::default() },
        Body::Html(html) => {
            // The base address of the remaining relative references is unknown, so the new site's
            // address is used.
            let html = absolute(&html, Url::parse(&config.base_url).ok().as_ref());
            write(&html, source, &|text| rendered(text, config))
        }
    }
}

/// Renders Markdown in the same way as the site.
fn rendered(text: &str, config: &Config) -> String {
    let Some(path) = SitePath::parse("content/items/imported.md") else {
        return String::new();
    };
    let source = Source { path: &path, text };
    let reader = Reader::new(source, config, Path::new(""));
    catch_panic(&reader, 0, || markdown_body(&reader, 0, "imported").0.html)
}

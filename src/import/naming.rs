//! Segments and file names of entries.

use std::collections::HashSet;

use fetch::Url;
use percent_encoding::percent_decode_str;

use model::{Slug, folded};

#[derive(Debug, Default)]
pub struct Names(HashSet<String>);

impl Names {
    pub fn take(&mut self, name: &str) -> bool {
        self.0.insert(folded(name).into_owned())
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains(&*folded(name))
    }

    /// Reserves a name and returns it. If the name is taken, the lowest free number is appended.
    pub fn free(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names.find(|name| self.take(name)).unwrap_or_else(|| wanted.to_owned())
    }
}

/// Returns the preferred segment of an item: its former segment, or else its title as a slug, or
/// else its id.
pub fn segment(former: Option<&str>, title: Option<&str>, id: &str) -> String {
    // A segment without letters does not describe the item.
    let says = |text: &&str| text.chars().any(char::is_alphabetic) && text.chars().count() <= 200;
    let former = former
        .filter(says)
        .and_then(|text| Slug::parse(text).ok().or_else(|| Slug::from_title(text)));
    let slug = former.or_else(|| Slug::from_title(title?));
    slug.map_or_else(|| id.to_owned(), |slug| slug.to_string())
}

/// Returns the path of an address below the base address, or `None` if the address is elsewhere.
pub fn below(url: &Url, base_url: &str) -> Option<String> {
    let base = Url::parse(base_url).ok()?;
    let path = url.path().strip_prefix(base.path().trim_end_matches('/'));
    let path = path.filter(|path| path.starts_with('/') && url.host_str() == base.host_str());
    path.map(str::to_owned)
}

/// Normalizes an address for comparisons: in lower case, without leading and trailing slashes, and
/// without `index.html` or `.html` at the end.
pub fn key(address: &str) -> String {
    let decoded = percent_decode_str(address).decode_utf8_lossy();
    let plain = decoded.trim_matches('/');
    let plain = plain.strip_suffix("index.html").unwrap_or(plain);
    let plain = plain.strip_suffix(".html").unwrap_or(plain);
    plain.trim_end_matches('/').to_lowercase()
}

/// Returns the relative path from one file to another.
pub fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let shared = shared.min(from.len() - 1).min(to.len() - 1);
    let up = "../".repeat(from.len() - 1 - shared);
    format!("{up}{}", to[shared..].join("/"))
}

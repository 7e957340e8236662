//! Links from bodies to pages and files of the site.

use borsh::{BorshDeserialize, BorshSerialize};
use percent_encoding::percent_decode_str;

use super::{SitePath, url};

/// A link from a body to a page or file of this site.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContentLink {
    pub target: LinkTarget,
    /// Anchor on the target page, percent-decoded.
    pub anchor: Option<String>,
    /// Byte offset of the link in its file.
    pub offset: usize,
}

impl ContentLink {
    /// Parses a link to a public path, optionally followed by a query or an anchor.
    pub fn to_path(reference: &str, offset: usize) -> Self {
        let (path, suffix) = url::split_suffix(reference);
        Self {
            target: LinkTarget::Path(percent_decode_str(path).decode_utf8_lossy().into_owned()),
            anchor: Self::anchor(suffix),
            offset,
        }
    }

    /// Returns the anchor in a URL suffix. Returns None for the top of a page, which every page
    /// has, and for fragments that scripts and browsers interpret: times (`t=30`), routes, and text
    /// fragments (`:~:text=`).
    pub fn anchor(suffix: &str) -> Option<String> {
        let (_, anchor) = suffix.split_once('#')?;
        let is_read = anchor.is_empty() || anchor.contains(['=', ':', '/', '!']);
        let anchor = percent_decode_str(anchor).decode_utf8_lossy();
        (!is_read && !anchor.eq_ignore_ascii_case("top")).then(|| anchor.into_owned())
    }
}

/// The target of a link to a page or file of this site.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, Hash)]
pub enum LinkTarget {
    /// A content file. Until the site resolves the link, the HTML contains [`LinkTarget::SCHEME`]
    /// and a [placeholder](LinkTarget::placeholder).
    File(SitePath),
    /// A name: a title, file name, segment, id or alias. The HTML contains a placeholder, as it
    /// does for a file.
    Name(String),
    /// A public path, percent-decoded.
    Path(String),
    /// The page that contains the link. The link has an anchor, but no path.
    Here,
    /// A word of the site's interface, by its key. The word replaces a placeholder in the HTML once
    /// the site's language is known.
    Word(String),
}

impl LinkTarget {
    /// Prefix of a placeholder in HTML with unresolved links.
    pub const SCHEME: &str = "feedwright-content:";

    /// Returns the placeholder for the target in HTML until the site resolves it. The placeholder
    /// is empty if there is nothing to resolve.
    pub fn placeholder(&self) -> String {
        match self {
            Self::File(file) => url::encode_path(file.as_str()),
            // No file of the site has a path that starts with `name/`.
            Self::Name(name) => format!("name/{}", url::encode_path(name)),
            Self::Word(key) => format!("word:{key}"),
            Self::Path(_) | Self::Here => String::new(),
        }
    }
}

/// The [placeholder](LinkTarget::placeholder) of a link, and the URL that replaces it. None means
/// that the link is broken.
pub type LinkUrl = (String, Option<String>);

/// Resolves links to content files in HTML. `targets` must be sorted by placeholder. A broken link
/// is replaced with its text.
///
/// Reads the HTML only once, since a page that lists a thousand other pages contains a thousand
/// placeholders.
pub fn resolve_links(html: &str, targets: &[LinkUrl]) -> String {
    const START: &str = "<a href=\"";
    let find = |written: &str| {
        let found = targets.binary_search_by(|(path, _)| path.as_str().cmp(written));
        found.ok().map(|at| targets[at].1.as_deref())
    };
    let mut out = String::with_capacity(html.len() + 32 * targets.len());
    let mut rest = html;
    while let Some(at) = rest.find(LinkTarget::SCHEME) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let path = &found[LinkTarget::SCHEME.len()..];
        // The first of these characters ends the path, since they are encoded inside a path.
        let end = path.find(['"', '?', '#', '<', '>', ' ']).unwrap_or(path.len());
        let written = path[..end].replace("&amp;", "&").replace("&#x27;", "'");
        rest = match find(&written) {
            Some(Some(target)) => {
                out.push_str(target);
                &path[end..]
            }
            Some(None)
                if out.ends_with(START)
                    && let Some((text, after)) = link_text(path) =>
            {
                out.truncate(out.len() - START.len());
                out.push_str(text);
                after
            }
            _ => {
                out.push_str(LinkTarget::SCHEME);
                path
            }
        };
    }
    out.push_str(rest);
    out
}

/// Returns the text of a link, and the HTML after the link. `html` begins inside the link's start
/// tag.
fn link_text(html: &str) -> Option<(&str, &str)> {
    let (_, inner) = html.split_once('>')?;
    inner.split_once("</a>")
}

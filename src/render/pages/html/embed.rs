//! The document of an item's embed page, which other sites show in an `<iframe>`. It shows only the
//! item, without the site's header and navigation.

use mustache::escape_into;

use super::head::Head;
use super::{Page, start};
use crate::inputs::{ItemPage, Shared};
use crate::pages::context;
use model::{Diagnostic, push_attribute};
use theme::Slot;

/// Renders the whole document. Its canonical link points search engines to the item's own page.
pub fn embed(shared: &Shared<'_>, page: &ItemPage<'_>) -> Result<String, Diagnostic> {
    let entry = page.item.entry;
    let words = shared.words_in(entry.item.language.as_deref());
    let shared = &shared.with_words(&words);
    let head = Head::item(shared, entry);
    let context = context::item_page(shared, page);
    let page = Page::new(shared, Slot::WebEmbed, &page.frame, context);
    let language = head.language(shared);
    let mut out = String::with_capacity(4 * 1024);
    start(language, shared.words, &mut out);
    out.push_str("<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    escape_into(&head.title, &mut out);
    out.push_str(
        "</title>\n<meta name=\"robots\" content=\"noindex\">\n<link rel=\"canonical\" href=\"",
    );
    push_attribute(&mut out, &head.canonical);
    // Links open outside the `<iframe>`, without changing the surrounding page.
    out.push_str("\">\n<base target=\"_blank\">\n</head>\n<body>\n");
    page.slot(Slot::WebEmbed, &mut out)?;
    out.push_str("</body>\n</html>\n");
    Ok(out)
}

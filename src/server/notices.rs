//! The preview's own pages: setup instructions, rendering errors, and explanations for missing
//! pages.

use warp::http::StatusCode;

use super::moment::Moment;
use super::sent_document::SentDocument;
use model::{Access, Diagnostic};
use mustache::escape_into;

/// The path of the setup page.
pub const SETUP: &str = "/.feedwright/setup";

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:12vh auto 4rem;padding:0 1.25rem}\
h1{font-size:1.6rem;line-height:1.25}\
pre{font:.9rem/1.5 ui-monospace,monospace;padding:.9rem 1rem;border:1px solid #8886;border-radius:.5rem;\
background:#8881;overflow:auto}\
code{font:.95em ui-monospace,monospace}\
.note{opacity:.75}";

/// Returns the page with setup instructions, for a site that has nothing to show yet.
pub fn setup(moment: &Moment) -> SentDocument {
    let mut body = String::from(
        "<h1>Give your site a title</h1>\n\
         <p>There is nothing to show yet: the channel has no title. Write the title at the top of \
         <code>content/channel.md</code>, and a description below it:</p>\n\
         <pre>+++\ntitle = \"The name of your site\"\n+++\n\nWhat it is about, in a sentence or two.</pre>\n",
    );
    if has_no_base_url(moment) {
        body.push_str(
            "<p>Write the address of the published site in <code>site.toml</code>:</p>\n\
             <pre>base_url = \"https://example.com\"</pre>\n",
        );
    }
    body.push_str(
        "<p>Items go into <code>content/items/</code>, one Markdown file each; \
         <code>feedwright new item \"A title\"</code> creates one.</p>\n\
         <p class=\"note\">Save the file: this page then shows your site automatically.</p>\n",
    );
    html(StatusCode::OK, "Set up your site", &body)
}

fn has_no_base_url(moment: &Moment) -> bool {
    moment.faults.iter().any(|fault| {
        fault.file.as_deref() == Some("site.toml") && fault.message.contains("base_url")
    })
}

/// Returns the error page for a document that cannot be rendered.
pub fn broken(fault: &Diagnostic, as_html: bool) -> SentDocument {
    let text = fault.to_string();
    if !as_html {
        return plain(StatusCode::INTERNAL_SERVER_ERROR, &text);
    }
    let mut body = String::from("<h1>This page cannot be rendered</h1>\n<pre>");
    escape_into(&text, &mut body);
    body.push_str(
        "</pre>\n<p class=\"note\">The page reloads automatically when the file is fixed.</p>\n",
    );
    html(StatusCode::INTERNAL_SERVER_ERROR, "This page cannot be rendered", &body)
}

/// Explains why a headless or offline site has no home page.
pub fn access(moment: &Moment) -> SentDocument {
    let (access, left) = match moment.site.snapshot.config.access {
        Access::Offline => ("offline", "only a robots.txt and the API"),
        _ => ("headless", "only its feeds, chapters, media and the API, but no pages"),
    };
    plain(
        StatusCode::NOT_FOUND,
        &format!("This site publishes {left}: site.toml has access = \"{access}\"."),
    )
}

/// Returns the response for an unknown path if the site has no 404 page.
pub fn not_found_notice() -> SentDocument {
    plain(StatusCode::NOT_FOUND, "There is nothing at this address.")
}

fn plain(status: StatusCode, text: &str) -> SentDocument {
    SentDocument {
        status,
        media_type: "text/plain; charset=utf-8".into(),
        bytes: format!("{text}\n").into_bytes(),
    }
}

fn html(status: StatusCode, title: &str, body: &str) -> SentDocument {
    // The empty icon keeps browsers from requesting a favicon.
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    );
    SentDocument { status, media_type: "text/html; charset=utf-8".into(), bytes: page.into_bytes() }
}

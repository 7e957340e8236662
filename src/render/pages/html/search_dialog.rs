//! The search dialog at the end of every page.

use mustache::escape_into;
use serde_json::{Map, Value, json};

use crate::inputs::Shared;
use model::Word;
use site::paths;
use words::Words;

/// Writes the search dialog. Themes for microfeed open, fill and style the dialog by its attributes
/// and classes. The search page includes the search script, and other pages load it when search is
/// used.
pub fn search_dialog(shared: &Shared<'_>, is_search_page: bool, out: &mut String) {
    let (config, words) = (shared.config, shared.words);
    let opener = config.path(paths::SEARCH_OPENER);
    let style = config.path(paths::SEARCH_STYLE);
    let action = config.path(paths::SEARCH);
    let name = &config.namespace;
    let keys = ["search", "search_site", "search_button", "close"];
    let [search, search_site, search_button, close] = keys.map(|key| escape_html(words.text(key)));
    let script_texts = words.cached_text(|words| {
        let mut script_texts = script_texts(words);
        // The style sheets of a theme for microfeed use attributes with microfeed's namespace.
        if let Some(own) = shared.theme.namespace().filter(|own| own != name) {
            script_texts["namespaces"] = json!([name, own]);
        }
        escape_single_quoted(&script_texts.to_string())
    });
    // If no translation exists for the page's language, the dialog is in English, but the results
    // are in the page's language.
    let (mut lang, mut results_lang) = (String::new(), String::new());
    if let Some(other) = words.other_language() {
        lang = format!(" lang=\"{other}\"");
        results_lang = format!(" lang=\"{}\"", escape_html(&words.language));
    }
    out.push_str(&format!(
        "<link rel=\"stylesheet\" href=\"{style}\">\n\
         <dialog id=\"{name}-search-dialog\" class=\"mf-public-search\" aria-label=\"{search}\"{lang} data-{name}-search-dialog data-words='{script_texts}'>\n\
         <form class=\"mf-public-search__panel\" role=\"search\" action=\"{action}\" method=\"get\">\n\
         <div class=\"mf-public-search__header\">\n\
         <label for=\"{name}-search-dialog-input\">{search_site}</label>\n\
         <button type=\"button\" class=\"mf-public-search__close\" aria-label=\"{close}\" data-{name}-search-close>×</button>\n\
         </div>\n\
         <div class=\"mf-public-search__input-row\">\n\
         <input id=\"{name}-search-dialog-input\" name=\"q\" type=\"search\" autocomplete=\"off\" maxlength=\"200\" enterkeyhint=\"search\" autofocus data-{name}-search-input>\n\
         <button type=\"submit\"><span>{search_button}</span></button>\n\
         </div>\n\
         <p class=\"mf-public-search-message\" role=\"status\" data-{name}-search-status></p>\n\
         <ol class=\"mf-public-search__results\" data-{name}-search-results data-{name}-search-details{results_lang}></ol>\n\
         </form>\n\
         </dialog>\n\
         <script src=\"{opener}\" type=\"module\"></script>\n"
    ));
    if is_search_page {
        let script = config.path(paths::SEARCH_SCRIPT);
        out.push_str(&format!("<script src=\"{script}\" type=\"module\"></script>\n"));
    }
}

/// Escapes text for HTML.
pub fn escape_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(text, &mut out);
    out
}

/// Escapes a value for an attribute in single quotes, because JSON contains many double quotes.
fn escape_single_quoted(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('\'', "&#39;");
    text.replace('<', "&lt;")
}

/// Returns the translated strings for the script, with the script's keys.
fn script_texts(words: &Words) -> Value {
    const KINDS: [&str; 7] = ["post", "page", "audio", "video", "picture", "document", "link"];
    json!({
        "kinds": KINDS.map(|key| words.text(key)),
        "count": forms(words, "results"),
        "atLeast": words.text("at_least"),
        "none": words.text("no_results"),
        "searching": words.text("searching"),
        "more": words.text("more_results"),
        "similar": words.text("similar_results"),
        "offline": words.text("search_offline"),
        "missing": words.text("search_missing"),
        "version": words.text("search_version"),
        "broken": words.text("search_broken"),
    })
}

/// Returns the plural forms of a counted word, by plural category.
fn forms(words: &Words, key: &str) -> Value {
    match words.get(key) {
        Some(Word::Counted(forms)) => {
            let forms = forms.iter();
            let forms = forms.map(|(category, form)| (category.clone(), form.as_str().into()));
            Value::Object(forms.collect::<Map<_, _>>())
        }
        _ => json!({ "other": words.text(key) }),
    }
}

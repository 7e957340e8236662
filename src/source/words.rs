//! `[words]` of `site.toml`: custom words and sentences for the site's user interface.

use std::collections::BTreeSet;

use front_matter::{Entry, Table, Value};

use super::fields::{Fields, nearest};
use model::{CustomWords, Rule, SitePath, WordTable};

const KEY: &str = "words";

/// The key that chooses the formal form of address.
const FORMAL: &str = "formal";

/// Maximum length of a word, in bytes.
const MAX_WORD_LENGTH: usize = 2000;

/// Reads the table. A key is known if the program or the theme of the site has a word with that
/// key.
pub(super) fn read(fields: &Fields<'_, '_>, theme: &str) -> CustomWords {
    let mut own = CustomWords::default();
    let Some(node) = fields.node(KEY) else {
        return own;
    };
    let Value::Table(table) = &node.value else {
        fields.report_wrong_type::<()>(KEY, node, "a table", &node.value);
        return own;
    };
    let of_theme = theme_keys(fields, theme);
    let mut keys = words::KEYS.clone();
    keys.extend(of_theme.iter().map(String::as_str));
    for entry in &table.entries {
        if entry.key == FORMAL {
            match entry.node.value {
                Value::Bool(formal) => own.formal = formal,
                ref other => {
                    fields.report_wrong_type::<()>(
                        "words.formal", &entry.node, "true or false", other,
                    );
                }
            }
            continue;
        }
        match language(entry, &keys) {
            Some(table) => {
                let mut of_language = WordTable::new();
                for entry in &table.entries {
                    word(fields, entry, &keys, &mut of_language);
                }
                own.languages.insert(entry.key.clone(), of_language);
            }
            None => word(fields, entry, &keys, &mut own.site),
        }
    }
    own
}

/// Returns the keys of a theme's own words. Errors in the theme's files are reported where themes
/// are read.
fn theme_keys(fields: &Fields<'_, '_>, theme: &str) -> BTreeSet<String> {
    let reader = fields.reader;
    let folder = SitePath::parse(&format!("themes/{theme}/words"));
    let files = folder.map(|folder| reader.entries(&folder));
    let mut keys = BTreeSet::new();
    for file in files.unwrap_or_default() {
        let text = Some(file).filter(|file| file.as_str().ends_with(".toml"));
        let text = text.and_then(|file| reader.text_of(&file));
        let table = text.and_then(|text| front_matter::parse_toml(&text).ok());
        let entries = table.into_iter().flat_map(|table| table.entries);
        keys.extend(entries.map(|entry| entry.key));
    }
    keys
}

/// Returns the table of an entry, if the entry's key is a language. Returns `None` if the entry is
/// a word, including a word with plural forms.
fn language<'e>(entry: &'e Entry, keys: &[&str]) -> Option<&'e Table> {
    match &entry.node.value {
        Value::Table(table)
            if words::is_name(&entry.key)
                && !keys.contains(&entry.key.as_str())
                && table.get("other").is_none() =>
        {
            Some(table)
        }
        _ => None,
    }
}

fn word(fields: &Fields<'_, '_>, entry: &Entry, keys: &[&str], table: &mut WordTable) {
    let key = &entry.key;
    let (reader, span) = (fields.reader, &entry.node.span);
    let Some(word) = words::word(&entry.node.value).filter(|_| span.len() <= MAX_WORD_LENGTH)
    else {
        let message = format!("`{KEY}.{key}` must be text of at most {MAX_WORD_LENGTH} bytes");
        let help = "write it in quotes, or in its plural forms: { one = \"{n} result\", other = \"{n} results\" }";
        return reader.error(span, message, help);
    };
    let present = words::present_key(key);
    if present != key {
        let message = format!("the word `{key}` is now `{present}`");
        let help = format!("write `{present}`; `{key}` has the same effect");
        reader.warning(Rule::UnknownKey, &entry.key_span, message, help);
    } else if !keys.contains(&key.as_str()) {
        let help = nearest(key, keys).map_or_else(
            || "see the documentation of words for the known keys".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        reader.warning(Rule::UnknownKey, &entry.key_span, format!("unknown word `{key}`"), help);
    }
    if let Some(missing) = words::missing_placeholder(present, &word) {
        let message = format!("the word `{key}` lacks {missing}");
        let help = format!("add {missing}: pages replace it with a value");
        return reader.error(span, message, help);
    }
    let bare = words::without_colon(present, &word);
    if bare.is_some() {
        let message = format!("the word `{key}` ends in a colon");
        let help = "remove the colon: pages add a colon in languages that use one";
        reader.warning(Rule::UnknownKey, span, message, help);
    }
    table.insert(present.to_owned(), bare.unwrap_or(word));
}

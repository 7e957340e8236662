//! `[words]` of `site.toml`: texts of the site's furniture in the author's own words.

use front_matter::{Entry, Table, Value};

use super::fields::{Fields, nearest};
use crate::model::{OwnWords, WordTable};
use crate::words;

const KEY: &str = "words";

/// Longest word, in bytes.
const LONGEST: usize = 2000;

/// Reads the table. A theme of the site's own may have words of its own (`knows_others`), so that no key is unknown.
pub(super) fn read(fields: &Fields<'_, '_>, knows_others: bool) -> OwnWords {
    let mut own = OwnWords::default();
    let Some(node) = fields.node(KEY) else {
        return own;
    };
    let Value::Table(table) = &node.value else {
        fields.wrong::<()>(KEY, node, "a table", &node.value);
        return own;
    };
    for entry in &table.entries {
        match language(entry) {
            Some(table) => {
                let mut of_language = WordTable::new();
                for entry in &table.entries {
                    word(fields, entry, knows_others, &mut of_language);
                }
                own.languages.insert(entry.key.clone(), of_language);
            }
            None => word(fields, entry, knows_others, &mut own.site),
        }
    }
    own
}

/// The table of a language, which is no table of plural categories.
fn language(entry: &Entry) -> Option<&Table> {
    match &entry.node.value {
        Value::Table(table) if words::is_name(&entry.key) && table.get("other").is_none() => {
            Some(table)
        }
        _ => None,
    }
}

fn word(fields: &Fields<'_, '_>, entry: &Entry, knows_others: bool, table: &mut WordTable) {
    let key = &entry.key;
    let (reader, span) = (fields.reader, &entry.node.span);
    let Some(word) = words::word(&entry.node.value).filter(|_| span.len() <= LONGEST) else {
        let message = format!("`{KEY}.{key}` has to be a text of at most {LONGEST} bytes");
        let help = "write it in quotes, or in its plural forms: { one = \"{n} result\", other = \"{n} results\" }";
        return reader.error(span, message, help);
    };
    if !knows_others && !words::KEYS.contains(&key.as_str()) {
        let help = nearest(key, &words::KEYS).map_or_else(
            || "the page on words lists the keys there are".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        reader.warning(&entry.key_span, format!("unknown word `{key}`"), help);
    }
    table.insert(key.clone(), word);
}

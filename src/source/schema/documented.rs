//! What keys mean, from the tables of the Pages that document them.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::Kind;
use crate::model::record::{Field, Shape, lines};
use crate::model::{FeedConfig, ImageConfig, MarkdownConfig, OutputConfig};
use crate::source::fields::watch::MARK;

const CONFIGURATION: &str = include_str!("../../../content/pages/configuration.md");
const CONTENT: &str = include_str!("../../../content/pages/content.md");
const EVENTS: &str = include_str!("../../../content/pages/events.md");
const PAGES: &str = include_str!("../../../content/pages/pages-and-channel.md");
const PODCASTING: &str = include_str!("../../../content/pages/podcasting.md");

/// Where tables stand: a Page, a heading, the start of the table's first cell, and the table of keys that it is about.
type Place = (&'static str, &'static str, &'static str, &'static str);

fn places(kind: Kind) -> &'static [Place] {
    match kind {
        Kind::Site => &[
            (CONFIGURATION, "Keys", "key", ""),
            (CONFIGURATION, "`[media]`", "key", "media"),
            (CONFIGURATION, "`[hosting]`", "key", "hosting"),
            (CONFIGURATION, "`[deploy]`", "key |", "deploy"),
            (CONFIGURATION, "`[deploy]`", "key |", "deploy.media"),
            (CONFIGURATION, "`[deploy]`", "key of `[deploy.notify]`", "deploy.notify"),
            (CONFIGURATION, "`[site_files]`", "key", "site_files.*"),
            (CONFIGURATION, "`[warehouse]`", "key", "warehouse"),
            (CONFIGURATION, "`[check]`", "key", "check"),
            (CONFIGURATION, "`[[realtime]]`", "key |", "realtime"),
            (CONFIGURATION, "`[[realtime]]`", "key of a webhook", "realtime.webhooks"),
            (CONFIGURATION, "`[[webhooks]]`", "key", "webhooks"),
        ],
        Kind::Item => &[
            (CONTENT, "Every key of an item", "key", ""),
            (CONTENT, "Texts from other generators", "written", ""),
            (PODCASTING, "Keys of an item", "key", "podcast"),
            (PODCASTING, "Chapters", "key", "podcast.chapters"),
            (PODCASTING, "Apple tags", "key", "itunes"),
        ],
        Kind::Page => {
            &[(PAGES, "Pages", "key", ""), (CONTENT, "Texts from other generators", "written", "")]
        }
        Kind::Channel => &[
            (PAGES, "The channel", "key", ""),
            (PODCASTING, "Keys of an item", "key", "podcast"),
            (PODCASTING, "Keys of the channel", "key", "podcast"),
        ],
        Kind::Calendar => &[(EVENTS, "Calendars", "key", "")],
        Kind::Event => &[
            (EVENTS, "Every field of an event", "field", ""),
            (EVENTS, "Live shows", "key", "live"),
            (PODCASTING, "Keys of an item", "key", "live"),
        ],
    }
}

/// The tables of `site.toml` that are declared.
const DECLARED: [(&str, &Shape); 4] = [
    ("feed", FeedConfig::SHAPE),
    ("output", OutputConfig::SHAPE),
    ("markdown", MarkdownConfig::SHAPE),
    ("images", ImageConfig::SHAPE),
];

/// What is documented of the keys of a kind of file, by table and key.
pub struct Documented(BTreeMap<String, BTreeMap<String, Map<String, Json>>>);

pub fn documented(kind: Kind) -> Documented {
    let mut tables: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
    let declared = DECLARED.iter().filter(|_| kind == Kind::Site);
    for (prefix, shape) in declared {
        let fields = shape.fields.iter().map(|field| {
            let mut said = Map::new();
            said.insert("description".into(), json!(without_links(&in_a_line(field))));
            if let Some(default) = field.default {
                said.insert("default".into(), default());
            }
            (field.key.to_owned(), said)
        });
        tables.insert((*prefix).to_owned(), fields.collect());
    }
    for (page, heading, first, prefix) in places(kind) {
        let table = tables.entry((*prefix).to_owned()).or_default();
        for (key, said) in rows(page, heading, first) {
            table.entry(key).or_insert(said);
        }
    }
    Documented(tables)
}

impl Documented {
    /// What a schema says of a key.
    pub fn of(&self, steps: &[&str], key: &str) -> Map<String, Json> {
        let table = self.0.get(&steps.join(".").replace(MARK, "*"));
        let said = table.and_then(|table| table.get(key));
        said.cloned().unwrap_or_default()
    }
}

/// The rows of a table below a heading.
fn rows(page: &str, heading: &str, first: &str) -> Vec<(String, Map<String, Json>)> {
    let is_heading =
        |line: &&str| line.trim_start_matches('#').trim() == heading && line.starts_with('#');
    let mut lines = page.lines().skip_while(|line| !is_heading(line)).skip(1);
    let mut lines = lines.by_ref().take_while(|line| !line.starts_with('#'));
    let head = lines.find(|line| line.starts_with(&format!("| {first}")));
    let head = head.map(cells).unwrap_or_default();
    let mut found = Vec::new();
    for line in lines.skip(1).take_while(|line| line.starts_with('|')) {
        let cells = cells(line);
        let keys = cells.first().copied().unwrap_or_default();
        for key in keys.split('`').skip(1).step_by(2) {
            let key = key.split([':', ' ']).next().unwrap_or_default();
            found.push((key.to_owned(), said(&head, &cells)));
        }
    }
    found
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

fn said(head: &[&str], cells: &[&str]) -> Map<String, Json> {
    let cell = |name: &str| {
        let at = head.iter().position(|cell| *cell == name);
        at.and_then(|at| cells.get(at)).copied()
    };
    let mut said = Map::new();
    let text = match (cell("becomes"), cell("shape"), cell("means")) {
        (Some(tag), Some(shape), _) => format!("{tag}: {shape}"),
        (_, _, Some(other)) => {
            said.insert("deprecated".into(), json!(true));
            format!("another generator's; here it is {other}")
        }
        _ => cells.last().copied().unwrap_or_default().to_owned(),
    };
    said.insert("description".into(), json!(without_links(&text)));
    if let Some(default) = cell("default").and_then(default) {
        said.insert("default".into(), default);
    }
    said
}

/// A default, where the cell is one value.
fn default(cell: &str) -> Option<Json> {
    let value = cell.strip_prefix('`')?.strip_suffix('`')?;
    serde_json::from_str(value).ok()
}

/// Markdown whose links lead nowhere: they would be relative to a Page.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let (Some((outside, label)), Some((_, after))) =
            (before.rsplit_once('['), after.split_once(')'))
        else {
            break;
        };
        out.push_str(outside);
        out.push_str(label);
        rest = after;
    }
    out + rest
}

/// The meaning of a field in one line.
fn in_a_line(field: &Field) -> String {
    lines(field.means).replace('\n', " ")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::record::Kind as Holds;

    const PAGE: &str = "content/pages/configuration.md";

    /// `UPDATE=1` writes the tables.
    #[test]
    fn tables_of_settings_are_those_that_are_declared() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
        let written = std::fs::read_to_string(&file).unwrap();
        let mut page = written.clone();
        for (name, shape) in DECLARED {
            page = with_table(&page, &format!("### `[{name}]`"), &table(shape));
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&file, &page).unwrap();
        }
        assert_eq!(page, written, "run this test with UPDATE=1 to write {PAGE}");
    }

    /// A page with another table as the first below a heading.
    fn with_table(page: &str, heading: &str, table: &str) -> String {
        let below = page.find(&format!("{heading}\n")).unwrap();
        let start = below + page[below..].find("\n| ").unwrap() + 1;
        let end = start + page[start..].find("\n\n").unwrap() + 1;
        [&page[..start], table, &page[end..]].concat()
    }

    fn table(shape: &Shape) -> String {
        let head = "| key | type | default | meaning |\n| --- | --- | --- | --- |\n".to_owned();
        shape.fields.iter().fold(head, |table, field| {
            let default = field.default.map(|default| format!("`{}`", default()));
            let default = default.map_or("none".to_owned(), |text| text.replace(',', ", "));
            let (kind, means) = (phrase(field.kind), in_a_line(field));
            table + &format!("| `{}` | {kind} | {default} | {means} |\n", field.key)
        })
    }

    fn phrase(kind: Holds) -> String {
        match kind {
            Holds::Word(names) => format!("`{}`", names.join("`, `")),
            Holds::Flag => "true or false".to_owned(),
            Holds::Between(least, most) => format!("{least} to {}", grouped(most)),
            Holds::Own(phrase) => phrase.to_owned(),
            _ => unreachable!("no setting is of this kind yet"),
        }
    }

    /// A number with commas between thousands, from 10,000 on.
    fn grouped(number: i64) -> String {
        match number {
            10_000.. => format!("{},{:03}", number / 1000, number % 1000),
            _ => number.to_string(),
        }
    }
}

//! Examples of front matter, generated from the declarations of keys.

use model::shape::{Field, Kind, Shape, Written};

/// An example of a web address.
const URL: &str = "\"https://example.com/a\"";

/// The line for a field in an example.
pub enum Entry {
    /// A line with this spelling of the key and an example value.
    Example(&'static str),
    /// A line with the key and this value in TOML.
    Value(String),
    /// No line.
    Nothing,
}

/// Writes a table in TOML. `choose` selects the line for each declared field. `end` is inserted
/// between the lines.
pub fn table(
    shape: &'static Shape,
    choose: &dyn Fn(&'static Shape, &'static Field) -> Entry,
    end: &str,
) -> String {
    let inner = |shape| format!("{{ {} }}", table(shape, choose, ", "));
    let mut lines: Vec<(&str, String)> = Vec::new();
    for field in shape.in_files() {
        let (key, value) = match choose(shape, field) {
            Entry::Example(key) => (key, example(field, &inner)),
            Entry::Value(value) => (field.key, value),
            Entry::Nothing => continue,
        };
        // A spelling of one field may be the key of another field.
        if lines.iter().all(|(known, _)| *known != key) {
            lines.push((key, value));
        }
    }
    let lines = lines.into_iter().map(|(key, value)| format!("{key:?} = {value}"));
    lines.collect::<Vec<_>>().join(end)
}

fn example(field: &Field, inner: &dyn Fn(&'static Shape) -> String) -> String {
    if !field.example.is_empty() {
        return field.example.to_owned();
    }
    let ways = field.written();
    let way = ways.iter().find(|way| way.table().is_some()).or(ways.first());
    let one = match (field.kind, way) {
        (Kind::Form(form), _) => format!("{:?}", form.example),
        (Kind::Known(_, _, names), _) => format!("{:?}", names().first().unwrap_or(&"A")),
        (Kind::Address, _) => URL.to_owned(),
        (Kind::Time, _) => "2026-01-01T00:00:00Z".to_owned(),
        (_, way) => way.map_or_else(|| "\"A\"".to_owned(), |way| written(way, inner)),
    };
    match field.is_listed || matches!(field.kind, Kind::Texts) {
        true => format!("[{one}]"),
        false => one,
    }
}

fn written(way: &Written, inner: &dyn Fn(&'static Shape) -> String) -> String {
    let first = |ways: &[Written]| ways.first().map_or_else(String::new, |way| written(way, inner));
    match way {
        Written::Keys(shape) => inner(shape),
        Written::List(ways) => format!("[{}]", first(ways)),
        Written::Each(ways) => format!("{{ \"a.txt\" = {} }}", first(ways)),
        Written::Web => URL.to_owned(),
        Written::YesNo => "true".to_owned(),
        Written::Whole(least, _) => (*least).max(1).to_string(),
        Written::Numeric => "1".to_owned(),
        Written::Word(names) => format!("{:?}", names[0]),
        Written::OneOf(names) => format!("{:?}", names().first().map_or("A", String::as_str)),
        Written::Plain | Written::UpTo(_) | Written::Anything => "\"A\"".to_owned(),
    }
}

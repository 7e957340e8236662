//! Finds the shape of a table by asking its reader, key by key.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::Kind;
use super::documented::{Documented, documented};
use super::probe::{Answer, Step, ask};
use crate::source::fields::watch::{Bounds, MARK};

type Schema = Map<String, Json>;

const TABLE: &str = "object";
const TEXT: &str = "string";

/// Types, each with values. A number may be too small or too large for what it is asked for.
const TYPES: [(&str, &[&str]); 5] = [
    ("boolean", &["true", "false"]),
    ("integer", &["1", "100"]),
    ("number", &["1.5"]),
    (TEXT, &["\"text\""]),
    (TABLE, &["{}"]),
];

/// No reader goes deeper.
const DEEPEST: usize = 8;

/// The schema of the table that a file of this kind is.
pub fn table(kind: Kind) -> Schema {
    let survey = Survey { kind, documented: documented(kind), shared: RefCell::default() };
    let mut schema = survey.table(&[]);
    let shared = survey.shared.into_inner();
    if !shared.is_empty() {
        schema.insert("$defs".into(), shared.into());
    }
    schema
}

struct Survey {
    kind: Kind,
    documented: Documented,
    /// Tables by name, which schemas refer to: many keys have the same.
    shared: RefCell<Schema>,
}

/// What is found out of a table.
#[derive(Default)]
struct Found {
    known: BTreeSet<&'static str>,
    unwelcome: BTreeSet<&'static str>,
    bounds: BTreeMap<String, Bounds>,
    /// What was missing whenever it was not there.
    required: Option<BTreeSet<String>>,
}

impl Found {
    fn add(&mut self, key: &str, answer: &Answer) {
        let watch = &answer.watch;
        let Some(known) = &watch.known else { return };
        self.known.extend(known);
        self.unwelcome.extend(&watch.unwelcome);
        for (key, bounds) in &watch.bounds {
            self.bounds.entry(key.clone()).or_default().add(bounds);
        }
        let mut missing = watch.missing.clone();
        missing.insert(key.to_owned());
        self.required = Some(match self.required.take() {
            None => missing,
            Some(before) => before.intersection(&missing).cloned().collect(),
        });
    }
}

impl Survey {
    fn table(&self, steps: &[Step<'_>]) -> Schema {
        let mut found = Found::default();
        let mut schema = Schema::new();
        schema.insert("type".into(), json!("object"));
        if steps.len() > DEEPEST {
            return schema;
        }
        let first = ask(self.kind, steps, MARK, "1", 0);
        if first.watch.known.is_none() {
            // Nobody knows its keys: they are the author's.
            let value = self.value(steps, MARK, &mut found);
            if !value.is_empty() {
                schema.insert("additionalProperties".into(), value.into());
            }
            return schema;
        }
        found.add(MARK, &first);
        let mut shapes: BTreeMap<&'static str, Schema> = BTreeMap::new();
        // A key may be asked for only where another is there.
        while let Some(key) = found.known.iter().copied().find(|key| !shapes.contains_key(key)) {
            let shape = self.value(steps, key, &mut found);
            shapes.insert(key, shape);
        }
        let names: Vec<&str> = steps.iter().map(|step| step.key()).collect();
        let mut properties = Schema::new();
        for (key, shape) in shapes {
            if !found.unwelcome.contains(key) {
                let mut property = self.documented.of(&names, key);
                property.extend(shape);
                properties.insert(key.to_owned(), property.into());
            }
        }
        schema.insert("properties".into(), properties.into());
        schema.insert("additionalProperties".into(), json!(false));
        let required = found.required.unwrap_or_default();
        let required: Vec<String> = required.into_iter().filter(|key| key != MARK).collect();
        if !required.is_empty() {
            schema.insert("required".into(), json!(required));
        }
        schema
    }

    /// The shape of what stands under a key: nothing is said where it can be anything.
    fn value(&self, steps: &[Step<'_>], key: &str, found: &mut Found) -> Schema {
        let alone = self.types(steps, key, ["", ""], found);
        let is_list = self.is_right(steps, key, "[]", 0, found);
        if is_list && alone.len() == TYPES.len() {
            return Schema::new();
        }
        let listed = match is_list {
            true => self.types(steps, key, ["[", "]"], found),
            false => Vec::new(),
        };
        let bounds = found.bounds.get(key).cloned().unwrap_or_default();
        let table = |types: &[&'static str], step| {
            let has_table = types.contains(&TABLE);
            has_table.then(|| self.share(key, self.table(&[steps, &[step]].concat())))
        };
        let known = |step| {
            let answer = ask(self.kind, &[steps, &[step]].concat(), MARK, "1", 0);
            answer.watch.known
        };
        let one = table(&alone, Step::Key(key));
        // Most are the same in a list and alone.
        let each = match &one {
            Some(one) if known(Step::Key(key)) == known(Step::Listed(key)) => Some(one.clone()),
            _ => table(&listed, Step::Listed(key)),
        };
        let alone = shape(&alone, &bounds, one);
        if !is_list {
            return alone;
        }
        let mut list = one_type("array");
        let items = shape(&listed, &bounds, each.filter(|_| listed.contains(&TABLE)));
        if !items.is_empty() {
            list.insert("items".into(), items.into());
        }
        either(alone, list)
    }

    /// A table as others refer to it. Editors of TOML do not read what stands beside a reference, so there it stays.
    fn share(&self, key: &str, mut table: Schema) -> Schema {
        if self.kind.is_toml() || !table.contains_key("properties") {
            return table;
        }
        // A key that holds more types than a table says so beside the reference.
        table.remove("type");
        let table = Json::Object(table);
        let mut shared = self.shared.borrow_mut();
        let same = shared.iter().find(|(_, other)| **other == table);
        let name = same.map(|(name, _)| name.clone()).unwrap_or_else(|| {
            let mut name = key.to_owned();
            while shared.contains_key(&name) {
                name.push('_');
            }
            name
        });
        let reference = format!("#/$defs/{name}");
        shared.insert(name, table);
        Schema::from_iter([("$ref".to_owned(), json!(reference))])
    }

    /// The types that a value can have, or an element of the list that it is.
    fn types(
        &self,
        steps: &[Step<'_>],
        key: &str,
        [open, close]: [&str; 2],
        found: &mut Found,
    ) -> Vec<&'static str> {
        let mut types = Vec::new();
        for (name, values) in TYPES {
            let named = found.bounds.get(key).filter(|_| name == TEXT);
            let named = named.and_then(|bounds| bounds.names.first());
            let named = named.map(|name| format!("{name:?}"));
            for value in values.iter().copied().chain(named.as_deref()) {
                let value = format!("{open}{value}{close}");
                if self.is_right(steps, key, &value, open.len(), found) {
                    types.push(name);
                    break;
                }
            }
        }
        types
    }

    fn is_right(
        &self,
        steps: &[Step<'_>],
        key: &str,
        value: &str,
        at: usize,
        found: &mut Found,
    ) -> bool {
        let answer = ask(self.kind, steps, key, value, at);
        found.add(key, &answer);
        answer.is_right
    }
}

fn one_type(name: &str) -> Schema {
    Schema::from_iter([("type".to_owned(), json!(name))])
}

/// What can be of these types, within the bounds.
fn shape(types: &[&'static str], bounds: &Bounds, table: Option<Schema>) -> Schema {
    let has = |name| types.contains(&name);
    if has(TEXT) && !bounds.names.is_empty() && types.len() > 1 {
        let others: Vec<&'static str> =
            types.iter().copied().filter(|name| *name != TEXT).collect();
        return either(shape(&[TEXT], bounds, None), shape(&others, bounds, table));
    }
    let mut schema = table.unwrap_or_default();
    // A whole number is a number.
    let names: Vec<&str> =
        types.iter().copied().filter(|name| *name != "integer" || !has("number")).collect();
    match names.as_slice() {
        [] => return Schema::new(),
        [name] => schema.insert("type".into(), json!(name)),
        names => schema.insert("type".into(), json!(names)),
    };
    if let Some((least, most)) = bounds.range.filter(|_| has("integer")) {
        if least != i64::MIN {
            schema.insert("minimum".into(), json!(least));
        }
        if most != i64::MAX {
            schema.insert("maximum".into(), json!(most));
        }
    }
    if !has(TEXT) {
        return schema;
    }
    if !bounds.names.is_empty() {
        schema.insert("enum".into(), json!(bounds.names));
        return schema;
    }
    if let Some(most) = bounds.most_characters {
        schema.insert("maxLength".into(), json!(most));
    }
    if bounds.is_http_url {
        schema.insert("format".into(), json!("uri-reference"));
    }
    schema
}

/// What has either shape. One schema of both types is clearer in an editor than two, where it can be.
fn either(one: Schema, other: Schema) -> Schema {
    if one.is_empty() {
        return other;
    }
    if one.contains_key("enum") || one.contains_key("anyOf") {
        let mut shapes = match one.get("anyOf") {
            Some(Json::Array(shapes)) => shapes.clone(),
            _ => vec![one.into()],
        };
        shapes.push(other.into());
        return Schema::from_iter([("anyOf".to_owned(), Json::Array(shapes))]);
    }
    let types = |schema: &Schema| match schema.get("type") {
        Some(Json::Array(names)) => names.clone(),
        name => name.cloned().into_iter().collect(),
    };
    let all = [types(&one), types(&other)].concat();
    let mut both = one;
    both.extend(other);
    both.insert("type".into(), Json::Array(all));
    both
}

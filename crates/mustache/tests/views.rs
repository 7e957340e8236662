//! Tests with views of a program's own types instead of JSON.

use std::cell::Cell;
use std::sync::Arc;

use mustache::{Data, Object, Partials, Rewrite, Template, object};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::parse;
use super::properties::{json_value, template_like};

/// A view of a JSON object.
struct Fields<'a>(&'a Map<String, Value>);

impl<'a> Object<'a> for Fields<'a> {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        self.0.get(key).map(view)
    }

    fn keys(&self) -> Vec<String> {
        self.0.keys().rev().cloned().collect()
    }
}

/// Converts JSON to data that contains every kind of view.
fn view(value: &Value) -> Data<'_> {
    match value {
        Value::String(text) => match text.len() % 3 {
            0 => Data::from(text),
            1 => Data::from(text.clone()),
            _ => Data::shared(Arc::<str>::from(text.as_str())),
        },
        Value::Array(values) if values.len() == 2 => values.iter().map(view).collect(),
        Value::Array(values) => Data::list(values.len(), move |at| view(&values[at])),
        Value::Object(fields) => Data::object(Fields(fields)),
        scalar => Data::from(scalar),
    }
}

fn render_for_readers_lossy(
    template: &Template,
    context: &[Data<'_>],
    partials: &Partials,
) -> String {
    let louder: &Rewrite<'_> = &|key, text| (key == "a").then(|| format!("{text}!").into());
    let mut out = String::new();
    let _ = template.render_for_readers(context, partials, louder, &mut out);
    out
}

fn render_bounded(template: &Template, context: &[Data<'_>], partials: &Partials) -> String {
    let mut out = String::new();
    let _ = template.render_within(100_000, context, partials, &mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn views_render_like_equal_json(
        source in template_like(),
        partial in template_like(),
        values in prop::collection::vec(json_value(), 0..3),
    ) {
        let (Ok(template), Ok(partial)) = (Template::parse(source), Template::parse(partial)) else {
            return Ok(());
        };
        let partials: Partials = [("p", partial)].into_iter().collect();
        let borrowed: Vec<Data<'_>> = values.iter().map(Data::from).collect();
        let views: Vec<Data<'_>> = values.iter().map(view).collect();
        for (data, value) in [&borrowed, &views].into_iter().flat_map(|all| all.iter().zip(&values)) {
            prop_assert_eq!(&data.to_json(), value);
        }
        let printed = render_bounded(&template, &borrowed, &partials);
        prop_assert_eq!(&render_bounded(&template, &views, &partials), &printed);
        let context: Vec<&Value> = values.iter().collect();
        let mut out = String::new();
        if template.render(&context, &partials, &mut out).is_ok() && out.len() < 100_000 {
            prop_assert_eq!(&out, &printed);
        }
        let printed = render_for_readers_lossy(&template, &borrowed, &partials);
        prop_assert_eq!(&render_for_readers_lossy(&template, &views, &partials), &printed);
    }
}

struct Counted<'a> {
    made: &'a Cell<usize>,
    has_note: bool,
}

impl Counted<'_> {
    fn made(&self, text: &'static str) -> &'static str {
        self.made.set(self.made.get() + 1);
        text
    }
}

object!(impl Counted<'a>, |view| {
    "title" => view.made("Late tide"),
    "size" => 3_u64,
    "none" => None::<&str>,
    "note" if view.has_note => view.made("a note"),
});

struct Wrapper<'a> {
    inner: Counted<'a>,
}

object!(impl Wrapper<'a>, |view| {
    "title" => "of around",
    "note" if !view.inner.has_note => "no note",
} else view.inner);

#[test]
fn a_wrapper_object_inherits_keys() {
    let made = Cell::new(0);
    for (has_note, prints) in [
        (
            true,
            "of around a note 3 {\"none\":null,\"note\":\"a note\",\"size\":3,\"title\":\"of around\"}",
        ),
        (
            false,
            "of around no note 3 {\"none\":null,\"note\":\"no note\",\"size\":3,\"title\":\"of around\"}",
        ),
    ] {
        let inner = Counted { made: &made, has_note };
        let data = Data::object(Wrapper { inner });
        let template = parse("{{title}} {{note}} {{size}} {{{.}}}");
        assert_eq!(render_bounded(&template, &[data], &Partials::new()), prints);
    }
}

#[test]
fn a_section_computes_its_value_once() {
    let made = Cell::new(0);
    let item = || {
        let view = Counted { made: &made, has_note: true };
        Data::object(view)
    };
    for (template, prints, times) in [
        ("{{#title}}{{title}}, {{title}}{{/title}}", "Late tide, Late tide", 1),
        ("{{#i.note}}{{i.note}}{{i.title}}{{/i.note}}", "a noteLate tide", 2),
        ("{{#title}}{{#size}}{{title}}{{/size}}{{/title}}", "Late tide", 2),
        ("{{#i}}{{i.title}}{{#i}}{{title}}{{/i}}{{/i}}", "Late tideLate tide", 2),
    ] {
        made.set(0);
        let context = [Data::from([("i", item())]), item()];
        let printed = render_bounded(&parse(template), &context, &Partials::new());
        assert_eq!((printed.as_str(), made.get()), (prints, times), "{template}");
    }
}

#[test]
fn only_used_values_are_computed() {
    let made = Cell::new(0);
    let item = |has_note| Data::object(Counted { made: &made, has_note });
    let outer = Data::from([("note", Data::from("outer")), ("none", Data::from("outer"))]);
    let context = [outer, item(false)];
    let template = parse("{{title}} {{size}} {{none}}/{{note}}");
    let printed = render_bounded(&template, &context, &Partials::new());
    assert_eq!((printed.as_str(), made.get()), ("Late tide 3 /outer", 1));

    let all = render_bounded(&parse("{{{.}}}"), &[item(true)], &Partials::new());
    assert_eq!(all, r#"{"none":null,"note":"a note","size":3,"title":"Late tide"}"#);
    let all = render_bounded(&parse("{{{.}}}"), &[item(false)], &Partials::new());
    assert_eq!(all, r#"{"none":null,"size":3,"title":"Late tide"}"#);
}

#[test]
fn numbers_print_like_json() {
    let numbers: Data<'_> = [
        Data::from(60.0),
        Data::from(f64::NAN),
        Data::from(u64::MAX),
        Data::from(-1_i64),
        Data::from(0_usize),
    ]
    .into_iter()
    .collect();
    assert_eq!(numbers.to_json(), json!([60.0, null, u64::MAX, -1, 0]));
    let printed = render_bounded(&parse("{{#.}}{{.}} {{/.}}{{{.}}}"), &[numbers], &Partials::new());
    assert_eq!(printed, "60  18446744073709551615 -1 0 [60.0,null,18446744073709551615,-1,0]");
}

#[test]
fn text_is_rewritten_wherever_it_is_displayed() {
    let data = json!({
        "a": "é<", "b": "x", "l": ["y"], "o": { "a": "z", "name": "N" }, "n": { "name": 1 }, "e": {},
    });
    for (template, prints) in [
        ("{{a}} {{{a}}} {{b}}", "é&lt;! é<! x"),
        ("{{a.length}} {{b.length}}", "3 1"),
        ("{{#a}}{{.}}{{/a}} {{#a}}{{{a}}}{{/a}}", "é&lt;! é<!"),
        ("{{#l}}{{.}}{{/l}} {{l.0}} [{{l}}]", "y y []"),
        ("{{o.a}} {{o}} [{{n}}{{e}}{{.}}]", "z! N []"),
        ("{{#o}}{{.}}{{/o}}", "N"),
    ] {
        let printed =
            render_for_readers_lossy(&parse(template), &[Data::from(&data)], &Partials::new());
        assert_eq!(printed, prints, "{template}");
    }
}

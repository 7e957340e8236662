//! Comparison of the engine with the `mustache` crate, an independent implementation, where that
//! crate follows the specification.
//!
//! Templates are generated as trees, which are then converted to source text. The trees avoid
//! everything that the crate gets wrong:
//!
//! - The data contains no `""` or `0`. The crate renders neither a section of `""` nor its
//!   inversion, and treats `0` as true.
//! - Strings contain no `/`, `` ` `` or `=`, because the crate does not escape these characters.
//! - Lists, objects and booleans are never interpolated, because the crate panics. `.` is only used
//!   directly inside a section of a list of strings, because the crate does not use `true` as a
//!   context.
//! - A standalone tag follows a line of text and has nothing after it on its line. The crate does
//!   not recognize standalone tags after another tag's line, or before trailing spaces.
//! - A partial's lines start with text and end with a newline, and a partial within a line has only
//!   one line. The crate indents lines of the output, but the specification requires indenting
//!   lines of the source.

use mustache::{Partials, Template};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// A template element that occupies whole lines.
#[derive(Debug, Clone)]
enum Block {
    Line(Vec<Inline>),
    Section { sigil: char, name: &'static str, indent: &'static str, body: Vec<Block> },
    Comment { indent: &'static str },
    Partial { name: &'static str, indent: &'static str },
    Delimiters(&'static str, &'static str),
}

/// A template element within a line.
#[derive(Debug, Clone)]
enum Inline {
    Text(String),
    Value { name: &'static str, style: Style },
    Section { sigil: char, name: &'static str, body: Vec<Inline> },
    EachText,
    Comment,
    Partial,
    Delimiters(&'static str, &'static str),
}

#[derive(Debug, Clone, Copy)]
enum Style {
    Escaped,
    Braces,
    Ampersand,
}

/// A writer that converts a tree to template source, and tracks the current delimiters.
struct Writer {
    out: String,
    open: &'static str,
    close: &'static str,
    newline: &'static str,
}

impl Writer {
    fn write(blocks: &[Block], newline: &'static str) -> String {
        let mut writer = Writer { out: String::new(), open: "{{", close: "}}", newline };
        writer.blocks(blocks);
        writer.out
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            match block {
                Block::Line(inlines) => self.line(inlines),
                Block::Section { sigil, name, indent, body } => {
                    self.write_standalone(indent, &format!("{sigil}{name}"));
                    self.blocks(body);
                    self.write_standalone(indent, &format!("/ {name}"));
                }
                Block::Comment { indent } => self.write_standalone(indent, "! a\n comment "),
                Block::Partial { name, indent } => {
                    self.write_standalone(indent, &format!("> {name} "))
                }
                // The crate cannot read delimiters that contain the current delimiters.
                Block::Delimiters(_, close) if close.contains(self.close) => {}
                Block::Delimiters(open, close) => {
                    self.write_standalone(" ", &format!("={open} {close}="));
                    (self.open, self.close) = (open, close);
                }
            }
        }
    }

    fn line(&mut self, inlines: &[Inline]) {
        self.out.push_str("- ");
        self.inlines(inlines);
        self.out.push('.');
        self.out.push_str(self.newline);
    }

    fn write_standalone(&mut self, indent: &str, content: &str) {
        self.line(&[]);
        self.out.push_str(indent);
        self.tag(content);
        self.out.push_str(self.newline);
    }

    fn inlines(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text(text) => self.out.push_str(text),
                Inline::Value { name, style } => match style {
                    Style::Escaped => self.tag(&format!(" {name} ")),
                    Style::Braces => self.tag(&format!("{{{name}}}")),
                    Style::Ampersand => self.tag(&format!("& {name}")),
                },
                Inline::Section { sigil, name, body } => {
                    self.tag(&format!("{sigil} {name}"));
                    self.inlines(body);
                    self.tag(&format!("/{name}"));
                }
                Inline::EachText => {
                    self.tag("#texts");
                    self.tag(".");
                    self.tag("{ . }");
                    self.tag("/texts");
                }
                Inline::Comment => self.tag("! c "),
                Inline::Partial => self.tag(">within"),
                Inline::Delimiters(_, close) if close.contains(self.close) => {}
                Inline::Delimiters(open, close) => {
                    self.tag(&format!("= {open}  {close} ="));
                    (self.open, self.close) = (open, close);
                }
            }
        }
    }

    fn tag(&mut self, content: &str) {
        self.out.push_str(self.open);
        self.out.push_str(content);
        self.out.push_str(self.close);
    }
}

const SECTIONS: &[&str] =
    &["s", "t", "b", "c", "l", "m", "o", "texts", "o.s", "o.b", "o.l", "o.o", "l.s", "no.b"];

fn delimiters() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(vec![("{{", "}}"), ("<%", "%>"), ("|", "|"), ("[", "]")])
}

fn inlines() -> impl Strategy<Value = Vec<Inline>> {
    let name = prop::sample::select(vec!["s", "t", "o.s", "o.o.t", "no", "s.t", "l.s"]);
    let style = prop::sample::select(vec![Style::Escaped, Style::Braces, Style::Ampersand]);
    let leaf = prop_oneof![
        3 => "[a-z \té]{1,5}".prop_map(Inline::Text),
        5 => (name, style).prop_map(|(name, style)| Inline::Value { name, style }),
        1 => Just(Inline::EachText),
        1 => Just(Inline::Comment),
        1 => Just(Inline::Partial),
        1 => delimiters().prop_map(|(open, close)| Inline::Delimiters(open, close)),
    ];
    let inline = leaf.prop_recursive(3, 12, 3, |inner| {
        (
            prop::sample::select(vec!['#', '^']),
            prop::sample::select(SECTIONS),
            prop::collection::vec(inner, 0..4),
        )
            .prop_map(|(sigil, name, body)| Inline::Section { sigil, name, body })
    });
    prop::collection::vec(inline, 0..4)
}

fn blocks(partials: &'static [&'static str]) -> impl Strategy<Value = Vec<Block>> {
    let indent = || prop::sample::select(vec!["", " ", "\t", "    "]);
    let leaf = prop_oneof![
        4 => inlines().prop_map(Block::Line),
        1 => indent().prop_map(|indent| Block::Comment { indent }),
        2 => (prop::sample::select(partials), indent())
            .prop_map(|(name, indent)| Block::Partial { name, indent }),
        1 => delimiters().prop_map(|(open, close)| Block::Delimiters(open, close)),
    ];
    let block = leaf.prop_recursive(3, 12, 3, move |inner| {
        (
            prop::sample::select(vec!['#', '^']),
            prop::sample::select(SECTIONS),
            indent(),
            prop::collection::vec(inner, 0..4),
        )
            .prop_map(|(sigil, name, indent, body)| Block::Section {
                sigil,
                name,
                indent,
                body,
            })
    });
    prop::collection::vec(block, 0..5)
}

/// Generates an object with a random subset of these keys: scalars `s` and `t`, booleans `b` and
/// `c`, a list of objects `l`, a list of booleans `m`, a list of strings `texts`, and an object
/// `o`.
fn data_scope() -> impl Strategy<Value = Value> {
    let text = || "[a-z<>&\"' é]{1,5}".prop_map(Value::from);
    let scalar = move || {
        prop_oneof![
            4 => text(),
            1 => (1i64..).prop_map(Value::from),
            1 => (-1000i64..0).prop_map(|n| Value::from(n as f64 / 8.0)),
            1 => Just(Value::Null),
        ]
    };
    let flag = || prop_oneof![any::<bool>().prop_map(Value::from), Just(Value::Null)];
    let flat = move || {
        (
            prop::option::weighted(0.8, scalar()),
            prop::option::weighted(0.7, scalar()),
            prop::option::weighted(0.8, flag()),
            prop::option::weighted(0.7, flag()),
            prop::option::weighted(0.7, prop::collection::vec(text(), 0..3).prop_map(Value::from)),
            prop::option::weighted(0.5, prop::collection::vec(flag(), 0..3).prop_map(Value::from)),
        )
            .prop_map(|(s, t, b, c, texts, m)| {
                let fields = [("s", s), ("t", t), ("b", b), ("c", c), ("texts", texts), ("m", m)];
                let fields: Map<String, Value> = fields
                    .into_iter()
                    .filter_map(|(name, value)| Some((name.to_owned(), value?)))
                    .collect();
                fields
            })
    };
    flat().prop_map(Value::Object).prop_recursive(3, 10, 3, move |inner| {
        (
            flat(),
            prop::option::of(prop::collection::vec(inner.clone(), 0..3)),
            prop::option::of(inner),
        )
            .prop_map(|(mut fields, l, o)| {
                fields.extend(l.map(|l| ("l".to_owned(), Value::from(l))));
                fields.extend(o.map(|o| ("o".to_owned(), o)));
                Value::Object(fields)
            })
    })
}

fn render_with_peer(source: &str, data: &Value, partials: &[(&str, String)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, source) in partials {
        std::fs::write(folder.path().join(format!("{name}.mustache")), source).unwrap();
    }
    peer::Context::new(folder.path().to_owned())
        .compile(source.chars())
        .unwrap()
        .render_to_string(data)
        .unwrap()
}

fn render_with_engine(source: &str, data: &Value, partials: &[(&str, String)]) -> String {
    let partials: Partials = partials
        .iter()
        .map(|(name, source)| (*name, Template::parse(source.as_str()).unwrap()))
        .collect();
    let mut out = String::new();
    Template::parse(source).unwrap().render(&[data], &partials, &mut out).unwrap();
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn both_engines_print_the_same(
        page in blocks(&["outer", "inner", "within", "absent"]),
        outer in blocks(&["inner", "absent"]),
        inner in blocks(&["absent"]),
        within in inlines(),
        data in data_scope(),
        newline in prop::sample::select(vec!["\n", "\r\n"]),
        ends_with_newline: bool,
    ) {
        let mut page = Writer::write(&page, newline);
        if !ends_with_newline {
            page.truncate(page.trim_end_matches(['\r', '\n']).len());
        }
        let within: Vec<Inline> = within
            .into_iter()
            .filter(|inline| !matches!(inline, Inline::Partial | Inline::Section { .. }))
            .collect();
        let mut writer = Writer { out: String::new(), open: "{{", close: "}}", newline };
        writer.inlines(&within);
        let partials = [
            ("outer", Writer::write(&outer, newline)),
            ("inner", Writer::write(&inner, newline)),
            ("within", format!("({})", writer.out)),
        ];
        let (render_with_engine, render_with_peer) = (render_with_engine(&page, &data, &partials), render_with_peer(&page, &data, &partials));
        prop_assert_eq!(render_with_engine, render_with_peer, "{:?} {:?}", page, partials);
    }
}

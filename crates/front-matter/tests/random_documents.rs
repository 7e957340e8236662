//! Random front matter in the three formats, with comments, blank lines, different line ends and
//! quotes, and all notations for lists and tables.

use std::fmt::Write;

/// Source of the random choices in a test case.
pub struct Dice<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Dice<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    fn throw(&mut self, sides: usize) -> usize {
        let byte = self.bytes[self.at % self.bytes.len()];
        self.at += 1;
        (usize::from(byte) + self.at / self.bytes.len()) % sides
    }

    fn pick<'b>(&mut self, from: &[&'b str]) -> &'b str {
        from[self.throw(from.len())]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Format {
    Toml,
    Yaml,
    Json,
}

/// Front matter as a list of blocks. A block contains the lines of a key, or the comments and blank
/// lines between keys.
pub struct Document {
    format: Format,
    start: &'static str,
    blocks: Vec<(Option<&'static str>, String)>,
    ends: Vec<bool>,
    body: &'static str,
}

const KEYS: [&str; 8] = ["id", "title", "summary", "n", "tags", "seo", "podcast", "chapters"];
const WORDS: [&str; 10] =
    ["a", "b", "cat", "one two", "Three", "ü", "d e f", "zed", "go on", "x-y"];

impl Document {
    pub fn throw(dice: &mut Dice<'_>) -> Self {
        let format = [Format::Toml, Format::Yaml, Format::Json][dice.throw(3)];
        Self::of(format, dice)
    }

    pub fn random_toml(dice: &mut Dice<'_>) -> Self {
        Self::of(Format::Toml, dice)
    }

    fn of(format: Format, dice: &mut Dice<'_>) -> Self {
        let mut blocks = Vec::new();
        let keys: Vec<_> = KEYS.into_iter().filter(|_| dice.throw(3) > 0).collect();
        let mut sections = Vec::new();
        for (index, key) in keys.iter().enumerate() {
            let (text, is_section) = match format {
                Format::Toml => toml(key, dice),
                Format::Yaml => (yaml(key, dice), false),
                Format::Json => (json(key, dice, index + 1 == keys.len()), false),
            };
            let to = if is_section { &mut sections } else { &mut blocks };
            if format != Format::Json && dice.throw(3) == 0 {
                to.push((
                    None,
                    dice.pick(&["# note\n", "\n", "# far\n", "# a\n\n# b\n"]).to_owned(),
                ));
            }
            to.push((Some(*key), text));
        }
        blocks.append(&mut sections);
        Self {
            format,
            start: dice.pick(&["", "", "\u{feff}"]),
            blocks,
            ends: match dice.throw(4) {
                0 => vec![true],
                1 => (0..7).map(|_| dice.throw(2) == 0).collect(),
                _ => vec![false],
            },
            body: dice.pick(&["", "Body\n", "\nBody\n", "Body", "\n\n# Title\n\ntext\n"]),
        }
    }

    pub fn is_yaml(&self) -> bool {
        self.format == Format::Yaml
    }

    /// Returns the whole document.
    pub fn text(&self) -> String {
        let fields: String = self.blocks.iter().map(|(_, text)| text.as_str()).collect();
        let file = match self.format {
            Format::Toml => format!("+++\n{fields}+++\n{}", self.body),
            Format::Yaml => format!("---\n{fields}---\n{}", self.body),
            Format::Json => format!("{{\n{fields}}}\n{}", self.body),
        };
        self.ended(0, self.start.to_owned() + &file)
    }

    /// Returns the lines that a change to `key` must not affect.
    pub fn lines_without(&self, key: &str) -> Vec<String> {
        let mut number = 1;
        let mut lines = Vec::new();
        for (of, text) in &self.blocks {
            let ended = self.ended(number, text.clone());
            number += text.matches('\n').count();
            // If a section is removed, the blank lines around it are removed too.
            if *of != Some(key) && !(of.is_none() && self.format == Format::Toml) {
                lines.extend(ended.split_inclusive('\n').map(str::to_owned));
            } else if of.is_none() {
                let comments = ended.split_inclusive('\n').filter(|line| line.contains('#'));
                lines.extend(comments.map(str::to_owned));
            }
        }
        lines
    }

    /// Returns a line without the comma that is only needed if another line follows.
    pub fn without_comma<'l>(&self, line: &'l str) -> &'l str {
        match self.format {
            Format::Json => line.trim_end().trim_end_matches(','),
            _ => line,
        }
    }

    fn ended(&self, first: usize, text: String) -> String {
        let line = |(index, line): (usize, &str)| {
            let windows = self.ends[(first + index) % self.ends.len()];
            if windows { line.replace('\n', "\r\n") } else { line.to_owned() }
        };
        text.split_inclusive('\n').enumerate().map(line).collect()
    }
}

fn comment(dice: &mut Dice<'_>) -> &'static str {
    ["", "", " # c", "  # it's \"c\": [1]"][dice.throw(4)]
}

fn generate_list<T>(dice: &mut Dice<'_>, mut make: impl FnMut(&mut Dice<'_>) -> T) -> Vec<T> {
    (0..=dice.throw(3)).map(|_| make(dice)).collect()
}

fn toml_scalar(dice: &mut Dice<'_>) -> String {
    let word = dice.pick(&WORDS);
    match dice.throw(7) {
        0 => format!("'{word}'"),
        1 => dice.pick(&["1", "0x1F", "-2.5", "true", "1_0"]).to_owned(),
        2 => dice.pick(&["2026-11-20", "2026-11-20T09:30:00Z"]).to_owned(),
        _ => format!("\"{word}\""),
    }
}

fn toml_table(dice: &mut Dice<'_>) -> String {
    let keys = ["a", "b", "license"];
    let some: Vec<_> =
        keys[..=dice.throw(3)].iter().map(|key| format!("{key} = {}", toml_scalar(dice))).collect();
    format!("{{ {} }}", some.join(", "))
}

fn toml(key: &str, dice: &mut Dice<'_>) -> (String, bool) {
    let comment = comment(dice);
    let text = match (key, dice.throw(3)) {
        ("summary", 0) => format!("summary = \"\"\"\none\n  two\"\"\"{comment}\n"),
        ("summary", 1) => format!("summary = '''one\n\ntwo\n'''{comment}\n"),
        ("tags", 0) => {
            format!("tags = [{}]{comment}\n", generate_list(dice, toml_scalar).join(", "))
        }
        ("tags", _) => {
            let items = generate_list(dice, |dice| {
                format!("  {},{}\n", toml_scalar(dice), self::comment(dice))
            });
            format!("tags = [{comment}\n{}]\n", items.concat())
        }
        ("chapters", 0) => {
            let items = generate_list(dice, |dice| format!("  {},\n", toml_table(dice)));
            format!("chapters = [\n{}]\n", items.concat())
        }
        ("chapters", _) => {
            let item =
                |dice: &mut Dice<'_>| format!("[[chapters]]\na = {}{comment}\n", toml_scalar(dice));
            let between = dice.pick(&["", "\n", "# between\n"]);
            return (generate_list(dice, item).join(between), true);
        }
        ("seo" | "podcast", 0) => format!("{key} = {}{comment}\n", toml_table(dice)),
        ("seo", 1) => format!(
            "seo.a = {}{comment}\n  seo.license.x = {}\n",
            toml_scalar(dice),
            toml_scalar(dice)
        ),
        ("seo" | "podcast", _) => {
            let inner = if dice.throw(2) == 0 { "" } else { "\n[podcast.license]\nx = 1\n" };
            let inner = inner.replace("podcast", key);
            return (
                format!("[{key}]{comment}\na = {}\n\tb = 2\n{inner}", toml_scalar(dice)),
                true,
            );
        }
        _ => format!("{key}{}= {}{comment}\n", dice.pick(&[" ", "   "]), toml_scalar(dice)),
    };
    (text, false)
}

fn yaml_scalar(dice: &mut Dice<'_>) -> String {
    let word = dice.pick(&WORDS);
    match dice.throw(7) {
        0 => format!("'{word}'"),
        1 => format!("\"{word}\""),
        2 => dice.pick(&["1", "0x1F", "-2.5", "true", "~", "2026-11-20"]).to_owned(),
        _ => word.to_owned(),
    }
}

fn yaml_flow_table(dice: &mut Dice<'_>) -> String {
    let keys = ["a", "b", "license"];
    let some: Vec<_> =
        keys[..=dice.throw(3)].iter().map(|key| format!("{key}: {}", yaml_scalar(dice))).collect();
    format!("{{{}}}", some.join(", "))
}

fn yaml_table(space: &str, dice: &mut Dice<'_>) -> String {
    let mut text = String::new();
    for key in &["a", "b", "license"][..=dice.throw(3)] {
        let _ = writeln!(text, "{space}{key}: {}{}", yaml_scalar(dice), comment(dice));
        text.push_str(dice.pick(&["", "", "", "       # deep in\n", "\n", "# out\n"]));
    }
    text
}

fn yaml(key: &str, dice: &mut Dice<'_>) -> String {
    let comment = comment(dice);
    let space = dice.pick(&["", "  ", "    "]);
    match (key, dice.throw(4)) {
        ("summary", 0) => format!("summary: |{comment}\n  one\n\n    two\n"),
        ("summary", 1) => "summary: >-\n    one\n    two\n\n".to_owned(),
        ("summary", 2) => format!("summary: one\n  two{comment}\n"),
        ("summary", _) => format!("\"summary\" : 'one\n\n  two'{comment}\n"),
        ("tags", 0) => {
            format!("tags: [{}]{comment}\n", generate_list(dice, yaml_scalar).join(", "))
        }
        ("tags", 1) => {
            let items = generate_list(dice, |dice| {
                format!("  {},{}\n", yaml_scalar(dice), self::comment(dice))
            });
            format!("tags: [{comment}\n{}  ]\n", items.concat())
        }
        ("tags", _) => {
            let item = |dice: &mut Dice<'_>| {
                format!("{space}- {}{}\n", yaml_scalar(dice), self::comment(dice))
            };
            format!("tags:{comment}\n{}", generate_list(dice, item).concat())
        }
        ("chapters", _) => {
            let item = |dice: &mut Dice<'_>| {
                let table = yaml_table(&format!("{space}  "), dice);
                format!("{space}- {}", table.trim_start())
            };
            format!("chapters:\n{}", generate_list(dice, item).concat())
        }
        ("seo" | "podcast", 0) => format!("{key}: {}{comment}\n", yaml_flow_table(dice)),
        ("seo" | "podcast", _) => {
            let space = if space.is_empty() { " " } else { space };
            format!("{key}:{comment}\n{}", yaml_table(space, dice))
        }
        _ => format!("{key}:{}{}{comment}\n", dice.pick(&[" ", "   "]), yaml_scalar(dice)),
    }
}

fn json_scalar(dice: &mut Dice<'_>) -> String {
    match dice.throw(4) {
        0 => dice.pick(&["1", "-2.5", "true", "null", "1e2"]).to_owned(),
        _ => format!("\"{}\"", dice.pick(&WORDS)),
    }
}

fn json_table(dice: &mut Dice<'_>, open: &str, between: &str, close: &str) -> String {
    let keys = ["a", "b", "license"];
    let some: Vec<_> = keys[..=dice.throw(3)]
        .iter()
        .map(|key| format!("\"{key}\": {}", json_scalar(dice)))
        .collect();
    format!("{{{open}{}{close}}}", some.join(between))
}

fn json(key: &str, dice: &mut Dice<'_>, last: bool) -> String {
    let value = match (key, dice.throw(2)) {
        ("tags", 0) => format!("[{}]", generate_list(dice, json_scalar).join(",")),
        ("tags", _) => format!("[\n    {}\n  ]", generate_list(dice, json_scalar).join(",\n    ")),
        ("chapters", _) => {
            let item = |dice: &mut Dice<'_>| json_table(dice, "", ",", "");
            format!("[\n    {}\n  ]", generate_list(dice, item).join(",\n    "))
        }
        ("seo" | "podcast", 0) => json_table(dice, " ", ", ", " "),
        ("seo" | "podcast", _) => json_table(dice, "\n    ", ",\n    ", "\n  "),
        _ => json_scalar(dice),
    };
    format!("  \"{key}\": {value}{}\n", if last { "" } else { "," })
}

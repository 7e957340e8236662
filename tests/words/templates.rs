//! What the built-in themes show is a word of its language's file, never English in a template or a script.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Names that are the same in every language.
const LANGUAGE_NEUTRAL_NAMES: [&str; 4] = ["RSS", "JSON", "JSON Feed", "OPML"];

/// What `meta` elements say to browsers, not to people.
const BROWSER_META_NAMES: [&str; 3] = ["viewport", "color-scheme", "theme-color"];

/// Attributes that are read to somebody. A `data-` attribute is too, where it has a space or a capital.
const READABLE_ATTRIBUTES: [&str; 7] =
    ["aria-label", "title", "alt", "placeholder", "content", "label", "aria-description"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The files below a folder that end so, with their texts.
fn read_files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found
}

/// A text without what stands between two marks.
fn remove_between(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once(end).map_or("", |(_, rest)| rest));
    }
    out
}

/// Whether a text has letters that are none of the names which are the same in every language.
fn is_english(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic();
    let text = text.trim_matches(|c: char| !is_letter(c));
    text.contains(is_letter) && !LANGUAGE_NEUTRAL_NAMES.contains(&text)
}

/// What a template shows by itself: its texts, and its attributes that are read.
fn template_texts(template: &str) -> Vec<String> {
    let text = remove_between(template, "<!--", "-->");
    let text = remove_between(&text, "{{{", "}}}");
    let text = remove_between(&text, "{{", "}}");
    let mut shown = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, after) = part.rsplit_once('>').unwrap_or((part, ""));
        // A key of the keyboard, or what XSLT tests and falls back to.
        let is_other = tag == "kbd" || tag.starts_with("xsl:otherwise");
        let is_to_browsers =
            BROWSER_META_NAMES.iter().any(|name| tag.contains(&format!("name=\"{name}\"")));
        if !is_other && is_english(after) {
            shown.push(after.trim().to_owned());
        }
        let names = tag.split("=\"");
        let values = tag.split("=\"").skip(1);
        for (before, value) in names.zip(values) {
            let name = before.rsplit([' ', '\n']).next().unwrap_or_default();
            let value = value.split('"').next().unwrap_or_default();
            let is_told =
                name.starts_with("data-") && value.contains(|c: char| c == ' ' || c.is_uppercase());
            let is_read = READABLE_ATTRIBUTES.contains(&name) || is_told;
            // XSLT takes a value in braces from the feed.
            let is_filled = value.starts_with('{');
            if is_read && !is_filled && !is_to_browsers && is_english(value) {
                shown.push(format!("{name}=\"{value}\""));
            }
        }
    }
    // A partial may be a piece of a tag.
    let outside = text.split('<').next().unwrap_or_default();
    let outside = if outside.contains("=\"") { "" } else { outside };
    // Names of classes have hyphens.
    let words: Vec<&str> = outside.split_whitespace().filter(|word| !word.contains('-')).collect();
    let outside = words.join(" ");
    shown.extend(is_english(&outside).then_some(outside));
    shown
}

/// Punctuation and numbers that a template writes by itself next to what it fills in, in its texts
/// and in attributes that are read. Languages differ in them: `{{_words.colon}}`,
/// `{{_words.comma}}`, `{{_words.number.15}}`.
fn punctuated(template: &str) -> Vec<String> {
    /// Stands for what is filled in.
    const FILLED: &str = "\u{1}";
    let text = remove_between(template, "<!--", "-->");
    let text = remove_between(&text, "{{!", "}}");
    let parts = text.split("{{").enumerate().map(|(at, part)| match part.split_once("}}") {
        Some((tag, after)) if at > 0 => {
            let is_value = !tag.starts_with(['#', '^', '/', '>']);
            format!("{}{}", if is_value { FILLED } else { "" }, after.trim_start_matches('}'))
        }
        _ => part.to_owned(),
    });
    let text: String = parts.collect();
    let mut read: Vec<&str> = Vec::new();
    for part in text.split('<') {
        // A partial may be a piece of a tag.
        let is_piece = !part.contains('>') && part.contains("=\"");
        let (tag, after) = part.rsplit_once('>').unwrap_or(("", part));
        let after = if is_piece { "" } else { after };
        let is_other = tag == "kbd" || tag.starts_with("style") || tag.starts_with("svg");
        read.extend((!is_other).then_some(after));
        let labels = READABLE_ATTRIBUTES.iter().filter(|name| **name != "content");
        for name in labels {
            let value = tag.split(&format!(" {name}=\"")).nth(1);
            read.extend(value.and_then(|value| value.split('"').next()));
        }
    }
    let is_wrong = |text: &&str| {
        let has_digit = text.bytes().any(|b| b.is_ascii_digit());
        let after_word = format!("{FILLED}:");
        has_digit || text.contains(": ") || text.contains(", ") || text.contains(&after_word)
    };
    read.into_iter().filter(is_wrong).map(|text| text.replace(FILLED, "{{…}}")).collect()
}

/// Lines of a script that put a colon or a comma between texts.
fn joined_in_script(script: &str) -> Vec<&str> {
    let lines = script.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    let is_wrong = |line: &&str| {
        let is_css = line.contains("matchMedia") || line.contains("prefers-color-scheme");
        let has_mark = ["}: ", "}, ", "`: ", "`, $", "\": \"", "\", \""];
        let in_template = line.split('`').skip(1).step_by(2).any(|literal| {
            has_mark[..2].iter().any(|mark| literal.contains(mark))
                || literal.starts_with(": ")
                || literal.starts_with(", ")
        });
        let plain = line.split('"').skip(1).step_by(2).any(|text| [": ", ", "].contains(&text));
        !is_css && (in_template || plain)
    };
    lines.filter(is_wrong).collect()
}

/// Sentences and labels in a script: literals that begin like a sentence.
fn script_texts(script: &str) -> Vec<String> {
    // What a key of the keyboard is called in events.
    const KEYS: [&str; 4] = ["Enter", "Escape", "Home", "End"];
    let lines = script.lines().map(str::trim_start);
    let code = lines.filter(|line| !line.starts_with("//"));
    let mut said = Vec::new();
    for line in code {
        for mark in ['"', '`'] {
            for literal in line.split(mark).skip(1).step_by(2) {
                let first = literal.split(' ').next().unwrap_or_default();
                let rest = first.trim_start_matches(|c: char| c.is_ascii_uppercase());
                let is_word = first.len() == rest.len() + 1
                    && !rest.is_empty()
                    && rest.bytes().all(|b| b.is_ascii_lowercase());
                if is_word && !KEYS.contains(&literal) {
                    said.push(literal.to_owned());
                }
            }
        }
    }
    said
}

/// The words that a template names.
fn template_words(template: &str) -> BTreeSet<&str> {
    let parts = template.split("_words.").skip(1);
    parts
        .filter_map(|part| part.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next())
        .collect()
}

#[test]
fn english_text_in_templates_and_scripts_is_detected() {
    assert_eq!(template_texts("<p>{{_words.by}} Ann, <b>RSS</b> <kbd>k</kbd> {{x}}"), ["Ann,"]);
    assert_eq!(
        template_texts(
            "{{! A note. }}<a data-do=\"next\" data-told=\"Not found\"{{#x}} alt=\"{{x}}\"{{/x}} title=\"Go\">→</a>"
        ),
        ["data-told=\"Not found\"", "title=\"Go\""]
    );
    assert_eq!(
        script_texts(
            "if (key === \"Enter\") tell(\"Link copied\");\n// Say \"No\".\nx.title = `Go`;"
        ),
        ["Link copied", "Go"]
    );
}

#[test]
fn punctuation_and_numbers_in_a_template_or_script_are_found() {
    for (template, found) in [
        ("<p>{{_words.by}}: {{name}}</p>", "{{…}}: {{…}}"),
        ("<p>{{#a}}{{type}}{{/a}}, {{size}}</p>", "{{…}}, {{…}}"),
        ("<a aria-label=\"{{_words.copy}}:{{name}}\">×</a>", "{{…}}:{{…}}"),
        ("<option value=\"0.75\">0.75×</option>", "0.75×"),
    ] {
        assert_eq!(punctuated(template), [found], "{template}");
    }
    let right =
        "<p data-x=\"1\" style=\"a: b\">{{_words.by}}{{_words.colon}}{{! A: b. }}{{name}}</p>";
    assert!(punctuated(right).is_empty());
    assert_eq!(joined_in_script("x = `${word}: ${title}`;").len(), 1);
    assert_eq!(joined_in_script("x = [a, b].join(\", \");").len(), 1);
    assert!(joined_in_script("x = { a: `at:${page}`, b: [1, 2] };").is_empty());
}

#[test]
fn no_template_and_no_script_has_punctuation_or_numbers_of_its_own() {
    let of_templates = read_files("themes", &[".mustache"]).into_iter().flat_map(|(name, text)| {
        let found = punctuated(&text).into_iter();
        found.map(move |found| format!("{name}: {found:?}")).collect::<Vec<_>>()
    });
    let mut scripts = read_files("themes", &[".js"]);
    scripts.extend(read_files("src/render/search", &[".js"]));
    let of_scripts = scripts.iter().flat_map(|(name, text)| {
        joined_in_script(text).into_iter().map(move |line| format!("{name}: {line}"))
    });
    let found: Vec<_> = of_templates.chain(of_scripts).collect();
    assert!(
        found.is_empty(),
        "use _words.colon, _words.comma or _words.number in these:\n{}",
        found.join("\n")
    );
}

#[test]
fn no_template_or_script_contains_english_text() {
    let templates = read_files("themes", &[".mustache", ".xsl"]);
    assert!(templates.len() > 30);
    let of_templates = templates.iter().flat_map(|(name, text)| {
        let shown = template_texts(text).into_iter();
        shown.map(move |shown| format!("{name}: {shown}"))
    });
    let mut scripts = read_files("themes", &[".js"]);
    scripts.extend(read_files("src/render/search", &[".js"]));
    let of_scripts = scripts.iter().flat_map(|(name, text)| {
        let said = script_texts(text).into_iter();
        said.map(move |said| format!("{name}: {said}"))
    });
    let found: Vec<_> = of_templates.chain(of_scripts).collect();
    assert!(
        found.is_empty(),
        "make words of these in src/words/languages/en.toml:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_used_word_exists_and_every_word_is_used() {
    // Made by the program: no texts of a language's file.
    const COMPUTED_WORDS: [&str; 7] =
        ["minutes", "number", "clock", "speeds", "colon", "comma", "lang"];
    // Found by what an item names its type.
    const WORDS_BY_TYPE: [&str; 2] = ["trailer", "bonus"];
    // Named by formats of the program: `_words.colon`, `_words.comma`, `_service.byline`.
    const PATTERNS: [&str; 3] = ["labelled", "joined", "by"];
    let keys: BTreeSet<&str> = words::KEYS.iter().copied().collect();
    let templates = read_files("themes", &[".mustache", ".css"]);
    let mut used: BTreeSet<&str> = WORDS_BY_TYPE.into_iter().chain(PATTERNS).collect();
    for (name, text) in &templates {
        for key in template_words(text) {
            assert!(keys.contains(key) || COMPUTED_WORDS.contains(&key), "{name}: `_words.{key}`");
            used.insert(key);
        }
    }
    let mut program = read_files("src/render", &[".rs"]);
    // The titles of notes, the built-in 404 page, and the accessibility statement.
    for folder in ["src/source/body", "src/site", "src/cli/new"] {
        program.extend(read_files(folder, &[".rs"]));
    }
    let program: String = program.into_iter().map(|(_, text)| text).collect();
    let unused: Vec<_> =
        keys.difference(&used).filter(|key| !program.contains(&format!("\"{key}\""))).collect();
    assert!(unused.is_empty(), "nothing names these words: {unused:?}");
}

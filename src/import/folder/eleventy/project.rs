//! The setup of an Eleventy site: its folders, and which files it does not read.

use std::collections::HashMap;

use serde_json::Value;

use super::program::Program;
use crate::import::folder::data;
use crate::import::folder::globs::{Globs, Style};
use crate::import::folder::source::Source;
use crate::import::folder::tree::{Tree, joined, split};

/// The names of settings files. The first that exists is read.
const SETTINGS: [&str; 5] = [
    ".eleventy.js",
    "eleventy.config.js",
    "eleventy.config.mjs",
    "eleventy.config.cjs",
    "eleventy.config.ts",
];

/// A site's folders and settings. Folders end in `/`, or are empty.
pub struct Project {
    pub input: String,
    /// Whether the settings name the folder of texts literally.
    pub is_input_known: bool,
    pub data: String,
    pub includes: String,
    pub layouts: String,
    output: String,
    pub settings: Option<Program>,
    pub aliases: HashMap<String, String>,
    /// Whether Markdown is among the template formats.
    pub reads_markdown: bool,
    /// The suffixes of data files, and their name if it differs from the folder's name.
    pub suffixes: Vec<String>,
    pub base_name: Option<String>,
    ignored: Vec<(String, Globs)>,
}

impl Project {
    pub fn of(tree: &mut Tree, source: &mut Source) -> Self {
        let options = Options::of(tree);
        let named = options
            .get("config")
            .into_iter()
            .filter_map(|path| joined("", path));
        let mut names = named.chain(SETTINGS.map(str::to_owned));
        let path = names.find(|path| tree.has(path));
        let text = path.and_then(|path| Some((tree.text(&path)?, path)));
        let settings = text.map(|(text, path)| {
            let mut program = Program::new(&path, &text);
            program.add_own_parts(tree);
            program
        });
        let mut is_input_known = true;
        let mut folder = |option: &str, key: &str, function: &str| {
            let said = settings.as_ref().and_then(|program| {
                let (calls, is_known) = program.arguments(function);
                let call = calls.into_iter().next_back().map(|text| Ok(vec![text]));
                let call = call.or_else(|| (!is_known).then_some(Err(())));
                call.or_else(|| program.property(key))
            });
            let text = match (options.get(option), said) {
                (Some(text), _) => Some(text.clone()),
                (None, Some(Ok(texts))) => texts.into_iter().next(),
                (None, Some(Err(()))) => {
                    is_input_known &= key != "input";
                    None
                }
                (None, None) => None,
            };
            text.and_then(|text| joined("", &text))
        };
        let input = folder("input", "input", "setInputDirectory").unwrap_or_default();
        let includes = folder("", "includes", "setIncludesDirectory");
        let layouts = folder("", "layouts", "setLayoutsDirectory");
        let data = folder("", "data", "setDataDirectory");
        let output = folder("output", "output", "setOutputDirectory");
        let slashed = |path: String| match &*path {
            "" => path,
            _ => format!("{path}/"),
        };
        let below = |path: String| slashed(joined(&input, &path).unwrap_or_default());
        let includes = below(includes.unwrap_or_else(|| "_includes".into()));
        let words = |program: &Program, function: &str| program.arguments(function).0;
        let formats = options.get("formats").cloned().map(|text| vec![text]);
        let formats = formats.or_else(|| {
            let program = settings.as_ref()?;
            let called = words(program, "setTemplateFormats");
            let called = Some(called).filter(|formats| !formats.is_empty());
            called.or_else(|| program.property("templateFormats")?.ok())
        });
        let is_markdown = |formats: &Vec<String>| {
            let mut names = formats.iter().flat_map(|text| text.split(','));
            names.any(|name| matches!(name.trim(), "md" | "*"))
        };
        let added = settings
            .as_ref()
            .map(|program| words(program, "addTemplateFormats"))
            .unwrap_or_default();
        let mut project = Self {
            data: below(data.unwrap_or_else(|| "_data".into())),
            layouts: layouts.map_or_else(|| includes.clone(), below),
            includes,
            output: slashed(output.unwrap_or_else(|| "_site".into())),
            reads_markdown: formats.is_none_or(|formats| is_markdown(&formats))
                || is_markdown(&added),
            suffixes: settings
                .as_ref()
                .and_then(|program| {
                    Some(words(program, "setDataFileSuffixes")).filter(|list| !list.is_empty())
                })
                .unwrap_or_else(|| vec![".11tydata".to_owned(), String::new()]),
            base_name: settings
                .as_ref()
                .and_then(|program| words(program, "setDataFileBaseName").into_iter().next()),
            aliases: settings
                .as_ref()
                .map(|program| program.pairs("addLayoutAlias"))
                .unwrap_or_default(),
            ignored: Vec::new(),
            input: slashed(input),
            is_input_known,
            settings,
        };
        project.ignored = ignored(tree, &project, source);
        project
    }

    /// The reason why Eleventy does not read a file. None if it does.
    pub fn ignores(&self, path: &str) -> Option<&str> {
        let found = self.ignored.iter().find(|(_, globs)| globs.covers(path));
        found.map(|(place, _)| place.as_str())
    }

    /// Whether a file belongs to templates, data or output.
    pub fn is_inside(&self, path: &str) -> bool {
        let folders = [&self.includes, &self.layouts, &self.data, &self.output];
        let mut folders = folders
            .into_iter()
            .filter(|folder| !folder.is_empty() && **folder != self.input);
        folders.any(|folder| path.starts_with(folder.as_str()))
    }
}

/// Sets of patterns of ignored files, each with the place where it is written.
fn ignored(tree: &mut Tree, project: &Project, source: &mut Source) -> Vec<(String, Globs)> {
    let program = project.settings.as_ref();
    let uses_git = program.is_none_or(|program| {
        let (said, _) = program.arguments("setUseGitIgnore");
        said.last().is_none_or(|said| said != "false")
    });
    let mut sets = Vec::new();
    let own = format!("{}.eleventyignore", project.input);
    for file in [".gitignore", ".eleventyignore", &own] {
        if file == ".gitignore" && !uses_git || sets.iter().any(|(place, _)| place == file) {
            continue;
        }
        if !tree.has(file) {
            continue;
        }
        let text = tree.text(file).unwrap_or_default();
        let folder = split(file).0;
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '!']));
        let mut patterns = Vec::new();
        for line in lines {
            let line = line.trim_end_matches('/');
            patterns.extend(joined(folder, line));
            // Git matches a name without a slash at any depth.
            if file == ".gitignore" && !line.contains('/') {
                patterns.push(format!("**/{line}"));
            }
        }
        sets.push((file.to_owned(), globs(&patterns, file, source)));
    }
    if let Some(program) = program {
        let (mut patterns, is_known) = program.arguments("ignores.add");
        let (kept, _) = program.arguments("ignores.delete");
        patterns.retain(|pattern| !kept.contains(pattern));
        let computed = program.computed_arguments("ignores.add");
        let is_found = !computed.is_empty();
        patterns.extend(computed);
        if !is_known && !is_found {
            source.note(
                "`ignores.add` has an argument that is not a literal text: files that it hides are not known",
                &*program.path,
            );
        }
        let patterns: Vec<String> = patterns
            .iter()
            .filter_map(|pattern| joined("", pattern))
            .collect();
        sets.push((
            program.path.clone(),
            globs(&patterns, &program.path, source),
        ));
    }
    sets
}

fn globs(patterns: &[String], place: &str, source: &mut Source) -> Globs {
    let style = Style {
        ignores_case: true,
        ..Style::default()
    };
    let (globs, unreadable) = Globs::of(patterns.iter().map(String::as_str), style);
    for pattern in unreadable {
        source.note(format!("the pattern `{pattern}` cannot be read"), place);
    }
    globs
}

/// The options of the command in `package.json`.
struct Options(HashMap<String, String>);

impl Options {
    fn of(tree: &mut Tree) -> Self {
        let mut found = HashMap::new();
        let package = tree
            .has("package.json")
            .then(|| tree.text("package.json"))
            .flatten();
        let package = package.and_then(|text| data::of_file("package.json", &text));
        let scripts = package.and_then(|package| data::get(&package, "scripts").cloned());
        let scripts = scripts
            .and_then(|scripts| scripts.as_object().cloned())
            .unwrap_or_default();
        // The build script comes before scripts that serve.
        let mut commands: Vec<(&String, &Value)> = scripts.iter().collect();
        commands.sort_by_key(|(name, _)| !name.contains("build"));
        for command in commands
            .into_iter()
            .filter_map(|(_, command)| command.as_str())
        {
            if !command.contains("eleventy") {
                continue;
            }
            let words: Vec<&str> = command.split_whitespace().collect();
            for (at, word) in words.iter().enumerate() {
                let Some(option) = word.strip_prefix("--") else {
                    continue;
                };
                let (name, value) = match option.split_once('=') {
                    Some(pair) => pair,
                    None => (option, words.get(at + 1).copied().unwrap_or_default()),
                };
                let value = value.trim_matches(['"', '\'']).to_owned();
                if matches!(name, "input" | "output" | "formats" | "config") {
                    found.entry(name.to_owned()).or_insert(value);
                }
            }
        }
        Self(found)
    }

    fn get(&self, name: &str) -> Option<&String> {
        self.0.get(name).filter(|value| !value.is_empty())
    }
}

//! The setup of an Eleventy site: its folders, its settings, and the files that Eleventy ignores.

use std::collections::HashMap;

use serde_json::Value;

use super::program::{Settings, returns_argument};
use super::script::{AbstractValue, Library, UNKNOWN, of_data};
use crate::folder::data;
use crate::folder::globs::{Globs, Style};
use crate::folder::source::Source;
use crate::folder::tree::{Tree, ending, joined, split};

/// File names of settings files. The first file that exists is read.
const SETTINGS: [&str; 5] = [
    ".eleventy.js", "eleventy.config.js", "eleventy.config.mjs", "eleventy.config.cjs",
    "eleventy.config.ts",
];
pub const PROGRAMS: [&str; 3] = ["js", "cjs", "mjs"];

/// The folders of a site. Each path ends in `/`, or is empty.
#[derive(Debug)]
pub struct Folders {
    settings: Option<String>,
    pub input: String,
    pub data: String,
    pub includes: String,
    pub layouts: String,
    output: String,
    formats: Option<String>,
    /// Suffixes of data files. `base_name` is their name if they are not named after their folder.
    pub suffixes: Vec<String>,
    pub base_name: Option<String>,
    uncertainties: Vec<String>,
}

pub struct Project<'t> {
    pub library: &'t Library,
    pub folders: &'t Folders,
    pub settings: Option<Settings<'t>>,
    pub aliases: HashMap<String, String>,
    /// Whether Eleventy's template formats include Markdown.
    pub reads_markdown: bool,
    /// Functions that decide which Markdown files are processed, each with its location.
    pub preprocessors: Vec<(AbstractValue<'t>, String)>,
    /// Data inherited by all content files.
    pub globals: AbstractValue<'t>,
    /// The reason why it is uncertain which content files have pages.
    pub uncertainty: Option<String>,
    ignored: Vec<(String, Globs)>,
}

impl Folders {
    /// Reads the settings file, and determines the folders of the site.
    pub fn of(tree: &mut Tree, library: &mut Library) -> Self {
        let options = options(tree);
        let option = |name: &str| options.get(name).filter(|value| !value.is_empty()).cloned();
        let named = option("config").and_then(|path| joined("", &path));
        let mut names = named.into_iter().chain(SETTINGS.map(str::to_owned));
        let path = names.find(|path| tree.has(path));
        path.iter().for_each(|path| library.load(tree, path));
        let settings = path.as_ref().map(|path| Settings::of(library, path));
        let said = |function: &str, key: &str| {
            let found = settings.as_ref().map(|settings| settings.setting(function, key));
            found.filter(|value| !value.is_undefined())
        };
        let mut uncertainties = Vec::new();
        let mut folder = |name: &str, key: &str, function: &str| {
            option(name).or_else(|| {
                let found = said(function, &format!("dir.{key}"))?;
                if found.text().is_none() && key != "output" {
                    uncertainties
                        .push(format!("the folder `{key}` in the settings cannot be determined"));
                }
                found.text().map(str::to_owned)
            })
        };
        let input = folder("input", "input", "setInputDirectory").unwrap_or_default();
        let input = joined("", &input).unwrap_or_default();
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
        let mut texts = |function: &str, usual: &[&str]| {
            let texts = said(function, "").map(|value| value.texts());
            if matches!(texts, Some(None)) {
                uncertainties.push(format!("the argument of `{function}` cannot be determined"));
            }
            texts.flatten().unwrap_or_else(|| usual.iter().map(|one| (*one).to_owned()).collect())
        };
        Self {
            suffixes: texts("setDataFileSuffixes", &[".11tydata", ""]),
            base_name: texts("setDataFileBaseName", &[]).into_iter().next(),
            data: below(data.unwrap_or_else(|| "_data".into())),
            layouts: layouts.map_or_else(|| includes.clone(), below),
            includes,
            output: slashed(
                joined("", &output.unwrap_or_else(|| "_site".into())).unwrap_or_default(),
            ),
            formats: option("formats"),
            input: slashed(input),
            uncertainties,
            settings: path,
        }
    }

    /// Parses the JavaScript files that provide data.
    pub fn load(&self, tree: &mut Tree, library: &mut Library) {
        let is_data = |path: &&String| {
            let (stem, kind) = ending(path);
            let mut suffixes = self.suffixes.iter().filter(|suffix| !suffix.is_empty());
            let is_data = path.starts_with(&self.data)
                || suffixes.any(|suffix| stem.ends_with(suffix.as_str()));
            PROGRAMS.contains(&kind) && (is_data || stem.ends_with(".11ty"))
        };
        let paths: Vec<String> = tree.files.keys().filter(is_data).cloned().collect();
        paths.iter().for_each(|path| library.load(tree, path));
    }

    /// Returns whether a file is in a folder for templates, data or output.
    pub fn is_inside(&self, path: &str) -> bool {
        let folders = [&self.includes, &self.layouts, &self.data, &self.output];
        let mut folders =
            folders.into_iter().filter(|folder| !folder.is_empty() && **folder != self.input);
        folders.any(|folder| path.starts_with(folder.as_str()))
    }
}

impl<'t> Project<'t> {
    pub fn of(
        tree: &mut Tree,
        library: &'t Library,
        folders: &'t Folders,
        source: &mut Source,
    ) -> Self {
        let settings = folders.settings.as_ref().map(|path| Settings::of(library, path));
        let mut project = Self {
            library,
            folders,
            aliases: HashMap::new(),
            reads_markdown: folders
                .formats
                .as_ref()
                .is_none_or(|formats| is_markdown(std::slice::from_ref(formats))),
            preprocessors: Vec::new(),
            globals: AbstractValue::object([], true),
            uncertainty: None,
            ignored: Vec::new(),
            settings: None,
        };
        let mut uncertainties = folders.uncertainties.clone();
        let mut patterns = Vec::new();
        if let Some(settings) = &settings {
            uncertainties.extend(settings.uncertainties.iter().cloned());
            project.take(settings, &mut uncertainties, source);
            for call in settings.calls("ignores.add") {
                match call.arguments.first().and_then(AbstractValue::text) {
                    Some(pattern) => patterns.extend(joined("", pattern)),
                    None => uncertainties
                        .push(format!("the pattern at {} cannot be determined", call.place)),
                }
            }
        }
        project.ignored = ignored(tree, folders, settings.as_ref(), source);
        if let Some(path) = &folders.settings {
            project.ignored.push((path.clone(), globs(&patterns, path, source)));
        }
        project.add_globals(tree);
        project.uncertainty = uncertainties.into_iter().next();
        project.settings = settings;
        project
    }

    /// Applies the settings for formats, layouts, shortcodes, data and preprocessors.
    fn take(
        &mut self,
        settings: &Settings<'t>,
        uncertainties: &mut Vec<String>,
        source: &mut Source,
    ) {
        let formats = match &self.folders.formats {
            Some(formats) => AbstractValue::Is(formats.as_str().into()),
            None => settings.setting("setTemplateFormats", "templateFormats"),
        };
        let added = settings.calls("addTemplateFormats").flat_map(|call| call.arguments.first());
        let mut reads = [&formats].into_iter().chain(added).map(|formats| match formats {
            AbstractValue::Undefined => Some(true),
            formats => formats.texts().map(|texts| is_markdown(&texts)),
        });
        self.reads_markdown = reads.any(|reads| reads != Some(false));
        if formats.texts().is_none() && !formats.is_undefined() {
            uncertainties.push("the template formats in the settings cannot be determined".into());
        }
        for call in settings.calls("addLayoutAlias") {
            if let [Some(alias), Some(path)] =
                [0, 1].map(|at| call.arguments.get(at).and_then(AbstractValue::text))
            {
                self.aliases.insert(alias.into(), path.into());
            }
        }
        for call in settings.calls("addGlobalData") {
            let Some(key) = call.arguments.first().and_then(AbstractValue::text) else {
                uncertainties.push(format!("the key at {} cannot be determined", call.place));
                continue;
            };
            self.add_global(key, call.arguments.get(1).cloned().unwrap_or(UNKNOWN));
        }
        for call in settings.calls("addPreprocessor") {
            let kinds = call.arguments.get(1).and_then(AbstractValue::texts);
            if kinds.is_none_or(|kinds| is_markdown(&kinds)) {
                let function = call.arguments.get(2).cloned().unwrap_or(UNKNOWN);
                self.preprocessors.push((function, call.place.clone()));
            }
        }
        for call in settings.calls("addTransform") {
            if !matches!(call.arguments.get(1), Some(AbstractValue::Function(one)) if returns_argument(one) == Some(true))
            {
                uncertainties.push(format!(
                    "the transform at {} may remove the contents of pages",
                    call.place
                ));
            }
        }
        for name in ["addExtension", "setLibrary"] {
            for call in settings.calls(name) {
                let kinds = call.arguments.first().and_then(AbstractValue::texts);
                let is_own = name == "addExtension"
                    || matches!(call.arguments.get(1), Some(AbstractValue::Object(_)));
                if is_own && kinds.is_none_or(|kinds| is_markdown(&kinds)) {
                    uncertainties
                        .push(format!("the code at {} changes how Markdown is parsed", call.place));
                }
            }
        }
        for engine in ["", "Async", "Liquid", "Nunjucks", "NunjucksAsync", "Handlebars"] {
            for call in settings.calls(&format!("addPaired{engine}Shortcode")) {
                let Some(name) = call.arguments.first().and_then(AbstractValue::text) else {
                    uncertainties
                        .push(format!("the shortcode at {} cannot be determined", call.place));
                    continue;
                };
                match call.arguments.get(1) {
                    Some(AbstractValue::Function(one)) if returns_argument(one) == Some(true) => {}
                    Some(AbstractValue::Function(one)) if returns_argument(one) == Some(false) => {
                        source.silent.push(name.into())
                    }
                    _ => source.deciding.push(name.into()),
                }
            }
        }
    }

    /// Adds data that all content files inherit, at a path such as `eleventyComputed.permalink`.
    fn add_global(&mut self, path: &str, value: AbstractValue<'t>) {
        // Eleventy calls a function in global data only once, without the data of a content file.
        let value = value.called(&[UNKNOWN]);
        let nested = path
            .rsplit('.')
            .fold(value, |value, key| AbstractValue::object([(key.to_owned(), value)], true));
        self.globals = self.globals.merged(&nested);
    }

    fn add_globals(&mut self, tree: &mut Tree) {
        let paths: Vec<String> = tree.below(&self.folders.data).cloned().collect();
        for path in paths {
            let inner = path.strip_prefix(&self.folders.data).unwrap_or(&path);
            let (stem, kind) = ending(inner);
            let stem = stem.trim_end_matches(".11tydata").replace('/', ".");
            let value = match kind {
                _ if PROGRAMS.contains(&kind) => {
                    self.library.exports(&path).map(|exports| exports.value())
                }
                "json" | "yaml" | "yml" | "toml" => of_data(tree, &path),
                _ => None,
            };
            self.add_global(&stem, value.unwrap_or(UNKNOWN));
        }
    }

    /// If Eleventy ignores a file, returns the file that contains the matching pattern.
    pub fn ignores(&self, path: &str) -> Option<&str> {
        let found = self.ignored.iter().find(|(_, globs)| globs.covers(path));
        found.map(|(place, _)| place.as_str())
    }
}

fn is_markdown(formats: &[String]) -> bool {
    let mut names = formats.iter().flat_map(|text| text.split(','));
    names.any(|name| matches!(name.trim(), "md" | "*"))
}

/// Returns the patterns for ignored files, each set with the path of the file that contains it.
fn ignored(
    tree: &mut Tree,
    folders: &Folders,
    settings: Option<&Settings<'_>>,
    source: &mut Source,
) -> Vec<(String, Globs)> {
    let uses_git = settings.map(|settings| settings.setting("setUseGitIgnore", ""));
    let uses_git = !matches!(uses_git, Some(AbstractValue::Is(Value::Bool(false))));
    let mut sets: Vec<(String, Globs)> = Vec::new();
    let own = format!("{}.eleventyignore", folders.input);
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
            // Git matches a pattern without a slash at any depth.
            if file == ".gitignore" && !line.contains('/') {
                patterns.push(format!("**/{line}"));
            }
        }
        sets.push((file.to_owned(), globs(&patterns, file, source)));
    }
    sets
}

fn globs(patterns: &[String], place: &str, source: &mut Source) -> Globs {
    let (globs, unreadable) = Globs::of(patterns, Style::ANY_CASE);
    for pattern in unreadable {
        source.note(format!("the pattern `{pattern}` is invalid and was ignored"), place);
    }
    globs
}

/// Returns the options of the `eleventy` command in `package.json`.
fn options(tree: &mut Tree) -> HashMap<String, String> {
    let mut found = HashMap::new();
    let package = tree.has("package.json").then(|| tree.text("package.json")).flatten();
    let package = package.and_then(|text| data::of_file("package.json", &text));
    let scripts = package.and_then(|package| data::get(&package, "scripts").cloned());
    let scripts = scripts.and_then(|scripts| scripts.as_object().cloned()).unwrap_or_default();
    // The script `build` takes precedence over scripts that start a server.
    let mut commands: Vec<(&String, &Value)> = scripts.iter().collect();
    commands.sort_by_key(|(name, _)| !name.contains("build"));
    let commands = commands.into_iter().filter_map(|(_, command)| command.as_str());
    for command in commands.filter(|command| command.contains("eleventy")) {
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
    found
}

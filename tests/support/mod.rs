//! Builds the sites of `tests/fixtures` in temporary folders, at a fixed time. The modules below make small sites,
//! serve sites, and stand in for servers elsewhere.

pub mod git;
pub mod mock_server;
pub mod needs;
pub mod preview_server;
pub mod program;
pub mod receiver;
pub mod served;
pub mod small_site;
pub mod wait;
pub mod xml_tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use feedwright::builder::{Outcome, Silent, run};
use feedwright::model::{Report, Visibility};
use feedwright::project::Options;
use scraper::{Html, Selector};
use serde_json::Value;
use tempfile::TempDir;
use walkdir::WalkDir;

/// The present of every test.
pub const NOW: &str = "2026-04-01T12:00:00Z";

/// The site that holds one of every kind of document, built.
pub static SMALL_SITE: LazyLock<Output> = LazyLock::new(|| Site::fixture("small-site").build());

/// This repository's own site, built at a time when its items are out.
pub static REPOSITORY_SITE: LazyLock<Output> = LazyLock::new(|| {
    Site::repository().build_with(|options| {
        options.visibility.now = "2026-12-31T00:00:00Z".parse().unwrap();
    })
});

/// The example sites of `init --template`.
pub const EXAMPLES: [&str; 4] = ["show", "blog", "photos", "notes"];

/// The example show, built at the time of [`REPOSITORY_SITE`].
pub static SHOW: LazyLock<Output> = LazyLock::new(|| {
    Site::example("show").build_with(|options| {
        options.visibility.now = "2026-12-31T00:00:00Z".parse().unwrap();
    })
});

/// What a deed costs, for tests that hold it to seconds.
pub struct Work {
    start: Instant,
    before: Option<Duration>,
}

impl Work {
    pub fn begin() -> Self {
        Self { start: Instant::now(), before: processor_time() }
    }

    /// The time that has gone; where this process was held up by others, the time that it was at work.
    pub fn so_far(&self) -> Duration {
        let gone = self.start.elapsed();
        let worked = processor_time().zip(self.before);
        worked.map_or(gone, |(now, before)| gone.min(now - before))
    }
}

/// User and system time of this process, where the system tells it: in hundredths on every Linux.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks()? + ticks()?) * 10))
}

/// A site's files, to be changed and built.
pub struct Site {
    folder: TempDir,
}

impl Site {
    /// A copy of a site of `tests/fixtures`.
    pub fn fixture(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&fixtures().join(name), folder.path());
        Self { folder }
    }

    /// A copy of this repository's own site.
    pub fn repository() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["content", "site-files", "themes"] {
            copy(&root.join(part), &folder.path().join(part));
        }
        std::fs::copy(root.join("site.toml"), folder.path().join("site.toml")).unwrap();
        Self { folder }
    }

    /// A copy of an example site of `init --template`.
    pub fn example(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        copy(&root.join("content"), &folder.path().join("content"));
        std::fs::copy(root.join("site.toml"), folder.path().join("site.toml")).unwrap();
        Self { folder }
    }

    /// A site with a `site.toml` and a channel alone.
    pub fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }.write("site.toml", "base_url = \"https://example.com\"\n").write(
            "content/channel.md",
            "+++\ntitle = \"Channel\"\nlanguage = \"en\"\n+++\nAbout it.\n",
        )
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(self, path: &str, text: &str) -> Self {
        let file = self.root().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
        self
    }

    /// Copies a file from elsewhere.
    pub fn copy(self, from: PathBuf, path: &str) -> Self {
        std::fs::copy(from, self.root().join(path)).unwrap();
        self
    }

    pub fn remove(self, path: &str) -> Self {
        std::fs::remove_file(self.root().join(path)).unwrap();
        self
    }

    pub fn replace(self, path: &str, from: &str, to: &str) -> Self {
        let text = std::fs::read_to_string(self.root().join(path)).unwrap();
        assert!(text.contains(from), "{path} does not hold {from:?}");
        self.write(path, &text.replace(from, to))
    }

    /// Adds keys to the top of `site.toml`.
    pub fn config(self, keys: &str) -> Self {
        let text = std::fs::read_to_string(self.root().join("site.toml")).unwrap();
        self.write("site.toml", &format!("{keys}\n{text}"))
    }

    /// Draws the site with a theme of `tests/fixtures/themes`.
    pub fn theme(self, name: &str) -> Self {
        copy(&fixtures().join("themes").join(name), &self.root().join("themes").join(name));
        self.config(&format!("theme = \"{name}\""))
    }

    pub fn build(&self) -> Output {
        self.build_with(|_| {})
    }

    pub fn build_with(&self, change: impl FnOnce(&mut Options)) -> Output {
        match self.try_build(change) {
            Ok(output) => output,
            Err(report) => panic!("the site has errors:\n{}", messages(report)),
        }
    }

    /// What is wrong with the site, one message a line.
    pub fn errors(&self) -> String {
        match self.try_build(|_| {}) {
            Ok(_) => panic!("the site has no errors"),
            Err(report) => messages(report),
        }
    }

    fn try_build(&self, change: impl FnOnce(&mut Options)) -> Result<Output, Report> {
        let out = tempfile::tempdir().unwrap();
        let mut options = options(self.root(), out.path());
        change(&mut options);
        let outcome = run(&options, &Silent)?;
        Ok(Output { folder: out.path().to_path_buf(), outcome, _temporary: out })
    }
}

/// Options that build the site at `root` into `out` at the fixed time.
pub fn options(root: &Path, out: &Path) -> Options {
    Options {
        root: root.to_path_buf(),
        out: Some(out.to_path_buf()),
        base_url: None,
        theme: None,
        visibility: Visibility { now: NOW.parse().unwrap(), drafts: false, future: false },
        overwrite: false,
        show: None,
        is_preview: false,
    }
}

fn messages(report: Report) -> String {
    let lines: Vec<String> = report.sorted().iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// What a build wrote.
pub struct Output {
    folder: PathBuf,
    pub outcome: Outcome,
    _temporary: TempDir,
}

impl Output {
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The paths of all files, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut files: Vec<String> = WalkDir::new(self.folder())
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| {
                let path = entry.path().strip_prefix(self.folder()).unwrap();
                path.to_str().unwrap().to_owned()
            })
            .collect();
        files.sort();
        files
    }

    pub fn has(&self, path: &str) -> bool {
        self.folder().join(path).is_file()
    }

    pub fn text(&self, path: &str) -> String {
        let bytes = std::fs::read(self.folder().join(path));
        let bytes = bytes.unwrap_or_else(|error| panic!("{path}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn html(&self, path: &str) -> Page {
        Page(Html::parse_document(&self.text(path)))
    }

    /// A document as a snapshot holds it: without what changes with every edit of the theme and
    /// every version of the program.
    pub fn stable(&self, path: &str) -> String {
        self.stabilize(&self.text(path))
    }

    pub fn stabilize(&self, text: &str) -> String {
        let assets = self.folder().join("assets");
        let entries = std::fs::read_dir(assets).into_iter().flatten();
        let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let hash = names.find(|name| !name.starts_with("logos-"));
        let text = match hash {
            Some(hash) => text.replace(&hash, "[hash]"),
            None => text.to_owned(),
        };
        text.replace(env!("CARGO_PKG_VERSION"), "[version]")
    }
}

/// A parsed HTML document.
pub struct Page(pub Html);

impl Page {
    /// An attribute of every element that a selector finds.
    pub fn all(&self, selector: &str, attribute: &str) -> Vec<String> {
        self.0
            .select(&Selector::parse(selector).unwrap())
            .filter_map(|element| element.value().attr(attribute))
            .map(str::to_owned)
            .collect()
    }

    /// An attribute of the one element that a selector finds.
    pub fn attribute(&self, selector: &str, attribute: &str) -> Option<String> {
        let mut found = self.all(selector, attribute);
        assert!(found.len() < 2, "{selector} finds {found:?}");
        found.pop()
    }

    /// The texts of the elements that a selector finds, spaces joined.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        self.0
            .select(&Selector::parse(selector).unwrap())
            .map(|element| {
                let text: String = element.text().collect();
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    /// The text of the one element that a selector finds.
    pub fn one(&self, selector: &str) -> String {
        let mut found = self.texts(selector);
        assert_eq!(found.len(), 1, "{selector} finds {found:?}");
        found.remove(0)
    }

    /// The JSON-LD of what the page shows.
    pub fn json_ld(&self) -> Value {
        self.all_json_ld().remove(0)
    }

    /// All JSON-LD of the page.
    pub fn all_json_ld(&self) -> Vec<Value> {
        let script = Selector::parse("script[type='application/ld+json']").unwrap();
        self.0
            .select(&script)
            .map(|element| serde_json::from_str(&element.text().collect::<String>()).unwrap())
            .collect()
    }
}

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// A media file among the fixtures of the crate that reads them.
pub fn media_fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/media-facts/tests/fixtures").join(name)
}

fn copy(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

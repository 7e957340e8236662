//! The compared generators and their sites. All sites have the same items and the same kinds of
//! documents.
//!
//! Each site has one page per item, with its text between a header and a footer. The home page and
//! a page for each tag list titles, 20 per page. The feed holds the texts of the newest 300 items,
//! and there is a sitemap. `content/pages/architecture.md` describes what a generator cannot omit
//! or cannot do.

use std::env;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::change::CHANGED_ITEM;
use super::corpus::{self, Item};
use super::machine::first_output_line;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Feedwright,
    Hugo,
    Zola,
    Blades,
    Eleventy,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Feedwright, Self::Hugo, Self::Zola, Self::Blades, Self::Eleventy];

    /// Returns the name of the program, and of its folder in `sites/`.
    fn program(self) -> &'static str {
        match self {
            Self::Feedwright => "feedwright",
            Self::Hugo => "hugo",
            Self::Zola => "zola",
            Self::Blades => "blades",
            Self::Eleventy => "eleventy",
        }
    }
}

/// A generator installed on this machine.
#[derive(Debug, Clone)]
pub struct Generator {
    pub kind: Kind,
    pub program: PathBuf,
    pub version: String,
}

impl Generator {
    /// Returns every installed generator, feedwright first.
    pub fn installed() -> Vec<Self> {
        Kind::ALL.into_iter().filter_map(Self::find).collect()
    }

    fn find(kind: Kind) -> Option<Self> {
        let named = env::var_os(kind.program().to_uppercase());
        let program = match (named, kind) {
            // An absolute path: the program runs in the folder of its site.
            (Some(path), _) => fs::canonicalize(path).ok()?,
            (None, Kind::Feedwright) => PathBuf::from(env!("CARGO_BIN_EXE_feedwright")),
            (None, _) => PathBuf::from(kind.program()),
        };
        let asked = match kind {
            Kind::Hugo | Kind::Blades => "version",
            _ => "--version",
        };
        let version = first_output_line(Command::new(&program).arg(asked))?;
        Some(Self { kind, program, version })
    }

    pub fn name(&self) -> &'static str {
        self.kind.program()
    }

    /// Writes the generator's site. A build writes the output to the subfolder `public`.
    pub fn make_site(&self, site: &Path, items: usize) {
        let _ = fs::remove_dir_all(site);
        if self.kind == Kind::Feedwright {
            corpus::make(site, items);
        }
        let sites = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/speed/sites");
        let own = sites.join(self.kind.program());
        for entry in walkdir::WalkDir::new(&own).into_iter().flatten() {
            if entry.file_type().is_file() {
                let inner = entry.path().strip_prefix(&own).expect("below the folder");
                let text = fs::read_to_string(entry.path()).expect("the site can be read");
                corpus::write(site.join(inner), &text);
            }
        }
        if self.kind != Kind::Feedwright {
            for number in 0..items {
                let path = site.join(format!("content/item-{number}.md"));
                corpus::write(path, &self.item(&Item::of(number)));
            }
        }
    }

    /// Returns the content file of an item in the format of the generator.
    fn item(&self, item: &Item) -> String {
        let Item { title, date, tags: [one, other], body, .. } = item;
        let tags = format!("[\"{one}\", \"{other}\"]");
        match self.kind {
            Kind::Feedwright | Kind::Hugo => {
                format!("+++\ntitle = \"{title}\"\ndate = {date}\ntags = {tags}\n+++\n{body}")
            }
            Kind::Zola | Kind::Blades => {
                format!(
                    "+++\ntitle = \"{title}\"\ndate = {date}\n[taxonomies]\ntags = {tags}\n+++\n{body}"
                )
            }
            Kind::Eleventy => {
                format!("---\ntitle: \"{title}\"\ndate: {date}\ntopics: {tags}\n---\n{body}")
            }
        }
    }

    /// Appends a line to the text of one item.
    pub fn change(&self, site: &Path, round: usize) {
        let path = match self.kind {
            Kind::Feedwright => corpus::item_file(site, CHANGED_ITEM),
            _ => site.join(format!("content/item-{CHANGED_ITEM}.md")),
        };
        let text = fs::read_to_string(&path).expect("the corpus was written");
        fs::write(path, format!("{text}\nChange {round}.\n")).expect("the corpus can be changed");
    }

    /// Returns the command that builds the site.
    pub fn build(&self, site: &Path) -> Command {
        let mut command = Command::new(&self.program);
        match self.kind {
            Kind::Feedwright => drop(command.arg("build").arg("--site").arg(site)),
            Kind::Hugo => drop(command.arg("--source").arg(site)),
            Kind::Zola => drop(command.arg("--root").arg(site).arg("build")),
            Kind::Blades => drop(command.arg("build")),
            Kind::Eleventy => drop(command.arg("--quiet")),
        }
        command.current_dir(site);
        command
    }

    /// Returns the command that serves the site and rebuilds it after a change, in the generator's own incremental
    /// mode if it has one. None if the generator has no server.
    pub fn serve(&self, site: &Path, addr: SocketAddr) -> Option<Command> {
        let mut command = Command::new(&self.program);
        let (host, port) = (addr.ip().to_string(), addr.port().to_string());
        match self.kind {
            Kind::Feedwright => {
                command.arg("serve").arg("--site").arg(site).arg("--addr").arg(addr.to_string());
            }
            Kind::Hugo => {
                command.args(["server", "--bind", &host, "--port", &port, "--disableLiveReload"]);
            }
            Kind::Zola => {
                command.args(["serve", "--fast", "--interface", &host, "--port", &port]);
            }
            Kind::Blades => return None,
            Kind::Eleventy => {
                command.args(["--serve", "--incremental", "--quiet", "--port", &port]);
            }
        }
        command.current_dir(site);
        Some(command)
    }

    /// Removes the output and the generator's cache.
    pub fn clean(&self, site: &Path) {
        for folder in ["public", ".feedwright", "resources", ".cache"] {
            let _ = fs::remove_dir_all(site.join(folder));
        }
        let _ = fs::remove_file(site.join(".blades"));
    }
}

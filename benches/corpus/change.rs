//! Edits to the [`corpus`] between two builds, like the edits that an author makes.

use std::fs;
use std::path::{Path, PathBuf};

use super::corpus::{TAGS, item_file};

#[derive(Debug, Clone, Copy)]
pub enum Change {
    Text,
    Title,
    Tags,
    /// The channel's title, shown on every page.
    Channel,
    /// A theme template, used for every item's page. Requires a site with its own theme folder, see
    /// [`add_theme`].
    Theme,
}

impl Change {
    pub const ALL: [Self; 5] = [Self::Text, Self::Title, Self::Tags, Self::Channel, Self::Theme];

    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "one item changed in its text",
            Self::Title => "one item changed in its title",
            Self::Tags => "one item changed in its tags",
            Self::Channel => "channel changed",
            Self::Theme => "theme changed",
        }
    }

    /// Edits the site. Each `round` writes a different value.
    pub fn make(self, site: &Path, round: usize) {
        let path = self.file(site);
        let text = fs::read_to_string(&path).expect("the corpus was written");
        fs::write(path, self.edited_text(&text, round)).expect("the corpus can be changed");
    }

    fn file(self, site: &Path) -> PathBuf {
        match self {
            Self::Text | Self::Title | Self::Tags => item_file(site, CHANGED_ITEM),
            Self::Channel => site.join("content/channel.md"),
            Self::Theme => site.join("themes/default/slots/item.mustache"),
        }
    }

    fn edited_text(self, text: &str, round: usize) -> String {
        match self {
            Self::Text => format!("{text}\nChange {round}.\n"),
            Self::Title => replace_line(text, "title = ", &format!("\"Title {round}\"")),
            Self::Tags => {
                let tag = TAGS[round % TAGS.len()];
                replace_line(text, "tags = ", &format!("[\"stone\", \"{tag}\"]"))
            }
            Self::Channel => replace_line(text, "title = ", &format!("\"Bench {round}\"")),
            Self::Theme => format!("{text}<!-- {round} -->\n"),
        }
    }
}

/// Number of the item to edit.
pub const CHANGED_ITEM: usize = 5;

/// Returns the text with a new value on the front matter line that starts with `key`.
fn replace_line(text: &str, key: &str, value: &str) -> String {
    let start = text.find(key).expect("the corpus has the key") + key.len();
    let end = start + text[start..].find('\n').expect("a line ends");
    format!("{}{value}{}", &text[..start], &text[end..])
}

/// Copies the default theme into the site, so that the theme can be edited.
pub fn add_theme(site: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("themes/default");
    for entry in walkdir::WalkDir::new(&from).into_iter().flatten() {
        if entry.file_type().is_file() {
            let inner = entry.path().strip_prefix(&from).expect("below the folder");
            let to = site.join("themes/default").join(inner);
            fs::create_dir_all(to.parent().expect("below the site")).expect("a folder can be made");
            fs::copy(entry.path(), to).expect("the theme can be copied");
        }
    }
}

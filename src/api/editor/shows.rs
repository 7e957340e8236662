//! The show that a person has chosen in the editor, in a site with several shows.

use serde::Deserialize;
use serde_json::{Value, json};

use model::ContentFolder;
use site::Snapshot;

/// The chosen content folder.
#[derive(Debug, Deserialize)]
pub struct Chosen {
    /// `content`, or the folder of a show such as `shows/walks`. None means all folders.
    content: Option<String>,
}

impl Chosen {
    /// Returns the name of the chosen show. New files are in its folder, or else in `content/`.
    pub fn show(&self) -> Option<&str> {
        self.content.as_deref()?.strip_prefix("shows/")
    }

    /// Returns the folder of the chosen show.
    pub fn show_folder(&self) -> Option<ContentFolder> {
        self.show().map(ContentFolder::of_show)
    }

    fn is(&self, content: &ContentFolder) -> bool {
        self.content.as_deref().is_none_or(|own| own == content.as_str())
    }

    /// Returns whether a content file is in the chosen folder.
    pub fn has(&self, path: &str) -> bool {
        self.is(&ContentFolder::of(path))
    }

    /// Returns the snapshots of the chosen folder, or of all folders.
    pub fn parts<'s>(&self, whole: &'s Snapshot) -> Vec<&'s Snapshot> {
        whole.with_shows().filter(|part| self.is(&part.config.content)).collect()
    }
}

/// Returns the folders that a person can choose: the network, and its shows. Returns None for a site
/// without shows.
pub fn folders(whole: &Snapshot) -> Option<Vec<Value>> {
    whole.network_shows().next()?;
    let folders = whole.with_shows().map(|part| {
        json!({
            "content": part.config.content.as_str(),
            "title": part.channel.title,
            "path": format!("{}/", part.config.mount),
        })
    });
    Some(folders.collect())
}

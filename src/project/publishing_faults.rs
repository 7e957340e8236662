//! What `check` alone looks for: it takes longer than a build may, or keeps nobody from building.

use std::path::Path;

use super::Site;
use super::media_faults::media_faults;
use super::picture_faults::picture_faults;
use super::podcast_faults::podcast_faults;
use super::season_faults::season_faults;
use super::sound_faults::sound_faults;
use super::text_faults::text_faults;
use crate::model::{Access, Diagnostic};

pub(crate) fn publishing_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    if site.snapshot.config.access == Access::Offline {
        return Vec::new();
    }
    let rules = [
        sound_faults,
        season_faults,
        picture_faults,
        podcast_faults,
        text_faults,
        media_faults,
    ];
    rules.iter().flat_map(|rule| rule(root, site)).collect()
}

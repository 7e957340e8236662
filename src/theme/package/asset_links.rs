//! Finds assets that templates use but the package does not declare.

use percent_encoding::percent_decode_str;

use super::template_faults::TagFault;
use crate::asset::Asset;
use crate::{ASSET_BASE_URL, ASSET_FOLDER, ASSET_FOLDER_URL};
use mustache::{NameTag, Template};

/// Returns the tags that begin the address of an asset that the package does not declare.
pub(super) fn broken(template: &Template, assets: &[Asset]) -> impl Iterator<Item = TagFault> {
    template.names().filter_map(|tag| asset_link(template, &tag)?.fault(assets))
}

/// The address of an asset in a template.
struct AssetLink<'t> {
    /// Byte offset of the tag in the template.
    at: usize,
    /// Whether the tag outputs the address of the folder of assets, with a trailing slash.
    is_folder: bool,
    /// The text after the tag, up to the end of the address.
    rest: &'t str,
}

/// Returns the address that starts with a tag, if the tag is the base address of assets and only
/// text follows it.
fn asset_link<'t>(template: &'t Template, tag: &NameTag<'t>) -> Option<AssetLink<'t>> {
    let key = tag.keys().last()?;
    let is_folder = key == ASSET_FOLDER_URL;
    if !is_folder && key != ASSET_BASE_URL {
        return None;
    }
    let at = tag.offset();
    let (_, after) = template.source().get(at..)?.split_once("}}")?;
    let after = after.strip_prefix('}').unwrap_or(after);
    let is_end = |c: char| c.is_whitespace() || "\"'`<>?#){},;".contains(c);
    let (rest, end) = after.split_at(after.find(is_end).unwrap_or(after.len()));
    // Skip an address that continues with a value, and the address of a folder, which a script
    // completes.
    let is_whole = !end.starts_with('{') && !rest.ends_with('/') && !rest.is_empty();
    is_whole.then_some(AssetLink { at, is_folder, rest })
}

impl AssetLink<'_> {
    /// Returns the fault if no asset has this address.
    fn fault(&self, assets: &[Asset]) -> Option<TagFault> {
        let wanted = match self.is_folder {
            true => format!("{ASSET_FOLDER}/{}", self.rest),
            false => self.rest.strip_prefix('/').unwrap_or_default().to_owned(),
        };
        let decoded = percent_decode_str(&wanted).decode_utf8_lossy();
        if assets.iter().any(|asset| asset.address == decoded) {
            return None;
        }
        let name = self.rest.trim_start_matches('/');
        let same_name = |asset: &&Asset| {
            let own = asset.address.as_str();
            own == name
                || own.strip_prefix(ASSET_FOLDER).and_then(|own| own.strip_prefix('/'))
                    == Some(name)
        };
        let help = match assets.iter().find(same_name) {
            Some(asset) if self.is_folder => {
                let inner = asset.address.trim_start_matches(ASSET_FOLDER);
                let inner = inner.trim_start_matches('/');
                format!("write {{{{_theme.{ASSET_BASE_URL}}}}}{inner}")
            }
            Some(asset) => format!("write {{{{_theme.{ASSET_BASE_URL}}}}}/{}", asset.address),
            None => {
                "add the file to the package, and list it under `assets` in the manifest".into()
            }
        };
        let message = format!("broken link: the theme has no asset {name}");
        Some(TagFault { at: self.at, message, help })
    }
}

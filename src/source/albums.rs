//! Reader of `[[albums]]` in `site.toml`.

use front_matter::Node;

use super::fields::Fields;
use super::item::slug;
use super::realtime::tables;
use model::content_folder::ITEMS;
use model::{Album, AlbumContents, Slug, SortOrder, folded};

const KEY: &str = "albums";

/// Reads the albums. Two albums cannot have the same address.
pub fn read(fields: &Fields<'_, '_>) -> Vec<Album> {
    // Some file systems ignore the case of letters.
    let mut slugs: Vec<String> = Vec::new();
    tables(fields, KEY, |fields, node| {
        let album = album(fields, node)?;
        let slug = folded(album.slug.as_str()).into_owned();
        if slugs.contains(&slug) {
            let place = fields.node("slug").unwrap_or(node);
            let message = format!("two albums have the address /albums/{}/", album.slug);
            fields.reader.error(&place.span, message, "give each a different `slug`");
            return None;
        }
        slugs.push(slug);
        Some(album)
    })
}

fn album(fields: &Fields<'_, '_>, place: &Node) -> Option<Album> {
    let (tag, folder) = (fields.text("tag"), fields.text("folder"));
    let (title, description) = (fields.text("title"), fields.text("description"));
    let (cover, own_slug) = (fields.text("cover"), fields.text("slug"));
    let order = fields.choice("order", SortOrder::NAMES, SortOrder::parse);
    let (name, derived_slug, folder) = match (tag, folder) {
        (Some(tag), None) => (tag.clone(), Slug::from_tag(&tag), None),
        (None, Some(folder)) => {
            let path = folder.trim_matches('/');
            let items = fields.reader.config.content.join(ITEMS);
            let below = path.strip_prefix(&*items).and_then(|path| path.strip_prefix('/'));
            let path = below.unwrap_or(path);
            if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
                let place = fields.node("folder").unwrap_or(place);
                let message =
                    format!("`{}` is not a folder of items: {folder:?}", fields.name("folder"));
                let help = "write the folder's path below content/items, such as \"city\"";
                fields.reader.error(&place.span, message, help);
                return None;
            }
            let name = path.rsplit('/').next().unwrap_or_default();
            (name.to_owned(), Slug::from_title(name), Some(format!("{items}/{path}/")))
        }
        _ => {
            let help = "write one of them: the tag or the folder of the album's items";
            fields.reader.error(&place.span, "an album needs either `tag` or `folder`", help);
            return None;
        }
    };
    let Some(derived_slug) = derived_slug else {
        let message = format!("{name:?} contains no letter and no digit");
        fields.reader.error(&place.span, message, "use another tag or folder");
        return None;
    };
    let slug = match (fields.node("slug"), own_slug) {
        (Some(node), Some(text)) => slug(fields, node, &text)?,
        _ => derived_slug.clone(),
    };
    let contents = folder.map_or(AlbumContents::Tag(derived_slug), AlbumContents::Folder);
    Some(Album { contents, slug, title: title.unwrap_or(name), description, cover, order })
}

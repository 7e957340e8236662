//! Suggested values for the fields of a document: values from other content of the site, existing
//! files, and the lists of the Podcasting 2.0 namespace.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use serde_json::{Value, json};

use super::Answer;
use super::files::FileRequest;
use super::kind::FileKind;
use model::content_folder::MEDIA;
use model::podcast::Person;
use model::podcast::vocabulary::{LICENSES, PUBLIC_LICENSES, TAXONOMY};
use model::{Category, ContentFolder, SitePath};
use server::App;
use site::Snapshot;
use source::disk::Disk;

/// Maximum number of files to list.
const MAX_FILES: usize = 500;

/// Returns the suggested values for the fields of a document.
pub fn choices(app: &App, request: &FileRequest) -> Answer {
    let (path, _) = FileKind::at(&request.path)?;
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
    let items = || snapshot.entries.iter().map(|entry| &entry.item);
    let tags: BTreeSet<&str> =
        items().flat_map(|item| item.tags.iter().map(|tag| &**tag)).collect();
    let (people, last_people) = people(snapshot, &path);
    // The names are case-insensitive, and authors write them in lower case.
    let roles = TAXONOMY.iter().flat_map(|(_, roles)| roles.iter());
    let roles: BTreeSet<String> = roles.map(|role| role.to_lowercase()).collect();
    let groups: Vec<String> = TAXONOMY.iter().map(|(group, _)| group.to_lowercase()).collect();
    let licenses = LICENSES.into_iter().chain(PUBLIC_LICENSES.map(|(name, _)| name));
    Ok(json!({
        "files": files(&Disk::new(app.live.root()), &path),
        "tags": tags,
        "people": people,
        "last_people": last_people,
        "roles": roles,
        "groups": groups,
        "licenses": licenses.collect::<Vec<_>>(),
    }))
}

/// Returns everybody who took part in other episodes, starting with the newest, and the names of
/// the people in the last episode who were not guests.
fn people(snapshot: &Snapshot, path: &SitePath) -> (Vec<Value>, Vec<String>) {
    let items = snapshot.entries.iter().map(|entry| &entry.item);
    let mut others: Vec<_> = items.filter(|item| item.source != *path).collect();
    others.sort_by_key(|item| std::cmp::Reverse(item.date_published));
    let last = others.iter().find(|item| item.is_episode() && item.date_published.is_some());
    let channel = &snapshot.channel.podcast.shared.people;
    let last = last.map(|item| &item.podcast.shared.people);
    // The channel's people apply to episodes without people.
    let last = last.filter(|people| !people.is_empty()).unwrap_or(channel).iter();
    let is_guest = |person: &Person| {
        person.role.as_deref().is_some_and(|role| role.to_lowercase().contains("guest"))
    };
    let last = last.filter(|person| !is_guest(person)).map(|person| person.name.clone()).collect();
    let mut known = HashSet::new();
    let people = others.iter().flat_map(|item| &item.podcast.shared.people).chain(channel);
    // A picture of the site keeps its address in a document of another folder.
    let media = snapshot.config.media_url("/media/");
    let local = |address: &str| {
        let below = address.strip_prefix(&media);
        below.map_or_else(|| address.to_owned(), |below| format!("/media/{below}"))
    };
    let people = people.filter(|person| known.insert(&person.name)).map(|person| {
        json!({
            "name": person.name,
            "role": person.role,
            "group": person.group,
            "href": person.href,
            "img": person.img.as_deref().map(local),
        })
    });
    (people.collect(), last)
}

/// Returns the media files next to a document, and the media files that all documents share.
fn files(disk: &Disk<'_>, path: &SitePath) -> Vec<Value> {
    let beside = path.parent().and_then(SitePath::parse);
    let beside =
        beside.filter(|folder| path.stem() == "index" || folder.as_str().ends_with("/pages"));
    let shared = SitePath::parse("content/media");
    let of_show = ContentFolder::of(path.as_str());
    let before = of_show.show().map(|show| format!("/media/{show}/media/"));
    let of_show = before.as_ref().and_then(|_| SitePath::new(of_show.join(MEDIA)));
    let before = before.unwrap_or_default();
    let folders = [(beside, ""), (shared, "/media/"), (of_show, &*before)];
    let all =
        folders.into_iter().filter_map(|(folder, before)| Some((disk.entries(&folder?), before)));
    let named = all.flat_map(|(files, before)| files.into_iter().map(move |file| (file, before)));
    let media = named.filter_map(|(file, before)| {
        let name = file.file_name();
        let is_text = matches!(file.extension().as_str(), "md" | "html" | "toml" | "");
        if name.starts_with('.') || is_text || !disk.is_file(&file) {
            return None;
        }
        let media_type = media_facts::media_type(Path::new(name));
        let category = Category::of_media_type(&media_type);
        Some(json!({ "reference": format!("{before}{name}"), "type": media_type, "category": category.as_str() }))
    });
    media.take(MAX_FILES).collect()
}

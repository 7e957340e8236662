//! Imports Hugo sites: `content/`, sections, bundles, permalinks, shortcodes.

mod authors;
mod cascade;
mod dates;
mod feeds;
mod hidden;
mod languages;
mod permalinks;
mod sections;
mod segments;
mod setup;
mod shortcodes;

use std::collections::{BTreeSet, HashMap, HashSet};

use cascade::{Cascades, Target};
use dates::DateKeys;
use permalinks::List;
use sections::Sections;
use segments::Segments;
use setup::{Language, Place, Setup, settings};

use super::data::{self, texts_at};
use super::fields::aliases;
use super::front::Fences;
use super::markdown;
use super::shown::judged_shortcodes;
use super::slug;
use super::source::{Description, Engine, Source, Text, dated, without_day};
use super::tree::{Tree, ending, is_text, kind, prefix, split};
use super::walk::{OTHER_FORMAT, SERIES, Use, is_only_text, series, shows_list_texts};
use crate::naming::key;

pub const HUGO: Description = Description {
    kind: "Hugo site",
    without: &["public", "resources", "themes"],
    fences: Fences::Plain,
    engine: Engine { forms: &[("{{<", ">}}"), ("{{%", "%}}")], conditions: &[] },
    translate: shortcodes::translate,
    address: &["baseurl"],
    settings: &[
        ("title", "title"),
        ("params.description", "description"),
        ("params.subtitle", "description"),
        ("languagecode", "language"),
        ("defaultcontentlanguage", "language"),
        ("copyright", "copyright"),
        ("params.author", "authors"),
        ("params.authors", "authors"),
        ("author", "authors"),
        ("timezone", "timezone"),
        ("paginate", "items_per_page"),
        ("pagination.pagersize", "items_per_page"),
    ],
    others: "defaultcontentlanguageinsubdir languages permalinks taxonomies menu menus uglyurls \
        contentdir staticdir params.mainsections theme cascade frontmatter module outputs \
        outputformats ignorefiles disablelanguages disablekinds builddrafts buildfuture \
        buildexpired markup rendersegments segments",
    theme: "params",
    read,
};

fn read(tree: &mut Tree) -> Result<Source, String> {
    let data = settings(tree);
    if data.is_empty() && tree.below("content/").next().is_none() {
        return Err(
            "not a Hugo site: it has no hugo.toml, no config.toml and no folder `content`".into()
        );
    }
    let setup = Setup::of(data, tree);
    let mut source = Source::new(&HUGO, &setup.data, authors::read(tree));
    languages::read(&setup, &mut source);
    let is_tag = |name: &String| !matches!(&**name, "authors" | "author");
    source.taxonomies = setup.taxonomies().into_iter().filter(is_tag).collect();
    let folders = match data::get(&setup.data, "staticdir") {
        Some(folders) => data::texts(folders.clone()),
        None => vec!["static".into()],
    };
    let folders = folders.iter().map(|folder| format!("{}/", folder.trim_matches('/')));
    source.roots = folders.chain(["assets/".to_owned()]).collect();
    let folders = ["layouts/shortcodes/", "layouts/_shortcodes/"];
    (source.silent, source.deciding) = judged_shortcodes(tree, &folders, "Inner");
    source.links_in_language = true;
    let is_template = |path: &str| {
        let name = split(path).1;
        path.starts_with("layouts/")
            && ["list.", "section.", "all."].iter().any(|start| name.starts_with(start))
    };
    let has_theme =
        ["theme", "module.imports"].iter().any(|key| data::at(&setup.data, key).is_some());
    source.shows_list_texts = shows_list_texts(tree, &is_template, ".Content", has_theme);
    let (addresses, terms) = texts(tree, &setup, &mut source);
    languages::menus(&setup, &addresses, &mut source);
    feeds::redirect(tree, &setup, &terms, &mut source);
    source.report_unread_settings(&setup.data, "the settings");
    Ok(source)
}

/// Cascaded keys that describe items, and not the list of the items.
const DESCRIBING: [&str; 6] = ["author", "authors", "tags", "categories", "keywords", "series"];

/// A content file with its path below the content folder, its section and its language.
struct PlacedText<'s> {
    text: Text,
    inner: String,
    section: String,
    /// Path of the innermost section.
    sections: String,
    language: Option<&'s Language>,
}

/// The addresses of the content files, by their path below the content folder and their language.
type Addresses = HashMap<(String, Option<String>), String>;

/// Reads the content files. Returns their addresses, and the addresses of taxonomies and terms with a
/// content file.
fn texts(tree: &mut Tree, setup: &Setup, source: &mut Source) -> (Addresses, Addresses) {
    let (mut placed, cascades) = found(tree, setup, source);
    inherit(&mut placed, &cascades, setup, source);
    let taxonomies = setup.taxonomies_or_default();
    let (mut lists, placed): (Vec<_>, Vec<_>) = placed.into_iter().partition(|one| {
        let first = one.inner.split('/').next().unwrap_or_default();
        let is_of_taxonomy = taxonomies.iter().any(|taxonomy| taxonomy == first);
        is_list(&one.text.path) && (is_of_taxonomy || !is_alone(tree, &one.text))
    });
    let main = texts_at(&setup.data, "params.mainsections");
    let is_series = |name: &str| {
        SERIES.contains(&&*name.to_lowercase()) || main.iter().any(|section| section == name)
    };
    let in_sections = || placed.iter().filter(|one| !one.section.is_empty());
    let series = series(in_sections().map(|one| (&*one.section, &one.text)), &is_series);
    let items = placed.iter().filter(|one| series.contains(&one.section));
    let items: Vec<_> = items.map(|one| (one.inner.clone(), one.language)).collect();
    let sections = Sections::of(&lists, &items, setup);
    let folders: BTreeSet<String> =
        in_sections().map(|one| slug::hugo_path(&one.section)).collect();
    let has_list = |folder: &str| lists.iter().any(|list| list.inner == folder);
    let (mut addresses, mut terms) = (Addresses::new(), Addresses::new());
    for mut one in placed {
        one.text.is_page = !series.contains(&one.section);
        if !one.text.is_page {
            one.text.section = sections.of_item(&one.inner);
            one.text.item_folder = slug::hugo_path(split(&one.inner).0);
        }
        let innermost = folders_of(split(&one.inner).0)
            .find(|folder| !folder.contains('/') || has_list(folder))
            .map(str::to_owned);
        one.sections = innermost.unwrap_or_default();
        let text = complete(one, setup, source, &mut addresses);
        source.texts.push(text);
    }
    lists.extend(sections.without_text(&lists, &items, setup));
    let mut others = Vec::new();
    for mut one in lists {
        one.section = one.inner.split('/').next().unwrap_or_default().to_owned();
        one.sections.clone_from(&one.inner);
        let Some(folder) = sections.folder(&one.inner) else {
            source.report_left_list(&one.text);
            let is_of_taxonomy = taxonomies.contains(&one.section);
            let kind = match one.inner.contains('/') {
                true if is_of_taxonomy => "term",
                false if is_of_taxonomy => "taxonomy",
                _ => "section",
            };
            let address = permalinks::address(&one, kind, setup, source);
            if is_of_taxonomy {
                terms.insert((one.inner.to_lowercase(), one.text.language.clone()), address);
            } else if one.text.hidden.is_none() && !one.inner.is_empty() {
                others.push(address);
            }
            continue;
        };
        source.inherited.insert(folder.clone(), cascades.defaults(&one.inner));
        // The address of a section has a different pattern.
        one.text.is_section = true;
        let text = complete(one, setup, source, &mut addresses);
        source.add_section(text, folder);
    }
    redirect_lists(&folders, others, setup, source);
    aliases_below_languages(source);
    (addresses, terms)
}

/// Adds the values of cascades to the content files, and hides the files without a page.
fn inherit(placed: &mut [PlacedText<'_>], cascades: &Cascades, setup: &Setup, source: &mut Source) {
    let date_keys = DateKeys::of(&setup.data);
    let names = date_keys.names();
    let segments = Segments::of(&setup.data);
    for one in placed {
        let text = &mut one.text;
        let target = Target {
            inner: &one.inner,
            kind: kind_of(text, &one.inner),
            language: one.language.map(|language| language.name.as_str()),
        };
        let is_left = segments.excludes(&target);
        let origins = cascades.apply(text, &target, setup, &names);
        if is_list(&text.path) {
            let describes = |key: &String| DESCRIBING.contains(&&**key);
            text.fields.retain(|key, _| !(origins.contains_key(key) && describes(key)));
        }
        if is_left {
            text.hide("no segment listed in `renderSegments` in the settings includes it");
        }
        let read = date_keys.read(text, split(&one.inner).1, &source.zone);
        hidden::hide(text, &read, &origins, (setup, one.language), source);
    }
    cascades.report_unread(&names, source);
}

/// Redirects the lists of top-level folders in each language, and other lists of pages.
fn redirect_lists(
    folders: &BTreeSet<String>,
    others: Vec<String>,
    setup: &Setup,
    source: &mut Source,
) {
    let mut languages: Vec<Option<&Language>> = setup.enabled().map(Some).collect();
    match setup.usual() {
        Some(main) if !languages.is_empty() => {
            source.add_redirect(format!("/{}/", main.name), "/".to_owned());
        }
        usual => languages.push(usual),
    }
    let of_folders = languages.iter().flat_map(|language| {
        let list = |folder| permalinks::of_list(List::Section(folder), setup, *language);
        folders.iter().map(move |folder| list(folder))
    });
    let lists = of_folders.chain(others).map(|list| list.trim_matches('/').to_owned());
    source.redirect_lists(lists.collect::<BTreeSet<_>>());
}

/// Adds the language to aliases, as newer releases of Hugo do. An alias without the language, which
/// older releases used, stays if no other content file has it.
fn aliases_below_languages(source: &mut Source) {
    let addresses = source.texts.iter().flat_map(|text| text.address.iter().chain(&text.aliases));
    let mut counts: HashMap<String, usize> = HashMap::new();
    addresses.for_each(|address| *counts.entry(key(address)).or_default() += 1);
    for at in 0..source.texts.len() {
        let path = source.language_path(&source.texts[at]);
        let text = &mut source.texts[at];
        if path.is_empty() {
            continue;
        }
        let with_language = text.aliases.iter().map(|alias| format!("{path}{alias}"));
        let with_language: Vec<String> = with_language.collect();
        text.aliases.retain(|alias| counts.get(&key(alias)) == Some(&1));
        text.aliases
            .extend(with_language.into_iter().filter(|alias| !counts.contains_key(&key(alias))));
    }
}

/// Completes a content file with its address and its former addresses.
fn complete(
    one: PlacedText<'_>,
    setup: &Setup,
    source: &Source,
    addresses: &mut Addresses,
) -> Text {
    let kind = if one.text.is_section { "section" } else { "page" };
    let address = permalinks::address(&one, kind, setup, source);
    let PlacedText { mut text, inner, language, .. } = one;
    let place = (inner.to_lowercase(), text.language.clone());
    addresses.insert(place, address.clone());
    // A relative alias starts in the folder of the address, below the language.
    let below = address.strip_prefix(&setup.path_of(language)).unwrap_or(&address);
    let folder = prefix(split(below.trim_matches('/')).0);
    text.aliases = aliases(&mut text.fields, &["aliases"], &folder);
    let slug = data::take_text(&mut text.fields, &["slug"]);
    text.segment = slug.or_else(|| Some(without_day(split(&inner).1).to_owned()));
    let url = data::take_text(&mut text.fields, &["url"]);
    text.states_address = url.is_some_and(|url| !permalinks::has_tokens(&url));
    match language.and_then(|language| language.base_url.as_ref()) {
        // The addresses of a language with its own host stay identities, but cannot redirect.
        Some(host) if text.language.is_some() => {
            text.guid = Some(format!("{}{address}", host.trim_end_matches('/')));
        }
        _ => text.address = Some(address),
    }
    text
}

/// Returns the page kind of a content file, as named in cascade targets.
fn kind_of(text: &Text, inner: &str) -> &'static str {
    match (is_list(&text.path), inner) {
        (true, "") => "home",
        (true, _) => "section",
        (false, _) => "page",
    }
}

/// Returns whether a file contains the text of a list page, such as `_index.md` or `_index.de.md`.
fn is_list(path: &str) -> bool {
    split(path).1.split('.').next() == Some("_index")
}

/// Returns whether the text of a list page is the only content of its folder.
fn is_alone(tree: &Tree, text: &Text) -> bool {
    let folder = format!("{}/", split(&text.path).0);
    let is_home = !folder.trim_end_matches('/').contains('/');
    !is_home && is_only_text(tree, &folder) && !text.body.trim().is_empty()
}

/// Reads the files in the content folders, and the cascades in their front matter.
fn found<'s>(
    tree: &mut Tree,
    setup: &'s Setup,
    source: &mut Source,
) -> (Vec<PlacedText<'s>>, Cascades) {
    let is_bundle =
        |path: &&String| split(path).1.split('.').next() == Some("index") && is_text(path);
    let bundles = tree.files.keys().filter(is_bundle).map(|path| split(path).0);
    let bundles: HashSet<String> =
        bundles.filter(|folder| folder.contains('/')).map(str::to_owned).collect();
    let judge = |tree: &Tree, path: &str| {
        let Some(place) = setup.place(tree, path) else {
            return Use::Other;
        };
        let folder = split(path).0;
        // The main file of a bundle is the `index` file in its folder. Other content files in this
        // folder belong to the bundle.
        let above = if place.is_index() { split(folder).0 } else { folder };
        match (&*kind(path), place.ignored) {
            ("org" | "adoc" | "asciidoc" | "rst" | "pandoc", _) => Use::Noted(OTHER_FORMAT),
            ("gotmpl", _) => Use::skipped("it is a template that generates pages"),
            _ if !is_text(path) => Use::Other,
            (_, Some(reason)) => Use::skipped(reason),
            _ if folders_of(above).any(|folder| bundles.contains(folder)) => {
                Use::skipped("it belongs to another page's bundle and has no page of its own")
            }
            _ => Use::Text(place),
        }
    };
    let mut placed = Vec::new();
    let mut cascades = Cascades::new();
    source.walk(tree, &judge, &mut |mut text, place: Place<'s>, source, _| {
        if !text.is_html && !setup.is_true("markup.goldmark.renderer.unsafe") {
            remove_html(&mut text, source);
        }
        let language = place.language.map(|language| &language.name);
        let usual = setup.usual().map(|language| &language.name);
        let is_other = place.language.filter(|own| Some(&own.name) != usual);
        text.language = is_other.map(|language| language.tag.clone());
        if place.is_index() {
            text.folder = Some(format!("{}/", split(&text.path).0));
        }
        let inner = match place.is_index() || is_list(&text.path) {
            true => split(&place.inner).0.to_owned(),
            false => ending(&place.inner).0.to_owned(),
        };
        let section = inner.split_once('/').map_or("", |(first, _)| first).to_owned();
        let key = data::take_text(&mut text.fields, &["translationkey"]);
        text.same = key.or_else(|| Some(inner.clone()));
        text.date = dated(split(&inner).1).map(|(day, _)| day.to_owned());
        let kind = kind_of(&text, &inner);
        cascades.take(
            &mut text,
            &Target { inner: &inner, kind, language: language.map(|name| &**name) },
        );
        let (sections, language) = (String::new(), place.language);
        placed.push(PlacedText { text, inner, section, sections, language });
    });
    (placed, cascades)
}

/// Removes comments and HTML blocks, unless the settings make Hugo publish them.
fn remove_html(text: &mut Text, source: &mut Source) {
    type Removal = fn(&str) -> (String, usize);
    let removals: [(Removal, &str); 2] = [
        (markdown::without_comments, "HTML comments were left out: Hugo does not publish them"),
        (
            markdown::without_blocks,
            "HTML blocks were left out: Hugo publishes them only with `markup.goldmark.renderer.unsafe`",
        ),
    ];
    for (remove, message) in removals {
        let (body, count) = remove(&text.body);
        if count > 0 {
            source.note(message, &*text.path);
            text.body = body;
        }
    }
}

/// Returns a folder and all its parent folders.
fn folders_of(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| folder.contains('/').then(|| split(folder).0))
}

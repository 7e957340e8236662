//! Albums: their index, their pages, and the items in them.

use feedwright::builder::{self, Silent};

use crate::content::errors::{MANIFEST, site_with_theme};
use crate::support::small_site::SmallSite;

const FEED: &str = "|{{#album_page}}{{name}}:{{description}}:{{{url}}}:{{count}}:{{#cover}}{{{url}}}{{/cover}};{{/album_page}}{{#items}}{{title}},{{/items}}|";
const INDEX: &str = "|{{#album_index.albums}}{{name}} {{{url}}} {{count}} {{#cover}}{{{url}}} {{width}}{{/cover}};{{/album_index.albums}}|";
const ITEM: &str = "|{{#breadcrumbs}}{{name}} {{{url}}}>{{/breadcrumbs}} {{#previous_item}}{{title}}{{/previous_item}}<{{#next_item}}{{title}}{{/next_item}}|";

fn photo(site: SmallSite, path: &str, day: u8, more: &str) -> SmallSite {
    let name = path.rsplit('/').next().unwrap();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    site.with(
        &format!("content/items/{path}.md"),
        format!("+++\ntitle = \"{name}\"\nslug = \"{name}\"\ndate = 2026-01-{day:02}\n{more}\nattachment = {{ url = \"https://img.example/{folder}{name}.jpg\" }}\n+++\n"),
    )
}

/// Photos of two albums: one has a tag, the other is a folder.
fn photo_log(albums: &str) -> SmallSite {
    let site = site_with_theme();
    let config = site.read("site.toml");
    let manifest =
        MANIFEST.replace("\"webFeed\"", "\"webAlbums\": \"albums.html\",\n    \"webFeed\"");
    let site = site
        .with("site.toml", format!("{config}{albums}"))
        .with("themes/mine/theme.json", manifest)
        .with("themes/mine/feed.html", FEED)
        .with("themes/mine/albums.html", INDEX)
        .with("themes/mine/item.html", ITEM);
    let site = photo(site, "fjord", 1, "tags = [\"Norway\"]");
    let site = photo(site, "cabin", 2, "tags = [\"norway\"]");
    let site = photo(site, "ferry", 3, "tags = [\"NORWAY\", \"sea\"]");
    let site = photo(site, "city/stairs", 4, "");
    photo(site, "city/night/bar", 5, "")
}

fn page(site: &SmallSite, path: &str) -> String {
    builder::run(&site.options(), &Silent).unwrap();
    site.read(&format!("public/{path}index.html")).split('|').nth(1).unwrap().to_owned()
}

const ALBUMS: &str = "[[albums]]\nfolder = \"city\"\n[[albums]]\ntag = \"Norway\"\ntitle = \"A week in Norway\"\n\
    description = \"By bus & boat.\"\ncover = \"cabin\"\norder = \"asc\"\n";

#[test]
fn a_folder_or_a_tag_is_an_album_with_a_cover() {
    let site = photo_log(ALBUMS);
    assert_eq!(
        page(&site, "albums/"),
        "city /albums/city/ 2 https://img.example/city/nightbar.jpg ;\
         A week in Norway /albums/norway/ 3 https://img.example/cabin.jpg ;"
    );
    assert_eq!(
        page(&site, "albums/norway/"),
        "A week in Norway:By bus &amp; boat.:/albums/norway/:3:https://img.example/cabin.jpg;fjord,cabin,ferry,"
    );
    assert!(page(&site, "albums/city/").ends_with(";bar,stairs,"));
    assert!(site.read("public/albums/norway/index.html").contains("<title>A week in Norway"));
}

#[test]
fn items_link_to_their_album_and_to_its_items() {
    let site = photo_log(ALBUMS);
    let above = "A small site />Albums /albums/>A week in Norway /albums/norway/>";
    assert_eq!(page(&site, "i/cabin/"), format!("{above} fjord<ferry"));
    assert_eq!(page(&site, "i/ferry/"), format!("{above} cabin<"));
    let site = photo_log("");
    assert_eq!(page(&site, "i/ferry/"), "A small site /> cabin<stairs");
}

#[test]
fn albums_follow_changes_of_their_items() {
    let site = photo_log(ALBUMS);
    page(&site, "");
    let site = photo(site, "stairs", 4, "tags = [\"Norway\"]").without("content/items/city");
    assert!(page(&site, "albums/norway/").ends_with(";fjord,cabin,ferry,stairs,"));
    assert!(!site.path("public/albums/city").exists());
}

#[test]
fn albums_need_a_theme_and_give_way_to_an_own_page() {
    let site = photo_log(ALBUMS)
        .with("content/pages/albums.md", "+++\ntitle = \"Mine\"\nslug = \"albums\"\n+++\n")
        .with("themes/mine/page.html", "|{{page.title}}|");
    assert_eq!(page(&site, "albums/"), "Mine");
    assert!(page(&site, "albums/city/").ends_with(";bar,stairs,"));
    let off = format!("{}[output]\nalbums = false\n", photo_log(ALBUMS).read("site.toml"));
    for (file, text) in [("themes/mine/feed.html", "||"), ("site.toml", &*off)] {
        let site = photo_log(ALBUMS).with(file, text);
        page(&site, "");
        assert!(!site.path("public/albums").exists(), "{file}");
    }
}

#[test]
fn invalid_albums_are_reported() {
    let reports = [
        "[[albums]]\ntag = \"Norway\"\n[[albums]]\nfolder = \"norway\"\n",
        "[[albums]]\ntag = \"Norway\"\n[[albums]]\nfolder = \"city\"\nslug = \"norway\"\n",
        "[[albums]]\ntitle = \"Both\"\ntag = \"Norway\"\nfolder = \"city\"\n",
        "[[albums]]\ntag = \"Norway\"\n[[albums]]\nfolder = \"city\"\nslug = \"NORWAY\"\n",
        "[[albums]]\nfolder = \"../city\"\n[[albums]]\nfolder = \"content/items\"\n",
        "[[albums]]\ntag = \"!\"\n",
        "[[albums]]\ntag = \"Norway\"\ncovers = \"cabin\"\norder = \"newest\"\nslug = \"a b\"\n",
        "[[albums]]\ntag = \"Norwegen\"\n[[albums]]\nfolder = \"content/items/town\"\n",
        "[[albums]]\ntag = \"Norway\"\ncover = \"hut\"\n",
        "[images]\nshow = [\"camera\", \"lense\", 3]\n",
    ];
    let reports = reports.map(|albums| photo_log(albums).report());
    insta::assert_snapshot!(reports.join("\n---\n"));
}

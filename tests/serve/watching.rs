//! A changed file is in the next response, and open pages that show it reload.

use std::fs;

use crate::support::preview_server::serve;
use crate::support::served::Listening;
use crate::support::small_site::{SmallSite, bare, copy, site};
use crate::support::wait;
use crate::support::{fixtures, media_fixture};

fn item(title: &str) -> String {
    format!("+++\ntitle = \"{title}\"\n+++\nThe text of {title}.\n")
}

/// A site with an item at `/i/a/` and one at `/i/b/`.
fn two_items() -> SmallSite {
    site()
        .with("content/items/a.md", "+++\ntitle = \"A\"\nslug = \"a\"\n+++\nOld a.\n")
        .with("content/items/b.md", "+++\ntitle = \"B\"\nslug = \"b\"\n+++\nOld b.\n")
}

/// Saves as careful editors do: another file, which then takes the name.
fn save_by_renaming(site: &SmallSite, path: &str, text: &str) {
    let new = format!("{path}.saving");
    site.write(&new, text);
    fs::rename(site.path(&new), site.path(path)).unwrap();
}

/// A file comes, is saved in both ways, goes and comes back, is renamed; after each step `path` shows
/// what it has to. `text` makes the file's content from a word that has to be shown.
fn assert_live_updates(
    site: &SmallSite,
    served: &Listening,
    file: &str,
    path: &str,
    gone: &str,
    text: impl Fn(&str) -> String,
) {
    site.write(file, text("firstword"));
    served.wait_for(path, "firstword");
    site.write(file, text("secondword"));
    served.wait_for(path, "secondword");
    save_by_renaming(site, file, &text("thirdword"));
    served.wait_for(path, "thirdword");
    let aside = site.path("aside");
    fs::rename(site.path(file), &aside).unwrap();
    served.wait_for(path, gone);
    fs::rename(&aside, site.path(file)).unwrap();
    served.wait_for(path, "thirdword");
    site.remove(file);
    served.wait_for(path, gone);
    site.write(file, text("fourthword"));
    served.wait_for(path, "fourthword");
}

#[test]
fn items_update_live() {
    let site = site();
    let served = serve(site.root());
    let text = |word: &str| format!("+++\ntitle = \"T\"\nslug = \"a\"\n+++\n{word}\n");
    let gone = "Page not found";
    assert_live_updates(&site, &served, "content/items/a.md", "/i/a/", gone, text);
    let text = |word: &str| format!("+++\ntitle = \"T\"\nslug = \"deep\"\n+++\n{word}\n");
    let deep = "content/items/2026/deep/index.md";
    assert_live_updates(&site, &served, deep, "/i/deep/", gone, text);
    fs::rename(site.path("content/items/a.md"), site.path("content/items/2026/z.md")).unwrap();
    served.wait_for("/i/a/", "fourthword");
}

#[test]
fn pages_and_the_404_page_update_live() {
    let site = site();
    let served = serve(site.root());
    let text = |word: &str| format!("+++\ntitle = \"T\"\n+++\n{word}\n");
    let gone = "Page not found";
    let about = "content/pages/about.md";
    assert_live_updates(&site, &served, about, "/about/", gone, text);
    let not_found = "content/pages/404.md";
    assert_live_updates(&site, &served, not_found, "/nothing/", gone, text);
    fs::rename(site.path(about), site.path("content/pages/contact.md")).unwrap();
    served.wait_for("/contact/", "fourthword");
    served.wait_for_status("/about/", 404);
}

#[test]
fn site_files_update_live() {
    let site = site();
    let served = serve(site.root());
    let text = |word: &str| format!("{{{{title}}}} {word}");
    let humans = "site-files/humans.txt";
    assert_live_updates(&site, &served, humans, "/humans.txt", "not found", text);
    // One that is generated until the author writes it.
    let robots = "site-files/robots.txt";
    assert_live_updates(&site, &served, robots, "/robots.txt", "Sitemap", text);
}

#[test]
fn the_channel_updates_live() {
    let site = site();
    let served = serve(site.root());
    let text = |word: &str| format!("+++\ntitle = \"The {word} channel\"\n+++\n");
    let channel = "content/channel.md";
    assert_live_updates(&site, &served, channel, "/feed.json", "\"title\":\"127.0.0.1", text);
}

#[test]
fn site_toml_updates_live() {
    let site = site();
    let served = serve(site.root());
    let text = |word: &str| format!("base_url = \"https://example.com\"\nnamespace = \"{word}\"\n");
    site.write("site.toml", text("firstword"));
    served.wait_for("/feed.json", "_firstword");
    save_by_renaming(&site, "site.toml", &text("secondword"));
    served.wait_for("/feed.json", "_secondword");
    // Without it, or with a broken one, the last good one holds.
    site.write("site.toml", "base_url = ");
    let page = served.open("/");
    page.faults(|faults| faults.iter().any(|fault| fault.contains("site.toml")));
    assert!(served.text("/feed.json").contains("_secondword"));
    site.write("site.toml", text("thirdword"));
    served.wait_for("/feed.json", "_thirdword");
    site.write("site.toml", text("x") + "access = \"headless\"\n");
    served.wait_for_status("/", 404);
    site.write("site.toml", text("x"));
    served.wait_for_status("/", 200);
}

#[test]
fn theme_options_update_live() {
    let site = site();
    let served = serve(site.root());
    let config =
        |options: &str| format!("base_url = \"https://example.com\"\n[theme_options]\n{options}\n");
    site.write("site.toml", config("footer = \"firstword\""));
    served.wait_for("/", "firstword");
    let page = served.open("/");
    // A wrong option holds the last good theme, until the file that it names is there.
    site.write("site.toml", config("head = \"snippets/head.html\""));
    page.faults(|faults| faults.iter().any(|fault| fault.contains("site.toml")));
    assert!(served.text("/").contains("firstword"));
    assert_live_head(&site, &served);
    site.write("site.toml", config("head = \"content/media/head.html\""));
    site.write("content/media/head.html", "<meta name=\"lastword\">");
    served.wait_for("/", "lastword");
}

fn assert_live_head(site: &SmallSite, served: &Listening) {
    for word in ["secondword", "thirdword"] {
        let text = format!("<meta name=\"{word}\">");
        site.write("snippets/head.html", &text);
        served.wait_for("/", word);
    }
}

#[test]
fn a_theme_updates_live() {
    let site = site();
    copy(&fixtures().join("themes/probe"), &site.path("themes/probe"));
    let served = serve(site.root());
    site.write("site.toml", "base_url = \"https://example.com\"\ntheme = \"probe\"\n");
    let theme = feedwright::theme::Theme::read(&site.path("themes/probe"), "probe").unwrap();
    let slot = format!("themes/probe/{}", theme.manifest.files[&feedwright::theme::Slot::WebFeed]);
    let page = served.open("/");
    for word in ["firstword", "secondword"] {
        site.write(&slot, word);
        served.wait_for("/", word);
        page.wait_for_reload();
    }
    save_by_renaming(&site, &slot, "thirdword");
    served.wait_for("/", "thirdword");
    // A broken one keeps the last good one behind the overlay.
    site.write(&slot, "{{#open}}");
    page.faults(|faults| faults.iter().any(|fault| fault.contains(&slot)));
    assert!(served.text("/").contains("thirdword"));
    site.remove("themes/probe");
    page.faults(|faults| faults.iter().any(|fault| !fault.contains(&slot)));
    assert!(served.text("/").contains("thirdword"));
    copy(&fixtures().join("themes/probe"), &site.path("themes/probe"));
    page.faults(|faults| faults.is_empty());
    site.write(&slot, "fourthword");
    served.wait_for("/", "fourthword");
}

#[test]
fn assets_update_live() {
    let site = site();
    copy(&fixtures().join("../../themes/default"), &site.path("themes/default"));
    let served = serve(site.root());
    let page = served.open("/");
    let style = |served: &Listening| {
        let home = scraper::Html::parse_document(&served.text("/"));
        let link = scraper::Selector::parse("link[rel=stylesheet]").unwrap();
        let href = home.select(&link).next().unwrap().attr("href").unwrap();
        href.trim_start_matches(&served.url).to_owned()
    };
    let before = style(&served);
    site.write("themes/default/assets/style.css", "body{color:tomato}");
    page.wait_for_reload();
    let after = style(&served);
    assert_ne!(after, before);
    assert_eq!(served.text(&after), "body{color:tomato}");
}

#[test]
fn media_update_live_and_their_pages_reload() {
    let site = two_items()
        .with("content/items/p.png", picture("picture.png"))
        .item("+++\ntitle = \"A\"\nslug = \"a\"\n+++\n![A picture](p.png)\n");
    let served = serve(site.root());
    let (shows, other) = (served.open("/i/a/"), served.open("/i/b/"));
    let path = "/media/items/p.png";
    let tag = served.get(path).field("etag").to_owned();
    // The same bytes again, and others of the same size.
    let mut bytes = picture("picture.png");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    site.write("content/items/p.png", &bytes);
    shows.wait_for_reload();
    let answer = served.ask("GET", path, &[("if-none-match", &tag)]);
    assert_eq!((answer.status, answer.body), (200, bytes));
    other.assert_no_reload();

    site.remove("content/items/p.png");
    shows.faults(|faults| faults.len() == 1 && faults[0].contains("p.png"));
    site.write("content/items/p.png", picture("picture.png"));
    shows.faults(|faults| faults.is_empty());
    served.wait_for_status(path, 200);

    // Shared media, which nothing names.
    site.write("content/media/new/x.png", picture("picture.png"));
    served.wait_for_status("/media/new/x.png", 200);
    fs::rename(site.path("content/media/new"), site.path("content/media/old")).unwrap();
    served.wait_for_status("/media/old/x.png", 200);
    served.wait_for_status("/media/new/x.png", 404);
}

fn picture(name: &str) -> Vec<u8> {
    fs::read(media_fixture(name)).unwrap()
}

#[test]
fn media_outside_content_are_watched_before_they_exist() {
    let site =
        site().item("+++\ntitle = \"A\"\nslug = \"a\"\nimage = \"../../art/new/p.png\"\n+++\n");
    let served = serve(site.root());
    let page = served.open("/");
    page.faults(|faults| faults.len() == 1 && faults[0].contains("art/new/p.png"));
    site.write("art/new/p.png", picture("picture.png"));
    page.faults(|faults| faults.is_empty());
    served.wait_for("/i/a/", "/media/art/new/p.png");
    let page = served.open("/i/a/");
    // The folder may be watched only a second after it came.
    wait::until(|| {
        site.write("art/new/p.png", picture("picture.png"));
        page.has_reloaded()
    });
}

#[cfg(unix)]
#[test]
fn targets_of_symbolic_links_update_live() {
    use std::os::unix::fs::symlink;
    let item = |name: &str, text: &str| format!("+++\nslug = \"{name}\"\n+++\n{text}\n");
    let site = two_items()
        .with("notes/file.md", item("file", "firstword"))
        .with("notes/folder/inner.md", item("inner", "firstword"));
    let links = [("notes/file.md", "file.md"), ("notes/folder", "folder")];
    let served = serve(site.root());
    for (target, name) in links {
        symlink(site.path(target), site.path(&format!("content/items/{name}"))).unwrap();
    }
    served.wait_for("/i/file/", "firstword");
    served.wait_for("/i/inner/", "firstword");
    for word in ["secondword", "thirdword"] {
        site.write("notes/file.md", item("file", word));
        served.wait_for("/i/file/", word);
        save_by_renaming(&site, "notes/folder/inner.md", &item("inner", word));
        served.wait_for("/i/inner/", word);
    }
}

#[test]
fn an_unaffected_page_does_not_reload() {
    let site = two_items();
    let served = serve(site.root());
    let (a, b, home) = (served.open("/i/a/"), served.open("/i/b/"), served.open("/"));
    let missing = served.open("/i/c/");
    site.item_body("a", "New a.");
    a.wait_for_reload();
    home.wait_for_reload();
    b.assert_no_reload();
    site.write("content/items/c.md", "+++\ntitle = \"C\"\nslug = \"c\"\n+++\n");
    missing.wait_for_reload();
    home.wait_for_reload();
    // The same text again touches nothing. The new item is a neighbour: the page is opened anew.
    let b = served.open("/i/b/");
    site.item_body("b", "Old b.");
    b.assert_no_reload();
}

impl SmallSite {
    fn item_body(&self, slug: &str, body: &str) {
        let title = slug.to_uppercase();
        self.write(
            &format!("content/items/{slug}.md"),
            format!("+++\ntitle = \"{title}\"\nslug = \"{slug}\"\n+++\n{body}\n"),
        );
    }
}

#[test]
fn an_open_page_follows_its_moved_item() {
    let site = two_items();
    let served = serve(site.root());
    let page = served.open("/i/a/");
    site.write("content/items/a.md", "+++\ntitle = \"A\"\nslug = \"z\"\naliases = [\"a\"]\n+++\n");
    page.wait_for_reload();
    assert_eq!(served.get("/i/a/").field("location"), "/i/z/");
}

#[test]
fn a_broken_file_keeps_its_last_valid_version() {
    let site = two_items();
    let served = serve(site.root());
    let page = served.open("/i/a/");
    page.faults(<[String]>::is_empty);
    site.write("content/items/a.md", "+++\ntitle = \"A\n+++\nBroken.\n");
    let faults = page.faults(|faults| !faults.is_empty());
    let built = site.build().unwrap_err().sorted();
    assert_eq!(faults, [built[0].to_string()]);
    for words in ["content/items/a.md:2:", "title = \"A", "^", "help: "] {
        assert!(faults[0].contains(words), "{}", faults[0]);
    }
    assert!(served.text("/i/a/").contains("Old a."));
    assert!(served.text("/").contains("Old a."));
    page.assert_no_reload();
    site.item_body("a", "Mended.");
    page.faults(<[String]>::is_empty);
    served.wait_for("/i/a/", "Mended.");
}

#[test]
fn duplicate_names_are_an_error_and_serving_continues() {
    let site = two_items();
    let served = serve(site.root());
    let page = served.open("/");
    site.write("content/items/c.md", "+++\ntitle = \"C\"\nslug = \"a\"\n+++\n");
    page.faults(|faults| faults.len() == 1 && faults[0].contains("already used by"));
    site.item_body("b", "New b.");
    served.wait_for("/i/b/", "New b.");
    site.remove("content/items/c.md");
    page.faults(<[String]>::is_empty);
}

#[test]
fn a_file_emptied_during_a_save_keeps_its_page() {
    let site = two_items();
    let served = serve(site.root());
    // By then the look at everything that starting to watch brings is over.
    save_by_renaming(&site, "content/items/a.md", &item("Started"));
    served.wait_for("/feed.json", "Started");
    save_by_renaming(
        &site,
        "content/items/a.md",
        "+++\ntitle = \"A\"\nslug = \"a\"\n+++\nStarted.\n",
    );
    served.wait_for("/i/a/", "Started.");
    for round in 0..5 {
        site.write("content/items/a.md", "");
        for _ in 0..10 {
            assert_eq!(served.get("/i/a/").status, 200, "{round}");
        }
        let text = format!("+++\ntitle = \"A\"\nslug = \"a\"\n+++\nRound {round}.\n");
        site.write("content/items/a.md", text);
        served.wait_for("/i/a/", &format!("Round {round}."));
    }
    // One that stays empty is what its author wants.
    site.write("content/items/a.md", "");
    served.wait("/i/a/", "nothing", |answer| answer.status == 404);
}

#[test]
fn temporary_files_of_editors_are_ignored() {
    let site = two_items();
    let served = serve(site.root());
    let (page, home) = (served.open("/i/a/"), served.open("/"));
    for name in [
        ".a.md.swp", ".a.md.swx", "a.md~", "#a.md#", ".#a.md", "4913", "a.md.tmp",
        ".a.md.feedwright-new",
    ] {
        let path = format!("content/items/{name}");
        site.write(&path, "+++\ntitle = \"Swap\"\n+++\n");
        site.remove(&path);
        site.write(&path, "half");
    }
    page.assert_no_reload();
    home.assert_no_reload();
}

#[test]
fn checking_out_another_branch_updates_all_pages() {
    const FILES: usize = 1000;
    let site = site();
    let name = |n: usize| format!("content/items/{:02}/{n:04}.md", n % 20);
    for n in 0..FILES {
        site.write(&name(n), item(&format!("Main {n:04}")));
    }
    let served = serve(site.root());
    let page = served.open("/");
    // Half of them change, a quarter goes, a quarter is new, and the folders with them.
    for n in 0..FILES {
        let path = name(n);
        match n % 4 {
            0 => site.remove(&path),
            1 => {
                site.remove(&path);
                site.write(&path, item(&format!("Branch {n:04}")));
            }
            2 => save_by_renaming(&site, &path, &item(&format!("Branch {n:04}"))),
            _ => site.write(
                &format!("content/items/new-{:02}/{n:04}.md", n % 20),
                item(&format!("Branch new {n:04}")),
            ),
        }
    }
    page.wait_for_reload();
    let count = |feed: &serde_json::Value, word: &str| {
        let items = feed["items"].as_array().unwrap().iter();
        items.filter(|item| item["title"].as_str().unwrap().starts_with(word)).count()
    };
    site.write("site.toml", "base_url = \"https://example.com\"\n[feed]\nlimit = 5000\n");
    served.wait("/feed.json", "the branch", |answer| {
        let feed: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
        count(&feed, "Branch") == 750 && count(&feed, "Main") == 250
    });
}

#[test]
fn removed_folders_can_be_restored() {
    let site = two_items().with("site-files/humans.txt", "people");
    copy(&fixtures().join("../../themes/default"), &site.path("themes/default"));
    let served = serve(site.root());
    served.wait_for_status("/humans.txt", 200);
    for (folder, path, gone) in
        [("content/items", "/i/a/", 404), ("content", "/", 302), ("site-files", "/humans.txt", 404)]
    {
        let aside = bare();
        for _ in 0..2 {
            // Moved away and back, then removed and made again.
            fs::rename(site.path(folder), aside.path("kept")).unwrap();
            served.wait_for_status(path, gone);
            fs::rename(aside.path("kept"), site.path(folder)).unwrap();
            served.wait_for_status(path, 200);
            copy(&site.path(folder), &aside.path("copy"));
            site.remove(folder);
            served.wait_for_status(path, gone);
            copy(&aside.path("copy"), &site.path(folder));
            served.wait_for_status(path, 200);
        }
        // What happens in it then is seen.
        site.item_body("b", folder);
        served.wait_for("/i/b/", folder);
        site.write("site-files/humans.txt", folder);
        served.wait_for("/humans.txt", folder);
    }
}

#[test]
fn a_removed_site_can_be_restored() {
    let home = bare();
    copy(two_items().root(), &home.path("site"));
    let served = serve(&home.path("site"));
    served.wait_for("/i/a/", "Old a.");
    fs::rename(home.path("site"), home.path("other")).unwrap();
    // What there was is still shown: a site that is gone has nothing better to show.
    for _ in 0..10 {
        let text = served.text("/i/a/");
        assert!(text.contains("Old a."), "{text}");
    }
    let text = "+++\ntitle = \"A\"\nslug = \"a\"\n+++\nNew a.\n";
    home.write("other/content/items/a.md", text);
    fs::rename(home.path("other"), home.path("site")).unwrap();
    served.wait_for("/i/a/", "New a.");
    home.write("site/content/items/a.md", text.replace("New", "Newer"));
    served.wait_for("/i/a/", "Newer a.");
}

#[test]
fn a_page_shown_again_checks_for_changes() {
    let site = two_items();
    let served = serve(site.root());
    let page = served.get("/i/a/");
    site.item_body("a", "New a.");
    served.wait_for("/i/a/", "New a.");
    let late = served.open_as(&page);
    late.wait_for_reload();
}

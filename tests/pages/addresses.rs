//! Addresses and ids that readers have: what changes them is said, by `build`, `check` and `serve`, and
//! `new` writes down what keeps them.

use std::fs;

use feedwright::builder::{self, Silent};
use feedwright::model::{Diagnostic, Rule};
use serde_json::json;

use crate::support::preview_server;
use crate::support::served;
use crate::support::small_site::{SmallSite, bare, feedwright, site};

/// Two items and a Page, built: readers have their addresses.
fn published_site() -> SmallSite {
    let site = site()
        .with(
            "content/items/a.md",
            "+++\nid = \"a\"\ntitle = \"First\"\ndate = 2026-01-01\n+++\nThe text of a.\n",
        )
        .with(
            "content/items/derived.md",
            "+++\ntitle = \"Second\"\nslug = \"second\"\n+++\nThe text of the other.\n",
        )
        .with("content/pages/about.md", "+++\nid = \"p\"\ntitle = \"About\"\n+++\nUs.\n");
    assert!(site.built().warnings.is_empty());
    site
}

/// What `check` reports, without the items that have no date.
fn check_diagnostics(site: &SmallSite) -> Vec<Diagnostic> {
    let mut found = builder::check(&site.options(), &Silent).report.sorted();
    found.retain(|one| one.rule != Some(Rule::ItemDate));
    found
}

/// What a check says, with `check` and then with builds, which have to agree until the author answers.
#[track_caller]
fn check_and_build_output(site: &SmallSite) -> String {
    let checked = check_diagnostics(site);
    let text = |found: &[Diagnostic]| {
        let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
        lines.join("\n\n")
    };
    let built = site.built().warnings;
    assert_eq!(text(&built), text(&checked));
    assert_eq!(text(&self::check_diagnostics(site)), text(&checked));
    assert_eq!(text(&site.built().warnings), text(&checked));
    text(&built)
}

#[test]
fn a_changed_address_without_an_alias_is_reported_with_the_fix() {
    let site = published_site();
    site.write(
        "content/items/a.md",
        "+++\nid = \"a\"\ntitle = \"Other\"\ndate = 2026-01-01\n+++\nThe text of a.\n",
    );
    insta::assert_snapshot!(check_and_build_output(&site), @r#"
    warning[moved-address]: the published address /i/first-a/ no longer works: this item is now at /i/other-a/
      --> content/items/a.md:3:9
      |
    3 | title = "Other"
      |         ^
      help: keep the old address with this line in the front matter: aliases = ["first-a"]
    "#);

    // An alias is all that is asked for.
    let site = published_site();
    site.write(
        "content/items/a.md",
        "+++\nid = \"a\"\ntitle = \"Other\"\ndate = 2026-01-01\naliases = [\"first-a\"]\n+++\n",
    );
    assert_eq!(check_and_build_output(&site), "");

    // Each format has its line, which keeps the aliases that are there.
    let site = published_site();
    site.write(
        "content/items/a.md",
        "---\nid: a\ntitle: First\nslug: new\naliases:\n  - older\n---\n",
    );
    site.write(
        "content/pages/about.md",
        "{\n  \"id\": \"p\",\n  \"title\": \"About\",\n  \"slug\": \"us\"\n}\nUs.\n",
    );
    insta::assert_snapshot!(check_and_build_output(&site), @r#"
    warning[moved-address]: the published address /i/first-a/ no longer works: this item is now at /i/new/
      --> content/items/a.md:4:7
      |
    4 | slug: new
      |       ^
      help: keep the old address with this line in the front matter: aliases: ["older", "first-a"]

    warning[moved-address]: the published address /about/ no longer works: this page is now at /us/
      --> content/pages/about.md:4:11
      |
    4 |   "slug": "us"
      |           ^
      help: keep the old address with this line in the front matter: "aliases": ["about"],
    "#);
}

#[test]
fn an_address_taken_over_by_another_item_is_reported() {
    let site = published_site();
    site.write("content/items/a.md", "+++\nid = \"a\"\ntitle = \"First\"\nslug = \"new\"\n+++\n");
    site.write("content/items/b.md", "+++\nid = \"b\"\nslug = \"first-a\"\n+++\nB.\n");
    insta::assert_snapshot!(check_and_build_output(&site), @r#"
    warning[moved-address]: the published address /i/first-a/ now belongs to content/items/b.md: this item is now at /i/new/
      --> content/items/a.md:4:8
      |
    4 | slug = "new"
      |        ^
      help: give content/items/b.md another `slug`, and keep the old address with this line in the front matter: aliases = ["first-a"]
    "#);
}

/// What nobody can have, and what its author took away, is no address that is missed.
#[test]
fn unpublished_and_deleted_addresses_are_not_reported() {
    let site = published_site();
    site.write("content/items/draft.md", "+++\nid = \"d\"\ntitle = \"D\"\ndraft = true\n+++\n");
    site.write(
        "content/items/later.md",
        "+++\nid = \"l\"\ntitle = \"L\"\ndate = 2027-01-01\n+++\n",
    );
    let mut options = site.options();
    (options.visibility.drafts, options.visibility.future) = (true, true);
    builder::run(&options, &Silent).unwrap();
    site.write("content/items/draft.md", "+++\nid = \"d\"\ntitle = \"E\"\ndraft = true\n+++\n");
    site.write(
        "content/items/later.md",
        "+++\nid = \"l\"\ntitle = \"M\"\ndate = 2027-01-01\n+++\n",
    );
    builder::run(&options, &Silent).unwrap();
    assert_eq!(check_and_build_output(&site), "");
    site.remove("content/items/a.md");
    site.remove("content/items/derived.md");
    site.write(
        "content/pages/about.md",
        "+++\nid = \"p\"\ntitle = \"About\"\nslug = \"us\"\ndraft = true\n+++\n",
    );
    assert_eq!(check_and_build_output(&site), "");
    // Where redirects.toml says it leads elsewhere, it does.
    let site = published_site();
    site.write("content/items/a.md", "+++\nid = \"a\"\ntitle = \"Other\"\n+++\n");
    site.write("content/redirects.toml", "\"/i/first-a/\" = \"/about/\"\n");
    assert_eq!(check_and_build_output(&site), "");
}

#[test]
fn a_renamed_file_without_an_id_is_reported_with_the_fix() {
    let site = published_site();
    let rename = |from: &str, to: &str| fs::rename(site.path(from), site.path(to)).unwrap();
    rename("content/items/derived.md", "content/items/renamed.md");
    // A file that names its id may be called anything.
    rename("content/items/a.md", "content/items/z.md");
    insta::assert_snapshot!(check_and_build_output(&site), @r#"
    warning[changed-id]: this file was moved from content/items/derived.md, so its id, which derives from the path, changed from `877hd4wz69c`: feed readers will show the item again
      --> content/items/renamed.md:1:1
      |
    1 | +++
      | ^
      help: keep the old id with this line in the front matter: id = "877hd4wz69c"
    "#);

    // Its text was changed too: it is known by its title.
    rename("content/items/renamed.md", "content/items/again.md");
    site.write("content/items/again.md", "---\ntitle: Second\nslug: second\n---\nAnother text.\n");
    assert!(check_and_build_output(&site).contains("this line in the front matter: id: \""));
}

/// An address that does not come back with the id has a line of its own.
#[test]
fn a_renamed_and_moved_file_is_reported_once_with_both_fixes() {
    let site = published_site();
    site.write("content/pages/team.md", "+++\ntitle = \"Team\"\n+++\nWho we are.\n");
    assert!(site.built().warnings.is_empty());
    let team = fs::rename(site.path("content/pages/team.md"), site.path("content/pages/people.md"));
    team.unwrap();
    insta::assert_snapshot!(check_and_build_output(&site), @r#"
    warning[changed-id]: this file was moved from content/pages/team.md, so its id, which derives from the path, changed from `dwhs9wyq0yj`; its old address /team/ no longer works
      --> content/pages/people.md:1:1
      |
    1 | +++
      | ^
      help: keep the old id and address with these lines in the front matter: id = "dwhs9wyq0yj" and aliases = ["team"]
    "#);
}

/// What has one title each week is known by its date; and of two that are alike neither is taken for what is gone.
#[test]
fn a_new_text_with_an_old_title_is_not_a_renamed_file() {
    let news =
        |date: &str, text: &str| format!("+++\ntitle = \"News\"\ndate = {date}\n+++\n{text}\n");
    let site = site().with("content/items/1.md", news("2026-01-01", "Old."));
    site.built();
    site.remove("content/items/1.md");
    site.write("content/items/2.md", news("2026-01-08", "New."));
    assert_eq!(check_and_build_output(&site), "");
    site.remove("content/items/2.md");
    site.write("content/items/3.md", news("2026-02-08", "New."));
    site.write("content/items/4.md", news("2026-03-08", "New."));
    assert_eq!(check_and_build_output(&site), "");
    // With its date it is the same.
    site.remove("content/items/3.md");
    site.write("content/items/5.md", news("2026-02-08", "Changed."));
    assert!(check_and_build_output(&site).contains("this file was moved from content/items/3.md"));
}

#[test]
fn an_id_removed_from_its_file_is_reported() {
    let site = published_site();
    site.write(
        "content/items/a.md",
        "+++\ntitle = \"First\"\nslug = \"first-a\"\n+++\nThe text of a.\n",
    );
    insta::assert_snapshot!(check_and_build_output(&site), @r#"
    warning[changed-id]: the id of this file changed from `a`: feed readers will show the item again
      --> content/items/a.md:1:1
      |
    1 | +++
      | ^
      help: keep the old id with this line in the front matter: id = "a"
    "#);
}

#[test]
fn a_renamed_folder_gives_a_bounded_report() {
    let site = (0..300).fold(site(), |site, at| {
        site.with(&format!("content/items/old/{at}.md"), format!("Text {at}.\n"))
    });
    site.built();
    fs::rename(site.path("content/items/old"), site.path("content/items/new")).unwrap();
    let warnings = site.built().warnings;
    assert_eq!(warnings.len(), 101);
    let last = |warning: &feedwright::model::Diagnostic| warning.message.starts_with("200 more");
    assert!(warnings.iter().any(last), "{:?}", warnings.last());
}

#[test]
fn serve_moves_an_open_page_and_reports_the_fix() {
    for is_built in [true, false] {
        let site =
            site().with("content/items/a.md", "+++\nid = \"a\"\ntitle = \"First\"\n+++\nOld.\n");
        site.write("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n");
        if is_built {
            site.built();
        }
        let served = preview_server::serve(site.root());
        let page = served.open("/i/first-a/");
        let about = served.open("/about/");
        site.write("content/items/a.md", "+++\nid = \"a\"\ntitle = \"Ünï\"\n+++\nOld.\n");
        site.write("content/pages/about.md", "+++\ntitle = \"About\"\nslug = \"us\"\n+++\n");
        assert_eq!(page.wait_for_move(), "/i/%C3%BCn%C3%AF-a/");
        assert_eq!(about.wait_for_move(), "/us/");
        // A file that names no id has another one under another name.
        let about = served.open("/us/");
        site.write("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n");
        assert_eq!(about.wait_for_move(), "/about/");
        let about = served.open("/about/");
        let file = |name: &str| site.path(&format!("content/pages/{name}.md"));
        fs::rename(file("about"), file("we")).unwrap();
        assert_eq!(about.wait_for_move(), "/we/");
        // One that was hidden meanwhile asks when it is shown again.
        site.write("content/items/a.md", "+++\nid = \"a\"\ntitle = \"Third\"\n+++\nOld.\n");
        assert_eq!(served.get("/i/first-a/").status, 404);
        served.wait_for("/i/third-a/", "Old.");
    }
}

#[test]
fn a_draft_that_is_no_longer_shown_is_not_reported() {
    let site = site().with("content/items/a.md", "+++\nid = \"a\"\ntitle = \"First\"\n+++\nOld.\n");
    let served = preview_server::serve(site.root());
    let page = served.open("/i/first-a/");
    site.write(
        "content/items/a.md",
        "+++\nid = \"a\"\ntitle = \"Other\"\ndraft = true\n+++\nOld.\n",
    );
    page.wait_for_reload();
}

/// A title that the API changes leaves its alias: there is nothing to say.
#[test]
fn a_change_by_the_api_keeps_the_address_automatically() {
    let site = published_site();
    let served = served::serve(site);
    let key = format!("Bearer {}", served::KEY);
    let body = json!({ "title": "Renamed" }).to_string();
    let headers = [("authorization", key.as_str()), ("content-type", "application/json")];
    served.send("PUT", "/api/v1/items/a/", &headers, body.as_bytes()).ok();
    let text = served.site.read("content/items/a.md");
    assert!(text.contains("first-a"), "{text}");
    assert_eq!(check_and_build_output(&served.site), "");
}

/// A line of a file that begins like this.
fn line(text: &str, start: &str) -> String {
    let found = text.lines().find(|line| line.starts_with(start));
    found.unwrap_or_else(|| panic!("{start} in {text}")).to_owned()
}

#[test]
fn new_writes_a_unique_id_and_slug() {
    let site = bare();
    feedwright(&site, &["init"]);
    for (path, slug) in [("items/hello", "hello"), ("pages/about", "about")] {
        let text = site.read(&format!("content/{path}.md"));
        assert_eq!(line(&text, "slug"), format!("slug = \"{slug}\""));
        line(&text, "id");
    }
    let made = |arguments: &[&str]| {
        let (code, path, said) = feedwright(&site, &[&["new"], arguments].concat());
        assert_eq!((code, said.as_str()), (0, ""));
        let text = site.read(&path);
        (line(&text, "id"), line(&text, "slug"))
    };
    assert_eq!(made(&["item", "Harbour walk"]).1, "slug = \"harbour-walk\"");
    let again = made(&["item", "Harbour walk", "--into", "2026", "--folder"]);
    assert_eq!(again.1, "slug = \"harbour-walk-2\"");
    assert_eq!(made(&["item", "Harbour walk", "--into", "2027"]).1, "slug = \"harbour-walk-3\"");
    assert_eq!(made(&["item", "Hello", "--into", "x"]).1, "slug = \"hello-2\"");
    let (id, slug) = made(&["item"]);
    assert_eq!(slug.strip_prefix("slug"), id.strip_prefix("id"));
    assert_eq!(made(&["page", "About us"]).1, "slug = \"about-us\"");
    let (code, _, said) = feedwright(&site, &["check"]);
    assert_eq!(code, 0, "{said}");
    // A title may change now, and a file's name.
    let text = site.read("content/items/harbour-walk.md");
    feedwright(&site, &["build"]);
    site.remove("content/items/harbour-walk.md");
    site.write("content/items/renamed.md", text.replace("Harbour walk", "Another title"));
    let (code, _, said) = feedwright(&site, &["build"]);
    assert_eq!(code, 0);
    assert!(!said.contains("readers"), "{said}");
}

/// The terminal of `serve` says it as it happens, once.
#[test]
fn serve_reports_a_moved_address_on_the_terminal() {
    use crate::support::program::serve;
    let site = site().with("content/items/a.md", "+++\nid = \"a\"\ntitle = \"First\"\n+++\nOld.\n");
    let running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.wait_for_watcher(&site);
    site.write("content/items/a.md", "+++\nid = \"a\"\ntitle = \"Other\"\n+++\nOld.\n");
    running.wait_for_line("the published address /i/first-a/ no longer works");
    running.wait_for_line("aliases = [\"first-a\"]");
}

/// So does each other change of an address: of a slug, of the name of a file.
#[test]
fn serve_reports_changed_slugs_and_renamed_files() {
    use crate::support::program::serve;
    let site = site()
        .with(
            "content/items/a.md",
            "+++\nid = \"a\"\nslug = \"one\"\ntitle = \"First\"\n+++\nOld.\n",
        )
        .with("content/items/plain.md", "+++\ntitle = \"Plain\"\n+++\nNo id.\n")
        .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\nUs.\n");
    let running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.wait_for_watcher(&site);
    site.write(
        "content/items/a.md",
        "+++\nid = \"a\"\nslug = \"uno\"\ntitle = \"First\"\n+++\nOld.\n",
    );
    running.wait_for_line("the published address /i/one/ no longer works");
    running.wait_for_line("aliases = [\"one\"]");
    let rename = |from: &str, to: &str| fs::rename(site.path(from), site.path(to)).unwrap();
    rename("content/items/plain.md", "content/items/renamed.md");
    running.wait_for_line("this file was moved from content/items/plain.md, so its id");
    running.wait_for_line("keep the old id with this line in the front matter: id = ");
    rename("content/pages/about.md", "content/pages/us.md");
    running.wait_for_line("its old address /about/ no longer works");
    running.wait_for_line("aliases = [\"about\"]");
}

/// What a file shows that cannot be read now is an older one: nothing is said of where things stand in it.
#[test]
fn serve_reports_only_the_error_of_an_unreadable_file() {
    use crate::support::program::serve;
    let site = site().with("content/items/a.md", "+++\nid = \"a\"\ntitle = \"First\"\n+++\nOld.\n");
    let running = serve(&site, &["--addr", "127.0.0.1:0"]);
    running.wait_for_watcher(&site);
    let text = "+++\nid = \"a\"\ntitle = \"Other\"\n+++\n[x](#nope)\n";
    site.write("content/items/a.md", text);
    running.wait_for_line("has no anchor");
    running.wait_for_line("help: ");
    site.write("content/items/a.md", format!("\n{text}"));
    let mut said = running.wait_for_line("remove the blank lines and spaces before it");
    site.write("content/items/later.md", "+++\ntitle = \"Later\"\n+++\nLater.\n");
    said.extend(running.wait_for_line("changed content/items/later.md"));
    site.write("content/items/a.md", text);
    said.extend(running.wait_for_line("changed content/items/a.md"));
    let said = said.join("\n");
    assert_eq!(said.matches("  --> ").count(), 1, "{said}");
    running.wait_for_line("has no anchor");
}

//! `deploy --show`: a show with its own address and destination.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::git::git;
use crate::support::mock_server::{MockRequest, mock_server};
use crate::support::program;
use crate::support::small_site::{SmallSite, site, tree};

fn network(out: &Path, url: &str) -> SmallSite {
    let folder = |name: &str| out.join(name).display().to_string();
    let item = |id: &str| {
        format!(
            "+++\nid = \"{id}\"\nslug = \"{id}\"\ntitle = \"{id}\"\ndate = 2026-01-01\n+++\nText.\n"
        )
    };
    site()
        .with("site.toml", format!("base_url = \"https://harbour.example\"\n[deploy]\nto = \"folder:{}\"\nkeep_days = 0\n", folder("harbour")))
        .with("content/channel.md", "+++\ntitle = \"Harbour\"\n+++\n")
        .with("shows/walks/channel.md", "+++\ntitle = \"Walks\"\n+++\n")
        .with("shows/walks/items/walk.md", item("walk"))
        .with("shows/walks/show.toml", format!("base_url = \"https://walks.example\"\n[deploy]\nto = \"folder:{}\"\n[deploy.notify]\nwebsub = [\"{url}/hub\"]\nindexnow = \"a1b2c3d4e5\"\nindexnow_endpoint = \"{url}/indexnow\"\npodping = \"{url}/podping?url={{url}}\"\n", folder("walks")))
        .with("shows/tides/channel.md", "+++\ntitle = \"Tides\"\n+++\n")
        .with("shows/tides/items/ebb.md", item("ebb"))
        .with("shows/news/channel.md", "+++\ntitle = \"News\"\n+++\n")
        .with("shows/news/show.toml", "base_url = \"https://news.example\"\n")
}

fn run(site: &SmallSite, arguments: &[&str]) -> program::CommandOutput {
    let mut command = program::command();
    program::run(command.args(["deploy", "--site"]).arg(site.root()).args(arguments))
}

fn deploy(site: &SmallSite, arguments: &[&str]) -> Value {
    let report = run(site, &[arguments, &["--json"]].concat()).ok().out;
    serde_json::from_str(&report).unwrap()
}

fn published(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(folder);
    assert!(files.remove(".feedwright-deploy.json").is_some());
    files
}

#[test]
fn the_site_and_a_show_are_deployed_apart() {
    let (url, asked) = mock_server(|_| ("202 Accepted", String::new()));
    let out = tempfile::tempdir().unwrap();
    let site = network(out.path(), &url);
    let said = run(&site, &[]).ok().err;
    for line in [
        "Not deployed with the site: walks (run `feedwright deploy --all-shows`)\n",
        "Not deployed with the site: news (no deploy destination in show.toml)\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert_eq!(asked.try_iter().count(), 0);
    let [harbour, walks] = ["harbour", "walks"].map(|name| out.path().join(name));
    assert!(!walks.exists() && !harbour.join("walks").exists());
    assert!(harbour.join("tides/i/ebb/index.html").exists());
    let before = tree(&harbour);
    let last = site.read(".feedwright/last-deploy.json");

    let plan = deploy(&site, &["--show", "walks", "--dry-run"]);
    assert!(plan["put"].as_array().unwrap().len() > 20 && !walks.exists(), "{plan}");
    let report = deploy(&site, &["--show", "walks"]);
    assert_eq!(report["warnings"], serde_json::json!([]));
    assert_eq!(published(&walks), tree(&site.path("public-walks")));
    assert_eq!(fs::read_to_string(walks.join("a1b2c3d4e5.txt")).unwrap(), "a1b2c3d4e5");
    let all: Vec<MockRequest> = asked.try_iter().collect();
    let all: Vec<String> = all.iter().map(|one| format!("{} {}", one.line, one.body)).collect();
    let hub = "hub.topic=https%3A%2F%2Fwalks%2Eexample%2Frss%2Exml";
    for told in [
        hub,
        "\"https://walks.example/i/walk/\"",
        "podping?url=https%3A%2F%2Fwalks%2Eexample%2Frss%2Exml",
    ] {
        assert!(all.iter().any(|one| one.contains(told)), "{told}: {all:?}");
    }
    assert!(!all.iter().any(|one| one.contains("harbour")), "{all:?}");

    // Neither deploy changes the files or the record of the other.
    assert_eq!(tree(&harbour), before);
    assert_eq!(site.read(".feedwright/last-deploy.json"), last);
    let there = tree(&walks);
    assert_eq!(deploy(&site, &[])["sent"], 0);
    assert_eq!(tree(&walks), there);
    site.write(
        "shows/walks/items/walk.md",
        "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"Stroll\"\ndate = 2026-01-01\n+++\n",
    );
    assert!(deploy(&site, &["--show", "walks"])["sent"].as_u64().unwrap() > 0);
    assert!(fs::read_to_string(walks.join("i/walk/index.html")).unwrap().contains("Stroll"));
    assert!(!fs::read_to_string(harbour.join("index.html")).unwrap().contains("Stroll"));
    // Another address at the same destination needs consent.
    let moved = site.read("shows/walks/show.toml").replace("walks.example", "walking.example");
    site.write("shows/walks/show.toml", moved);
    let refused = run(&site, &["--show", "walks"]);
    assert!(refused.code == Some(1) && refused.err.contains("--take-over"), "{}", refused.err);
}

#[test]
fn only_shows_with_an_address_and_a_destination_are_deployed() {
    let out = tempfile::tempdir().unwrap();
    let site = network(out.path(), "http://127.0.0.1:1");
    for (arguments, message) in [
        (
            ["--show", "tides"].as_slice(),
            "shows/tides is published with the site: run `feedwright deploy`, or add `base_url`",
        ),
        (&["--show", "news"], "shows/news/show.toml has no deploy destination"),
        (&["--show", "sea"], "no show is called \"sea\"; the shows are news, tides, walks"),
        (&["--show", "walks", "--media"], "cannot be used with"),
        (&["--all-shows", "--to", "folder:../x"], "cannot be used with"),
        (&["--all-shows", "--check-live", "https://x.example"], "--check-live takes no address"),
    ] {
        let refused = run(&site, arguments);
        assert_eq!(refused.code, Some(2), "{arguments:?}");
        assert!(refused.err.contains(message), "{arguments:?}: {}", refused.err);
    }
    site.write("shows/walks/items/walk.md", "+++\ntitle = 1\n+++\n");
    let refused = run(&site, &["--show", "walks"]);
    assert!(refused.code == Some(1) && refused.err.contains("nothing was published"));
    assert!(!out.path().join("walks").exists());
}

#[test]
fn all_shows_are_deployed_even_if_one_has_errors() {
    let out = tempfile::tempdir().unwrap();
    let site = network(out.path(), "http://127.0.0.1:1");
    let [walks, news] = ["walks", "news"].map(|name| out.path().join(name));
    let settings = format!(
        "base_url = \"https://walks.example\"\n[deploy]\nto = \"folder:{}\"\n",
        walks.display()
    );
    site.write("shows/walks/show.toml", &settings);
    let said = run(&site, &["--all-shows"]).ok().err;
    assert!(said.contains("Deployed"), "{said}");
    assert!(said.contains("Skipped: news (no deploy destination in show.toml)\n"), "{said}");
    assert_eq!(published(&walks), tree(&site.path("public-walks")));
    assert!(!out.path().join("harbour").exists());
    assert!(site.read(".feedwright/last-deploy-walks.json").contains("/walks"));
    assert!(!site.exists(".feedwright/last-deploy.json"));

    // A show that is added later.
    site.write("shows/news/show.toml", settings.replace("walks", "news"));
    site.write("shows/walks/items/walk.md", "+++\ntitle = 1\n+++\n");
    let before = tree(&walks);
    let refused = run(&site, &["--all-shows"]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("shows/walks/items/walk.md"), "{}", refused.err);
    assert_eq!(published(&news), tree(&site.path("public-news")));
    assert_eq!(tree(&walks), before);

    // Invalid settings hide whether a show has its own destination.
    site.write("shows/news/show.toml", "base_url = 1\n");
    let refused = run(&site, &["--all-shows"]);
    assert!(refused.code == Some(1) && refused.err.contains("nothing was published"));
    assert!(refused.err.contains("shows/news/show.toml"), "{}", refused.err);
}

#[test]
fn a_site_without_such_shows_deploys_none() {
    let said = run(&site(), &["--all-shows"]).ok().err;
    assert!(said.contains("no show was deployed"), "{said}");
}

#[test]
fn the_network_deploys_the_media_of_all_shows_to_their_own_address() {
    let out = tempfile::tempdir().unwrap();
    let site = network(out.path(), "http://127.0.0.1:1");
    let walks = site.read("shows/walks/show.toml");
    site.write("shows/walks/show.toml", walks.split("[deploy.notify]").next().unwrap());
    let media = out.path().join("media");
    let settings = site.read("site.toml");
    site.write("site.toml", format!("{settings}[deploy.media]\nto = \"folder:{}\"\n[media]\nbase_url = \"https://media.example\"\n", media.display()));
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/media-facts/tests/fixtures");
    for show in ["walks", "tides"] {
        let text = format!(
            "+++\nid = \"{show}-1\"\ntitle = \"Talk\"\ndate = 2026-01-01\nattachment = \"talk.mp3\"\n+++\n"
        );
        site.write(&format!("shows/{show}/items/talk/index.md"), text);
        fs::copy(
            fixtures.join("chapters.mp3"),
            site.path(&format!("shows/{show}/items/talk/talk.mp3")),
        )
        .unwrap();
    }
    site.write(".gitignore", "*.mp3\n/public*/\n/.feedwright/\n");
    git(&site.path("."), &["init", "--quiet"]);
    assert_eq!(deploy(&site, &[])["media"]["sent"], 2);
    let list = site.read("content/media.json");
    for show in ["walks", "tides"] {
        assert!(media.join(format!("{show}/items/talk/talk.mp3")).exists());
        assert!(list.contains(&format!("\"/media/{show}/items/talk/talk.mp3\"")), "{list}");
    }
    deploy(&site, &["--show", "walks"]);
    let before = published(&out.path().join("walks"));
    assert!(!before.keys().any(|file| file.starts_with("media/")), "{:?}", before.keys());
    let feed = String::from_utf8_lossy(&before["rss.xml"]);
    assert!(feed.contains("url=\"https://media.example/walks/items/talk/talk.mp3\""), "{feed}");
    // A machine without the recordings publishes the same show.
    git(&site.path("."), &["clean", "-fdXq"]);
    assert!(!site.exists("shows/walks/items/talk/talk.mp3"));
    deploy(&site, &["--show", "walks"]);
    assert_eq!(published(&out.path().join("walks")), before);
    // A command that publishes no site does not list the shows that it left out.
    let said = run(&site, &["--media"]).ok().err;
    assert!(!said.contains("Not deployed"), "{said}");
}

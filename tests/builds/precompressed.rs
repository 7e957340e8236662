//! `[output] precompress`: compressed copies of texts, beside them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::process::Command;

use flate2::read::GzDecoder;

use crate::support::program;
use crate::support::small_site::{SmallSite, site, tree};

const PRECOMPRESS_CONFIG: &str = "base_url = \"https://walks.example\"\n[output]\nprecompress = true\n[hosting]\ntargets = [\"nginx\", \"apache\"]\n";

fn precompressed_site() -> SmallSite {
    site()
        .with("site.toml", PRECOMPRESS_CONFIG)
        .item("+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"Walk\"\n+++\nText.\n")
        .with(
            "content/items/b.md",
            "+++\nid = \"b2\"\nslug = \"other\"\ntitle = \"Other\"\n+++\nOther text.\n",
        )
        .with("content/media/long.vtt", "WEBVTT\n\n".repeat(300))
        .with("content/media/short.vtt", "WEBVTT\n")
        .with("content/media/sound.mp3", "sound ".repeat(1000))
}

/// The copies in the output, with what they hold.
fn compressed_copies(site: &SmallSite) -> BTreeMap<String, Vec<u8>> {
    let files = tree(&site.path("public")).into_iter();
    files.filter_map(|(path, bytes)| Some((path.strip_suffix(".gz")?.to_owned(), bytes))).collect()
}

fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut text).unwrap();
    text
}

/// Each copy is one of its text, and each longer text has one.
fn assert_copies_are_correct(site: &SmallSite) {
    let compressed_copies = compressed_copies(site);
    for (path, copy) in &compressed_copies {
        assert_eq!(decompress(copy), fs::read(site.path("public").join(path)).unwrap(), "{path}");
    }
    let texts = ["css", "html", "js", "json", "rss", "vtt", "xml"];
    for (path, bytes) in tree(&site.path("public")) {
        let ending = path.rsplit('.').next().unwrap();
        let has_copy = texts.contains(&ending) && bytes.len() >= 1024;
        if texts.contains(&ending) || ending != "gz" && ending != "txt" && ending != "svg" {
            assert_eq!(compressed_copies.contains_key(&path), has_copy, "{path}");
        }
    }
}

#[test]
fn only_long_texts_have_compressed_copies() {
    let site = precompressed_site();
    let outcome = site.built();
    assert_copies_are_correct(&site);
    let compressed_copies = compressed_copies(&site);
    assert!(
        compressed_copies.contains_key("index.html")
            && compressed_copies.contains_key("media/long.vtt")
    );
    assert!(
        !compressed_copies.contains_key("media/short.vtt")
            && !compressed_copies.contains_key("media/sound.mp3")
    );
    // They are no files of the site.
    let files = tree(&site.path("public")).len();
    assert_eq!(outcome.files, files - compressed_copies.len());
    let named = fs::read_to_string(site.path("public/sitemap.xml")).unwrap();
    assert!(!named.contains(".gz"), "{named}");
    for rules in ["feedwright.nginx.conf", ".htaccess"] {
        let rules = fs::read_to_string(site.path("public").join(rules)).unwrap();
        assert!(rules.contains("gzip"), "{rules}");
    }
}

#[test]
fn only_changed_copies_are_rewritten() {
    let site = precompressed_site();
    site.built();
    let before = compressed_copies(&site);
    let time = |path: &str| {
        let path = site.path("public").join(format!("{path}.gz"));
        fs::metadata(path).unwrap().modified().unwrap()
    };
    let times: Vec<_> = before.keys().map(|path| time(path)).collect();
    site.built();
    site.touch("site.toml", "2026-04-01T00:00:00Z");
    site.built();
    let again: Vec<_> = before.keys().map(|path| time(path)).collect();
    assert_eq!(times, again);
    site.write(
        "content/items/b.md",
        "+++\nid = \"b2\"\nslug = \"other\"\ntitle = \"Other\"\n+++\nAnother text.\n",
    );
    site.built();
    assert_copies_are_correct(&site);
    assert_eq!(
        time("media/long.vtt"),
        times[before.keys().position(|path| path == "media/long.vtt").unwrap()]
    );
    assert_ne!(compressed_copies(&site)["i/other/index.html"], before["i/other/index.html"]);
    // One that was taken away or damaged comes back.
    fs::remove_file(site.path("public/index.html.gz")).unwrap();
    fs::write(site.path("public/rss.xml.gz"), "nothing").unwrap();
    site.built();
    assert_copies_are_correct(&site);
    // A text that gets too short has none.
    site.write("content/media/long.vtt", "WEBVTT\n");
    site.remove("content/items/b.md");
    site.built();
    assert_copies_are_correct(&site);
    assert!(!compressed_copies(&site).contains_key("media/long.vtt"));
    assert!(!site.exists("public/i/other"));
}

#[test]
fn the_option_adds_and_removes_copies() {
    let site = precompressed_site();
    site.write("site.toml", PRECOMPRESS_CONFIG.replace("true", "false"));
    site.built();
    let without = tree(&site.path("public"));
    assert!(compressed_copies(&site).is_empty());
    site.write("site.toml", PRECOMPRESS_CONFIG);
    site.built();
    assert_copies_are_correct(&site);
    site.write("site.toml", PRECOMPRESS_CONFIG.replace("true", "false"));
    site.built();
    assert_eq!(tree(&site.path("public")), without);
}

#[test]
fn an_author_s_file_is_not_overwritten_by_a_copy() {
    let site = precompressed_site();
    site.write("public/index.html.gz", "mine");
    let report = site.report();
    assert!(report.contains("index.html.gz was not written by feedwright"), "{report}");
    assert_eq!(site.read("public/index.html.gz"), "mine");
}

#[test]
fn copies_are_deployed_only_to_servers() {
    let site = precompressed_site();
    let deploy = |to: &str| {
        let mut command = program::command();
        program::run(command.args(["deploy", "--to", to, "--site"]).arg(site.root())).ok();
    };
    let out = tempfile::tempdir().unwrap();
    deploy(&format!("folder:{}", out.path().join("www").display()));
    assert!(out.path().join("www/index.html.gz").is_file());
    let bare = out.path().join("bare.git");
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let path = bare.to_str().unwrap();
    git(&["init", "--quiet", "--bare", path]);
    deploy(&format!("git:{path}#pages"));
    let listed = git(&["--git-dir", path, "ls-tree", "-r", "--name-only", "pages"]);
    assert!(listed.contains("index.html") && !listed.contains(".gz"), "{listed}");
}

#[test]
fn an_author_s_gz_file_is_published_unchanged() {
    let site = precompressed_site()
        .with("content/media/long.vtt.gz", "mine")
        .with("content/media/short.vtt.gz", "mine");
    for _ in 0..2 {
        site.built();
        for name in ["long", "short"] {
            assert_eq!(site.read(&format!("public/media/{name}.vtt.gz")), "mine");
        }
    }
    // A place that compresses by itself gets it too, and no copy.
    let bare = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(bare.path()).args(arguments).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    git(&["init", "--quiet", "--bare"]);
    let to = format!("git:{}#pages", bare.path().display());
    let mut command = program::command();
    program::run(command.args(["deploy", "--to", &to, "--site"]).arg(site.root())).ok();
    let files = git(&["ls-tree", "-r", "--name-only", "pages"]);
    let compressed_copies: Vec<&str> = files.lines().filter(|file| file.ends_with(".gz")).collect();
    assert_eq!(compressed_copies, ["media/long.vtt.gz", "media/short.vtt.gz"]);
}

//! A clone has the author's files and no local state, and builds the same.

use std::fs;
use std::path::Path;

use feedwright::builder::{self, Silent};
use feedwright::project::Options;

use crate::builds::incremental_builds::site::{assert_same, copy_sources};
use crate::support::small_site::{SmallSite, site, tree};

/// Builds a site: its output, or what is wrong with it.
fn build(root: &Path) -> Result<(), Vec<String>> {
    let mut options = Options::new(root);
    options.visibility.now = "2026-06-01T12:00:00Z".parse().unwrap();
    let built = builder::run(&options, &Silent);
    let faults = |report: feedwright::model::Report| {
        let faults = report.sorted();
        let messages = faults.iter().map(ToString::to_string);
        messages.map(|fault| fault.replace(&root.display().to_string(), "<site>")).collect()
    };
    built.map(drop).map_err(faults)
}

/// A clone of a site builds to the same, or fails with the same errors.
#[track_caller]
fn assert_clone_builds_the_same(root: &Path) {
    let clone = tempfile::tempdir().unwrap();
    copy_sources(root, clone.path());
    let (own, cloned) = (build(root), build(clone.path()));
    assert_eq!(own, cloned, "{}", root.display());
    if own.is_ok() {
        assert_same(&tree(&root.join("public")), &tree(&clone.path().join("public")));
    }
}

#[test]
fn every_fixture_builds_the_same_from_a_clone() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = walkdir::WalkDir::new(fixtures).into_iter().flatten();
    let sites = folders.filter(|entry| entry.path().join("content").is_dir());
    let mut count = 0;
    for fixture in sites {
        let place = tempfile::tempdir().unwrap();
        copy_sources(fixture.path(), place.path());
        let configuration = place.path().join("site.toml");
        if !configuration.exists() {
            fs::write(configuration, "base_url = \"https://tides.example\"\n").unwrap();
        }
        // The first build makes the local state that the second one has and a clone has not.
        let _ = build(place.path());
        assert_clone_builds_the_same(place.path());
        count += 1;
    }
    assert!(count >= 5, "{count} fixtures");
}

/// A site with a Site File that shows the title of an item.
fn site_with_site_file() -> SmallSite {
    site()
        .with("content/items/a.md", "+++\nid = \"a\"\nslug = \"a\"\ntitle = \"One\"\n+++\n")
        .with("site-files/a.json", "[\"{{{items.0.title}}}\"]\n")
}

#[test]
fn a_clone_publishes_the_last_valid_site_file() {
    let site = site_with_site_file();
    site.built();
    let broken = "+++\nid = \"a\"\nslug = \"a\"\ntitle = 'The \"one\"'\n+++\n";
    site.write("content/items/a.md", broken);
    let outcome = site.built();
    assert!(outcome.warnings[0].help.as_ref().unwrap().contains("site-files/.last/a.json"));
    assert_eq!(site.read("public/a.json"), "[\"One\"]\n");
    assert_clone_builds_the_same(site.root());
    // Local state can be deleted.
    fs::remove_dir_all(site.path(".feedwright")).unwrap();
    site.built();
    assert_eq!(site.read("public/a.json"), "[\"One\"]\n");
    // It stays the same text until the template renders again.
    site.write("content/items/a.md", broken.replace("one", "two"));
    site.built();
    assert_eq!(site.read("public/a.json"), "[\"One\"]\n");
    assert_clone_builds_the_same(site.root());
    site.write("content/items/a.md", broken.replace("'The \"one\"'", "\"Three\""));
    site.built();
    assert_eq!(site.read("public/a.json"), "[\"Three\"]\n");
    assert!(!site.exists("site-files/.last"));
    assert_clone_builds_the_same(site.root());
}

#[test]
fn previews_and_other_base_urls_write_no_source_files() {
    let site = site_with_site_file();
    let mut options = site.options();
    options.base_url = Some("https://other.example".into());
    builder::run(&options, &Silent).unwrap();
    site.write("site-files/a.json", "[");
    assert!(builder::run(&options, &Silent).is_ok());
    assert!(!site.exists("site-files/.last"));
    assert!(site.build().is_err());
}

/// What a clone has of a file that no longer renders serves every way to build it.
#[test]
fn a_clone_builds_drafts_and_other_base_urls() {
    let site = site_with_site_file();
    site.built();
    site.write("site-files/a.json", "[");
    site.built();
    let clone = tempfile::tempdir().unwrap();
    copy_sources(site.root(), clone.path());
    for (base_url, drafts) in [(None, true), (Some("https://other.example"), false)] {
        let mut options = Options::new(clone.path());
        options.base_url = base_url.map(str::to_owned);
        options.visibility.drafts = drafts;
        let built = builder::run(&options, &Silent);
        assert!(built.is_ok_and(|outcome| outcome.warnings.len() == 1));
        let text = fs::read_to_string(clone.path().join("public/a.json")).unwrap();
        assert_eq!(text, "[\"One\"]\n");
    }
}

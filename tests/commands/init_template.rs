//! `init --template`: the example sites of `examples/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::EXAMPLES;
use crate::support::program::{self, CommandOutput};
use crate::support::small_site::{bare, tree};

fn init(template: &str, folder: &Path) -> CommandOutput {
    program::run(program::command().args(["init", "--template", template]).arg(folder))
}

fn on(site: &Path, arguments: &[&str]) -> CommandOutput {
    // The examples have dates of their own, so the clock is the clock.
    let mut command = program::command();
    let command = command.args(arguments).arg("--site").arg(site);
    program::run(command.env_remove("SOURCE_DATE_EPOCH"))
}

/// The files of an example, without what builds leave there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(folder);
    files.retain(|name, _| name == "site.toml" || name.starts_with("content/"));
    files
}

/// The lines with an id or the address of the site.
fn ids(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let texts = files.values().filter_map(|bytes| std::str::from_utf8(bytes).ok());
    let is_own = |line: &&str| line.starts_with("id = ") || line.starts_with("base_url = ");
    texts.flat_map(|text| text.lines().filter(is_own).map(str::to_owned)).collect()
}

/// The files without the lines that differ in each new site.
fn without_ids(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let mut files = files.clone();
    for bytes in files.values_mut() {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let is_own = |line: &&str| line.starts_with("id = ") || line.starts_with("base_url = ");
            let lines: Vec<&str> =
                text.split_inclusive('\n').filter(|line| !is_own(line)).collect();
            *bytes = lines.concat().into_bytes();
        }
    }
    files
}

#[test]
fn each_template_is_a_copy_of_its_example_with_new_ids() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut lists = String::new();
    for template in EXAMPLES {
        let parent = bare();
        let site = parent.path("new/site");
        let made = init(template, &site).ok();
        assert!(made.err.contains("Created a site in"), "{}", made.err);

        let written = files(&site);
        assert_eq!(without_ids(&written), without_ids(&files(&root.join(template))), "{template}");
        assert_ne!(ids(&written), ids(&files(&root.join(template))), "{template}");
        assert!(site.join(".gitignore").is_file());
        assert!(site.join(".feedwright/schema/site.json").is_file());
        for name in written.keys() {
            lists.push_str(&format!("{template}/{name}\n"));
        }

        let checked: Value =
            serde_json::from_str(&on(&site, &["check", "--json"]).ok().out).unwrap();
        let found = (&checked["errors"], &checked["warnings"]);
        assert_eq!(found, (&0.into(), &1.into()), "{template}: {checked:#}");
        let built = on(&site, &["build"]).ok().err;
        assert_eq!(built.matches("warning").count(), 1, "{template}: {built}");
        assert!(built.contains("warning[example-address]"), "{template}: {built}");
        for page in ["index.html", "rss.xml", "feed.json", "404.html"] {
            assert!(site.join("public").join(page).is_file(), "{template} has no {page}");
        }
    }
    insta::assert_snapshot!(lists);
}

#[test]
fn the_templates_stay_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let sizes = EXAMPLES.map(|template| {
        let files = files(&root.join(template));
        files.values().map(Vec::len).sum::<usize>()
    });
    assert!(sizes.iter().sum::<usize>() < 650_000, "{sizes:?}");
}

#[test]
fn an_unknown_template_is_an_error_that_names_the_four() {
    let parent = bare();
    let refused = init("nonsense", &parent.path("site"));
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("show, blog, photos, notes"), "{}", refused.err);
    assert!(!parent.path("site").exists());
}

#[test]
fn a_template_is_not_mixed_with_what_is_there() {
    let site = bare().with("content/items/mine.md", "Mine.\n");
    let refused = init("show", site.root());
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("already has content"), "{}", refused.err);
    assert!(!site.path("site.toml").exists());

    let site = bare().with("site.toml", "base_url = \"https://walks.example\"\n");
    let refused = init("show", site.root());
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("already a site"), "{}", refused.err);
    assert_eq!(fs::read_dir(site.root()).unwrap().count(), 1);
}

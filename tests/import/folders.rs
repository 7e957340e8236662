//! Folders of other generators become sites that build.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::program::{self, CommandOutput};
use crate::support::small_site::{SmallSite, bare, copy, tree};

fn fixture(generator: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import").join(generator)
}

fn import(site: &SmallSite, generator: &str, folder: &Path) -> CommandOutput {
    let mut command = program::command();
    let command = command.args(["import", generator]).arg(folder);
    program::run(command.arg("--site").arg(site.path("site")))
}

/// Texts that came out, the names of the other files, and what was told.
fn import_outcome(site: &SmallSite, output: &CommandOutput) -> String {
    let mut lines = Vec::new();
    let mut others = Vec::new();
    for (path, bytes) in tree(&site.path("site")) {
        let is_text =
            path.ends_with(".md") || path.ends_with(".html") || path == "content/redirects.toml";
        match String::from_utf8(bytes) {
            Ok(text) if is_text => lines.push(format!("=== {path}\n{text}")),
            _ => others.push(path),
        }
    }
    lines.push(format!("=== other files\n{}\n", others.join("\n")));
    let told = output.err.replace(&site.root().display().to_string(), "<here>");
    lines.push(format!("=== told\n{told}"));
    lines.join("\n")
}

/// What `build` and `check` say of the site that came out.
fn command_output(site: &SmallSite, command: &str) -> (bool, String) {
    let mut program = program::command();
    let ran = program::run(program.arg(command).arg("--site").arg(site.path("site")));
    (ran.code == Some(0), ran.out + &ran.err)
}

fn assert_imported(generator: &str) {
    let site = bare();
    let before = tree(&fixture(generator));
    let output = import(&site, generator, &fixture(generator)).ok();
    insta::assert_snapshot!(format!("import_folder_{generator}"), import_outcome(&site, &output));
    assert_eq!(before, tree(&fixture(generator)), "the source changed");

    // It builds, and links lead somewhere.
    let (built, text) = command_output(&site, "build");
    assert!(built, "{text}");
    let (checked, text) = command_output(&site, "check");
    assert!(checked, "{text}");
    // What the source lacks itself is all that is not there.
    let nowhere = text.lines().filter(|line| line.contains("the site has nothing at"));
    let lost = |line: &str| line.contains("lost.jpg") || line.contains("missing.pdf");
    assert_eq!(nowhere.filter(|line| !lost(line)).count(), 0, "{text}");

    // Again brings nothing, and what was edited stays.
    let first = tree(&site.path("site/content"))
        .into_keys()
        .find(|path| path.starts_with("items/") && path.ends_with(".md"));
    let edited = format!("site/content/{}", first.unwrap());
    let text = site.read(&edited) + "\nMine.\n";
    site.write(&edited, &text);
    let before = tree(&site.path("site/content"));
    let output = import(&site, generator, &fixture(generator));
    assert_eq!(output.code, Some(0));
    let told = output.err;
    assert!(told.contains(": 0 new items,"), "{told}");
    assert_eq!(before, tree(&site.path("site/content")), "a second import changed something");
}

#[test]
fn a_hugo_site_is_imported() {
    assert_imported("hugo");
}

#[test]
fn a_jekyll_site_is_imported() {
    assert_imported("jekyll");
}

#[test]
fn a_zola_site_is_imported() {
    assert_imported("zola");
}

#[test]
fn an_eleventy_site_is_imported() {
    assert_imported("eleventy");
}

#[test]
fn an_empty_folder_is_an_error_and_creates_no_site() {
    let site = bare().with("empty/readme.txt", "");
    for generator in ["hugo", "jekyll", "zola", "eleventy"] {
        let output = import(&site, generator, &site.path("empty"));
        let told = output.err;
        assert!(output.code != Some(0) && told.contains(": not a"), "{told}");
        assert!(!site.exists("site/site.toml"));
    }
    let output = import(&site, "hugo", &site.path("nowhere"));
    assert!(output.code != Some(0));
}

#[test]
fn a_site_is_not_imported_into_its_source_folder() {
    let site = bare();
    copy(&fixture("hugo"), &site.path("site"));
    let before = tree(&site.path("site"));
    let output = import(&site, "hugo", &site.path("site"));
    assert!(output.err.contains("choose another folder"));
    assert_eq!(before, tree(&site.path("site")));
}

#[cfg(unix)]
#[test]
fn symbolic_links_out_of_the_folder_are_not_followed() {
    let site = bare().with("secret.md", "---\ntitle: Secret\n---\n").with("secret.jpg", "x");
    copy(&fixture("zola"), &site.path("from"));
    let site = site
        .link("from/content/blog/secret.md", "../../../secret.md")
        .link("from/static/img/secret.jpg", "../../../secret.jpg")
        .with(
            "from/content/blog/it.md",
            "+++\ntitle = \"It\"\ndate = 2024-01-01\n+++\n![It](/img/secret.jpg)\n",
        );
    let output = import(&site, "zola", &site.path("from"));
    assert_eq!(output.code, Some(0));
    let names: Vec<String> = tree(&site.path("site")).into_keys().collect();
    assert!(!names.iter().any(|name| name.contains("secret")), "{names:?}");
    assert!(output.err.contains("was not followed"));
    assert!(command_output(&site, "build").0);
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_imported() {
    let site = bare();
    copy(&fixture("hugo"), &site.path("from"));
    site.write("from/content/posts/broken.md", "+++\ntitle = [\n+++\nText\n");
    site.write("from/content/posts/latin.md", b"---\ntitle: \xe9\n---\n");
    site.write("from/content/posts/when.md", "---\ntitle: When\ndate: some day\n---\nText {{< \n");
    let output = import(&site, "hugo", &site.path("from"));
    let told = output.err;
    for part in ["broken.md:", "latin.md", "some day` is not a valid date"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(fs::exists(site.path("site/content/items/posts/when.md")).unwrap());
    assert!(command_output(&site, "build").0);
}

#[test]
fn translations_are_linked_to_each_other() {
    let post = "---\ntitle: Fog\ndate: 2024-01-05\n---\nGrey.\n";
    let hugo = "baseURL = 'https://tides.example/'\ntitle = 'Tides'\ndefaultContentLanguage = 'en'\n[languages.en]\nweight = 1\n\
        [languages.de]\nweight = 2\n[languages.fr]\nweight = 3\ncontentDir = 'french'\n";
    let zola = "base_url = 'https://tides.example'\ntitle = 'Tides'\ndefault_language = 'en'\n[languages.de]\n[languages.fr]\n";
    for (generator, files) in [
        (
            "hugo",
            [
                ("hugo.toml", hugo),
                ("content/posts/fog.md", post),
                ("content/posts/fog.de.md", post),
                ("french/posts/fog.md", post),
            ],
        ),
        (
            "zola",
            [
                ("config.toml", zola),
                ("content/posts/fog.md", post),
                ("content/posts/fog.de.md", post),
                ("content/posts/fog.fr.md", post),
            ],
        ),
    ] {
        let site = bare();
        for (path, text) in files {
            let text = if generator == "zola" {
                text.replace("---", "+++")
                    .replace("title: Fog", "title = 'Fog'")
                    .replace("date: ", "date = ")
            } else {
                text.to_owned()
            };
            site.write(&format!("old/{path}"), text);
        }
        let output = import(&site, generator, &site.path("old"));
        output.ok();
        let (built, text) = command_output(&site, "build");
        assert!(built && !text.contains("warning"), "{text}");
        let paths = ["/posts/fog/", "/de/posts/fog/", "/fr/posts/fog/"];
        for own in paths {
            let page = site.read(&format!("site/public{own}index.html"));
            for other in paths.iter().filter(|other| **other != own) {
                let link = format!("href=\"https://tides.example{other}\" hreflang=\"");
                let turned = page.contains("hreflang=\"") && page.contains(other);
                assert!(page.contains(&link) || turned, "{generator}: {own} does not name {other}");
            }
        }
        assert!(site.exists("site/public/de/posts/fog/index.html"), "{generator}: the old address");
    }
}

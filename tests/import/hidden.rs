//! What another generator does not publish is not published after an import, and the report names it.
//!
//! Each site below `tests/fixtures/import/hidden` has texts with the word SHOWN, which the generator publishes, and with the
//! word SECRET, which it does not. `tests/independent/generators.py` asks the generators themselves.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::program;
use crate::support::small_site::{SmallSite, bare, tree};

/// Imports a folder into `site` and returns the report.
fn import(site: &SmallSite, generator: &str, folder: &Path) -> Value {
    let mut command = program::command();
    let command = command.args(["import", generator, "--json"]).arg(folder);
    let report = program::run(command.arg("--site").arg(site.path("site"))).ok().out;
    serde_json::from_str(&report).unwrap()
}

/// Builds the site and returns the texts of all files that are public.
fn build_and_read(site: &SmallSite) -> String {
    program::run(program::command().args(["build", "--site"]).arg(site.path("site"))).ok();
    let files = tree(&site.path("site/public")).into_values();
    files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned() + "\n").collect()
}

/// The words that mark a text: `SECRET text of posts a.md`.
fn markers(text: &str, word: &str) -> Vec<String> {
    let parts = text.split(word).skip(1);
    let end = |part: &str| part.find(['.', '<', '\n', '"', '\\']).unwrap_or(part.len());
    let marks = parts.map(|part| format!("{word}{}", &part[..end(part)]));
    marks.collect()
}

fn read_texts(folder: &Path) -> Vec<(String, String)> {
    let files = tree(folder).into_iter();
    let is_text = |path: &str| {
        let ending = path.rsplit('.').next().unwrap_or_default().to_lowercase();
        ["md", "markdown", "mkd", "mkdn", "html"].contains(&&*ending)
    };
    files
        .filter(|(path, _)| is_text(path))
        .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// Imports a site, and checks what is public and what the report says.
fn assert_stays_hidden(generator: &str, name: &str) {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import/hidden").join(name);
    let site = bare();
    let report = import(&site, generator, &folder);
    let public = build_and_read(&site);
    let found = markers(&public, "SECRET");
    assert!(found.is_empty(), "public: {found:?}");

    let hidden: Vec<&Value> = report["hidden"].as_array().unwrap().iter().collect();
    let notes = report["notes"].to_string();
    let (mut lost, mut unnamed) = (Vec::new(), Vec::new());
    for (path, text) in read_texts(&folder) {
        let shown = markers(&text, "SHOWN").into_iter();
        lost.extend(shown.filter(|mark| !public.contains(mark.as_str())));
        let is_list = path.rsplit('/').next().unwrap().starts_with("_index");
        if text.contains("SHOWN") || !text.contains("SECRET") || is_list {
            continue;
        }
        let is_named = hidden.iter().any(|one| {
            let place = one["place"].as_str().unwrap();
            let reason = one["reason"].as_str().unwrap();
            path.ends_with(place) && !reason.is_empty()
        });
        if !is_named {
            unnamed.push(path);
        }
    }
    assert!(lost.is_empty(), "not public: {lost:?}\n{:#}", report["hidden"]);
    // What lies outside the folder of texts is no text of the site.
    unnamed.retain(|path| !OUTSIDE.contains(&path.as_str()));
    assert!(unnamed.is_empty(), "not named: {unnamed:?}\n{notes}");
}

const OUTSIDE: [&str; 7] = [
    "content/loose.md", "content/posts/old.md", "notes.md", "outside.md", ".dot/x.md",
    "src/parts/part.md", "content/hush/quiet.md",
];

#[test]
fn content_hidden_by_hugo_stays_hidden() {
    assert_stays_hidden("hugo", "hugo");
}

#[test]
fn hugo_folder_settings_hide_content_in_all_languages() {
    assert_stays_hidden("hugo", "hugo-folders");
}

#[test]
fn hugo_mounts_decide_which_content_is_read() {
    assert_stays_hidden("hugo", "hugo-mounts");
}

#[test]
fn content_hidden_by_jekyll_stays_hidden() {
    assert_stays_hidden("jekyll", "jekyll");
}

#[test]
fn jekyll_folder_settings_and_limits_are_respected() {
    assert_stays_hidden("jekyll", "jekyll-collections");
}

#[test]
fn content_hidden_by_eleventy_stays_hidden() {
    assert_stays_hidden("eleventy", "eleventy");
}

#[test]
fn formats_unsupported_by_eleventy_stay_hidden() {
    assert_stays_hidden("eleventy", "eleventy-formats");
}

#[test]
fn content_omitted_by_hugo_stays_hidden() {
    assert_stays_hidden("hugo", "hugo-parts");
}

#[test]
fn conditional_liquid_blocks_hide_their_content() {
    assert_stays_hidden("jekyll", "jekyll-blocks");
}

#[test]
fn eleventy_scripts_hide_the_content_they_filter() {
    assert_stays_hidden("eleventy", "eleventy-programs");
}

#[test]
fn eleventy_script_data_can_hide_content() {
    assert_stays_hidden("eleventy", "eleventy-ways");
}

#[test]
fn eleventy_settings_can_hide_content() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/import/hidden/eleventy-settings");
    for site in fs::read_dir(folder).unwrap() {
        let name = site.unwrap().file_name().into_string().unwrap();
        assert_stays_hidden("eleventy", &format!("eleventy-settings/{name}"));
    }
}

#[test]
fn any_eleventy_script_is_parsed() {
    let deep = ["(", "[", "!", "{a:", "x=>", "`${"].map(|open| open.repeat(5000));
    let loops = "for (const a of [1,2,3,4,5,6,7,8,9]) ".repeat(12);
    let conditions = "if (data.a) { if (b) return false; }\n".repeat(60);
    let codes = deep.into_iter().chain([
        format!("module.exports = c => {{ {loops} c.ignores.add(a) }}"),
        format!("module.exports = c => c.addPreprocessor('a', 'md', data => {{ {conditions} }})"),
        "module.exports = c => { const a = () => a(); c.ignores.add(a()); }".to_owned(),
        "const a = b, b = a; exports.x = a; module.exports = require('./.eleventy.js');".to_owned(),
        "\0\u{feff}#!'\\".to_owned(),
    ]);
    for code in codes {
        let (site, folder) = write_source_site(&[
            (".eleventy.js", &code),
            ("a.11tydata.js", &code),
            ("a.md", "---\ntitle: A\n---\nText.\n"),
        ]);
        import(&site, "eleventy", &folder);
    }
}

#[test]
fn addresses_computed_by_eleventy_scripts_are_kept() {
    let (site, folder) = write_source_site(&[
        (
            "posts/posts.11tydata.mjs",
            "const folder = 'log';\nexport default { tags: 'posts', permalink: ({ page }) => `/${folder}/${page.fileSlug}/` };\n",
        ),
        ("posts/a.md", "---\ntitle: A\ndate: 2024-01-01\n---\nText.\n"),
    ]);
    import(&site, "eleventy", &folder);
    build_and_read(&site);
    let public = tree(&site.path("site/public"));
    assert!(public.keys().any(|path| path.contains("log/a")), "{:?}", public.keys());
}

#[test]
fn content_hidden_by_zola_stays_hidden() {
    assert_stays_hidden("zola", "zola");
}

/// Writes a site's files below `write_source_site`.
fn write_source_site(files: &[(&str, &str)]) -> (SmallSite, PathBuf) {
    let site = bare();
    for (path, text) in files {
        site.write(&format!("old/{path}"), text);
    }
    let folder = site.path("old");
    (site, folder)
}

#[test]
fn scheduled_content_stays_scheduled() {
    let (site, folder) = write_source_site(&[
        ("hugo.toml", "baseURL = 'https://h.example/'\ntitle = 'H'\n"),
        (
            "content/posts/a.md",
            "---\ntitle: A\ndate: 2024-01-01\npublishDate: 2038-01-01\n---\nLater.\n",
        ),
        (
            "content/posts/b.md",
            "---\ntitle: B\ndate: 2038-01-01\npublishDate: 2024-01-01\n---\nNow.\n",
        ),
        (
            "content/posts/c.md",
            "---\ntitle: C\ndate: 2024-01-01\nbuild: {list: never}\n---\nIn no list.\n",
        ),
    ]);
    let report = import(&site, "hugo", &folder);
    let date = |name: &str| {
        let text = site.read(&format!("site/content/items/{name}.md"));
        let line = text.lines().find(|line| line.contains("date_published"));
        line.unwrap().to_owned()
    };
    assert!(date("a").contains("2038-01-01"), "{}", date("a"));
    assert!(date("b").contains("2024-01-01"), "{}", date("b"));
    assert!(site.read("site/content/items/c.md").contains("status = \"unlisted\""));
    let waits = &report["hidden"][0];
    assert_eq!(waits["place"], "content/posts/a.md");
    assert_eq!(waits["fate"], "waits for its date");
    let public = build_and_read(&site);
    assert!(public.contains("Now.") && !public.contains("Later."));
}

#[test]
fn content_with_an_invalid_date_is_not_published() {
    for generator in ["hugo", "jekyll", "eleventy", "zola"] {
        let (fence, date) = match generator {
            "zola" => ("+++", "title = 'A'\ndate = '1. Januar 2038'"),
            _ => ("---", "title: A\ndate: 1. Januar 2038"),
        };
        let text = format!("{fence}\n{date}\n{fence}\nUnknown.\n");
        let (settings, value, path) = match generator {
            "hugo" => ("hugo.toml", "baseURL = 'https://h.example/'", "content/posts/a.md"),
            "jekyll" => ("_config.yml", "url: https://h.example", "_posts/2024-01-01-a.md"),
            "zola" => ("config.toml", "base_url = 'https://h.example'", "content/posts/a.md"),
            _ => ("package.json", "{}", "posts/a.md"),
        };
        let (site, folder) = write_source_site(&[(settings, value), (path, &text)]);
        let report = import(&site, generator, &folder);
        assert_eq!(report["hidden"][0]["place"], path, "{generator}: {report}");
        assert!(report["notes"].to_string().contains("1. Januar 2038"), "{generator}: {report}");
        assert!(!build_and_read(&site).contains("Unknown."), "{generator}");
    }
}

#[test]
fn scripts_that_select_pages_hide_those_pages() {
    let config = "export default function (c) {\n\
        c.addGlobalData('eleventyComputed.permalink', () => (data) => (data.secret ? false : data.permalink));\n}\n";
    let post =
        |fields: &str, body: &str| format!("---\ntitle: A\ntags: posts\n{fields}---\n{body}\n");
    let (site, folder) = write_source_site(&[
        ("eleventy.config.mjs", config),
        ("posts/a.md", &post("secret: true\n", "SECRET a")),
        ("posts/b.md", &post("secret: false\n", "SHOWN b")),
        ("posts/c.md", &post("draft: true\n", "SECRET c")),
        ("posts/d.md", "---js\n{ title: 'D', draft: true }\n---\nSECRET d\n"),
    ]);
    let report = import(&site, "eleventy", &folder);
    let public = build_and_read(&site);
    assert!(public.contains("SHOWN b"), "{report}");
    assert!(!public.contains("SECRET"), "{report}");
    let places: Vec<&str> = report["hidden"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["place"].as_str().unwrap())
        .collect();
    assert_eq!(places, ["posts/d.md", "posts/a.md", "posts/c.md"]);
}

#[test]
fn every_hidden_text_is_reported() {
    let (site, folder) = write_source_site(&[
        ("_config.yml", "url: https://t.example\n"),
        ("_posts/2024-01-01-a.md", "---\ntitle: A\npublished: false\n---\nText.\n"),
        ("_posts/2024-01-02-b.md", "---\ntitle: B\npublished: false\n---\nText.\n"),
        ("_drafts/c.md", "---\ntitle: C\n---\nText.\n"),
    ]);
    let mut command = program::command();
    let command = command.args(["import", "jekyll"]).arg(folder);
    let told = program::run(command.arg("--site").arg(site.path("site"))).err;
    for line in [
        "  _drafts/c.md: it is in `_drafts`; unpublished\n",
        "  _posts/2024-01-01-a.md: `published: false`; unpublished\n",
        "  _posts/2024-01-02-b.md: `published: false`; unpublished\n",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(fs::exists(site.path("site/content/items/a.md")).unwrap());
}

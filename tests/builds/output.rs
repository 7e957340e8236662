//! The output folder: what a build writes, replaces, removes and leaves alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use feedwright::builder::{self, Silent};
use feedwright::model::Report;
use feedwright::render::{Body, ItemParts, Renderer};

use crate::content::errors::site_with_theme;
use crate::support::small_site::{SmallSite, copy, site, tree};
use crate::support::wait;

/// A site with a bit of everything.
pub fn full_site() -> SmallSite {
    site()
        .with(
            "site.toml",
            "base_url = \"https://example.com/blog\"\n[feed]\nitems_per_page = 2\nlimit = 3\n[hosting]\ntargets = [\"netlify\", \"github-pages\"]\n",
        )
        .with(
            "content/items/a.md",
            "+++\nid = \"a\"\ntitle = \"One\"\ndate = 2026-01-01\ntags = [\"x\", \"y\"]\naliases = [\"old\"]\n+++\nText with [a link](b/index.md).\n",
        )
        .with(
            "content/items/b/index.md",
            "+++\nid = \"b\"\ntitle = \"Two\"\ndate = 2026-02-01\ntags = [\"x\"]\nattachment = \"b.bin\"\n[[podcast.chapters]]\nstartTime = 0\ntitle = \"Start\"\n+++\n",
        )
        .with("content/items/b/b.bin", "0123456789")
        .with("content/items/c.md", "+++\nid = \"c\"\ndate = 2026-03-01\n+++\nThree.\n")
        .with("content/items/d.md", "+++\nid = \"d\"\ntitle = \"Four\"\nurl = \"https://elsewhere.example/\"\n+++\n")
        .with("content/pages/about.md", "+++\ntitle = \"About\"\nshow_in_navigation = true\nnavigation_label = \"About\"\n+++\nUs.\n")
        .with("content/pages/404.md", "+++\ntitle = \"Nothing here\"\n+++\nGo [home](/).\n")
        .with("content/media/cover.bin", "cover")
        .with("site-files/humans.txt", "{{#items}}{{title}}\n{{/items}}")
}

fn first_error(report: Report) -> String {
    report.sorted()[0].message.clone()
}

#[track_caller]
fn assert_same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>, why: &str) {
    let names = |tree: &BTreeMap<String, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(left), names(right), "{why}");
    for (name, bytes) in left {
        assert_eq!(
            String::from_utf8_lossy(bytes),
            String::from_utf8_lossy(&right[name]),
            "{why}: {name}"
        );
    }
}

/// Builds a site into a folder outside it that was not there before.
fn clean_build(site: &SmallSite) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let mut options = site.options();
    options.out = Some(folder.path().join("out"));
    builder::run(&options, &Silent).unwrap();
    tree(&folder.path().join("out"))
}

#[test]
fn author_files_in_the_output_are_kept() {
    let site = full_site();
    site.write("public/CNAME", "example.com");
    site.write("public/i/notes.txt", "mine");
    site.built();
    site.write("public/tags/x/mine.txt", "mine");
    site.remove("content/items");
    fs::create_dir(site.path("content/items")).unwrap();
    site.built();
    assert_eq!(site.read("public/CNAME"), "example.com");
    assert_eq!(site.read("public/i/notes.txt"), "mine");
    assert_eq!(site.read("public/tags/x/mine.txt"), "mine");
    assert!(!site.exists("public/tags/x/index.html"));
    assert!(!site.exists("public/tags/y"));
}

#[test]
fn a_foreign_output_file_is_an_error_unless_overwriting() {
    let site = full_site();
    site.write("public/robots.txt", "mine");
    let message = first_error(site.build().unwrap_err());
    assert!(message.contains("robots.txt was not written by feedwright"), "{message}");
    assert_eq!(site.output().len(), 1);

    let mut options = site.options();
    options.overwrite = true;
    builder::run(&options, &Silent).unwrap();
    assert!(site.read("public/robots.txt").contains("User-agent"));
    assert_eq!(site.built().written, 0);
}

#[test]
fn a_file_instead_of_a_folder_fails_before_writing() {
    for overwrite in [false, true] {
        let site = full_site();
        site.write("public/about", "mine");
        site.write("public/feed.json/x", "mine");
        let before = site.output();
        let mut options = site.options();
        options.overwrite = overwrite;
        let report = builder::run(&options, &Silent).unwrap_err();
        assert_eq!(report.errors(), 2, "{report:?}");
        assert_same(&site.output(), &before, "untouched");
    }
}

/// An output that is another than the build's, and whose `.feedwright/` is gone, is the author's: all of
/// it, in a few lines.
#[test]
fn an_output_without_state_reports_few_errors() {
    let site = full_site();
    site.built();
    fs::remove_dir_all(site.path(".feedwright")).unwrap();
    site.write("content/channel.md", "+++\ntitle = \"Another\"\n+++\n");
    let report = site.build().unwrap_err();
    assert_eq!(report.errors(), 6);
    let found = report.sorted();
    let more = |message: &str| message.ends_with("more files block the build");
    assert!(found.iter().any(|error| more(&error.message)), "{found:?}");
    assert!(
        found.iter().any(|error| {
            error.help.as_deref().is_some_and(|help| help.contains("--overwrite"))
        })
    );
}

/// A copy of a site without its `.feedwright/`, and a clone of one that keeps its output.
#[test]
fn an_identical_output_without_state_is_adopted() {
    let site = full_site();
    site.built();
    fs::remove_dir_all(site.path(".feedwright")).unwrap();
    let whole = site.output();
    site.built();
    assert_same(&site.output(), &whole, "taken over");
    // From now on its files are the build's again.
    site.remove("content/items/b");
    site.write("content/items/a.md", "+++\nid = \"a\"\n+++\n");
    site.built();
    assert_same(&site.output(), &clean_build(&site), "nothing is left over");
    // One byte more is the author's.
    fs::remove_dir_all(site.path(".feedwright")).unwrap();
    site.write("public/robots.txt", site.read("public/robots.txt") + "\n");
    site.write("public/media/cover.bin", "Cover");
    assert_eq!(site.build().unwrap_err().errors(), 2);
}

#[test]
fn a_moved_or_copied_site_keeps_its_output_state() {
    let change = |site: &SmallSite, root: &Path| {
        let item = "+++\nid = \"a\"\ntitle = \"Changed\"\n+++\n";
        fs::write(root.join("content/items/a.md"), item).unwrap();
        fs::remove_file(root.join("content/items/d.md")).unwrap();
        let mut options = site.options();
        options.root = root.to_path_buf();
        if let Err(report) = builder::run(&options, &Silent) {
            panic!("{:?}", report.sorted());
        }
        let folder = tempfile::tempdir().unwrap();
        options.out = Some(folder.path().join("out"));
        builder::run(&options, &Silent).unwrap();
        let fresh = tree(&folder.path().join("out"));
        assert_same(&tree(&root.join("public")), &fresh, "at the new place");
    };
    let elsewhere = tempfile::tempdir().unwrap();
    let site = full_site();
    site.built();
    let copied = elsewhere.path().join("copied");
    copy(site.root(), &copied);
    change(&site, &copied);

    let moved = elsewhere.path().join("moved");
    fs::create_dir(&moved).unwrap();
    for part in fs::read_dir(site.root()).unwrap() {
        let part = part.unwrap();
        fs::rename(part.path(), moved.join(part.file_name())).unwrap();
    }
    change(&site, &moved);
}

/// The site by another name is the same one, and so is its output.
#[cfg(unix)]
#[test]
fn an_output_is_recognized_by_every_site_path() {
    let site = full_site();
    site.built();
    let elsewhere = tempfile::tempdir().unwrap();
    let linked = elsewhere.path().join("linked");
    std::os::unix::fs::symlink(site.root(), &linked).unwrap();
    for (root, out) in [
        (linked.clone(), None),
        (linked.clone(), Some(site.path("public"))),
        (site.root().to_path_buf(), Some(linked.join("public"))),
    ] {
        let mut options = site.options();
        (options.root, options.out) = (root, out);
        assert_eq!(builder::run(&options, &Silent).unwrap().written, 0);
    }
}

/// Earlier versions named what is known of an output by its absolute path.
#[test]
fn output_state_of_earlier_versions_is_adopted() {
    let site = full_site();
    site.built();
    let name = site.path("public").display().to_string();
    let key = xxhash_rust::xxh3::xxh3_64(name.as_bytes());
    let earlier = site.path(&format!(".feedwright/output-{key:016x}"));
    fs::rename(state(&site), &earlier).unwrap();
    assert_eq!(site.built().written, 0);
    site.remove("content/items/d.md");
    site.built();
    assert_same(&site.output(), &clean_build(&site), "after a change");
    assert!(!earlier.exists());
}

#[test]
fn an_output_path_that_is_a_file_is_one_error() {
    let site = full_site();
    site.write("public", "mine");
    let report = site.build().unwrap_err();
    assert_eq!(report.errors(), 1, "{report:?}");
    assert!(first_error(report).ends_with("public is not a folder"));
    assert_eq!(site.read("public"), "mine");
}

#[test]
fn sources_are_never_overwritten() {
    let site = full_site();
    let before = tree(site.root());
    for out in [".", "content", "content/new/deeper", "themes/x", "..", ".feedwright"] {
        let mut options = site.options();
        options.out = Some(site.path(out));
        let message = first_error(builder::run(&options, &Silent).unwrap_err());
        assert!(message.contains("that folder contains the site itself"), "{out}: {message}");
    }
    assert_same(&tree(site.root()), &before, "untouched");
}

#[cfg(unix)]
#[test]
fn an_output_symlink_is_followed_but_inner_symlinks_are_not() {
    let elsewhere = tempfile::tempdir().unwrap();
    let site = full_site().link("public", elsewhere.path());
    site.built();
    assert_same(&tree(elsewhere.path()), &clean_build(&site), "behind the link");
    assert_eq!(site.built().written, 0);

    let to_content = full_site().link("public", "content");
    let message = first_error(to_content.build().unwrap_err());
    assert!(message.contains("that folder contains the site itself"), "{message}");

    // `media` linked to the sources: a removed file would be removed from them.
    let site = full_site();
    site.built();
    site.remove("public/media");
    let site = site.link("public/media", "../content");
    let before = tree(&site.path("content"));
    site.write("content/items/e.md", "More.\n");
    let message = first_error(site.build().unwrap_err());
    assert!(message.contains("media is a symbolic link"), "{message}");
    site.remove("content/items/e.md");
    assert_same(&tree(&site.path("content")), &before, "the sources");
}

/// A folder deep in the output that became a link to files of the author's.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_symlinks_in_the_output() {
    let site = site().with("content/items/a.md", "+++\nid = \"a\"\nslug = \"first\"\n+++\nOne.\n");
    site.built();
    site.write("mine/index.html", "precious");
    site.remove("public/i/first");
    let site = site.link("public/i/first", "../../mine");
    site.write("content/items/a.md", "+++\nid = \"a\"\nslug = \"first\"\n+++\nTwo.\n");
    let message = first_error(site.build().unwrap_err());
    assert!(message.contains("first is a symbolic link"), "{message}");
    assert_eq!(site.read("mine/index.html"), "precious");
}

#[test]
fn builds_into_one_folder_wait_for_each_other() {
    let site = full_site();
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..4).map(|_| scope.spawn(|| site.build())).collect();
        for build in builds {
            build.join().unwrap().unwrap();
        }
    });
    assert_same(&site.output(), &clean_build(&site), "after all of them");
}

#[cfg(unix)]
#[test]
fn an_unwritable_folder_is_an_error() {
    // Under a file nothing can be made, whoever runs the test.
    let site = full_site();
    let mut options = site.options();
    options.out = Some(site.path("site.toml/out"));
    let report = builder::run(&options, &Silent).unwrap_err();
    assert!(report.errors() <= 6, "{}", report.errors());
    assert!(first_error(report).contains("cannot be written"));

    let site = full_site();
    site.write(".feedwright", "a file");
    let found = site.build().unwrap_err().sorted();
    assert!(found[0].message.contains(".feedwright"), "{found:?}");
    assert!(found[0].help.is_some());
    assert!(!site.exists("public"));
}

#[test]
fn builds_are_reproducible_anywhere() {
    let site = full_site();
    let first = clean_build(&site);
    assert_same(&first, &clean_build(&site), "another folder");

    let elsewhere = tempfile::tempdir().unwrap();
    let root = elsewhere.path().join("a copy of the site");
    copy(site.root(), &root);
    let old = fs::File::options().append(true).open(root.join("content/items/a.md")).unwrap();
    old.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let mut options = site.options();
    options.root.clone_from(&root);
    builder::run(&options, &Silent).unwrap();
    assert_same(&first, &tree(&root.join("public")), "a copy of the site");
}

/// The home page tells search engines of a podcast, whichever page its episodes are on.
#[test]
fn the_home_page_updates_when_an_attachment_appears() {
    let site = full_site();
    site.built();
    site.write(
        "content/items/a.md",
        "+++\nid = \"a\"\ntitle = \"One\"\ndate = 2026-01-01\nattachment = \"https://cdn.example/a.mp3\"\n+++\n",
    );
    site.built();
    assert!(site.read("public/index.html").contains("PodcastSeries"));
    assert_same(&site.output(), &clean_build(&site), "after the change");
}

#[test]
fn media_outside_content_are_tracked() {
    let site = site()
        .with("content/items/a.md", "+++\nattachment = \"../../assets/a.bin\"\n+++\n")
        .with("assets/a.bin", "one");
    wait::settled(site.root());
    site.built();
    assert_eq!(site.built().written, 0);
    site.write("assets/a.bin", "three");
    site.built();
    assert!(site.read("public/rss.xml").contains("length=\"5\""));
    assert_same(&site.output(), &clean_build(&site), "after the change");
}

/// `cp -p`, `rsync -t` and `touch -r` give a new file of the same size the old one's time.
#[cfg(unix)]
#[test]
fn a_change_with_the_same_time_and_size_is_detected() {
    let site = site()
        .with("content/items/a.md", "+++\ntitle = \"A\"\n+++\nOne.\n")
        .with("content/media/a.bin", "one");
    wait::settled(site.root());
    site.built();
    assert_eq!(site.built().written, 0);
    for (path, text) in
        [("content/items/a.md", "+++\ntitle = \"A\"\n+++\nTwo.\n"), ("content/media/a.bin", "two")]
    {
        let time = fs::metadata(site.path(path)).unwrap().modified().unwrap();
        site.write(path, text);
        let file = fs::File::options().append(true).open(site.path(path));
        file.unwrap().set_modified(time).unwrap();
        site.built();
        assert_same(&site.output(), &clean_build(&site), path);
    }
}

#[test]
fn removed_content_is_removed_with_empty_folders() {
    let site = full_site();
    site.built();
    assert!(site.exists("public/i/b/chapters.json"));
    assert!(site.exists("public/media/items/b/b.bin"));
    site.remove("content/items/b");
    site.write("content/items/a.md", "+++\nid = \"a\"\ntitle = \"One\"\ndate = 2026-01-01\n+++\n");
    let outcome = site.built();
    assert!(outcome.removed > 5, "{outcome:?}");
    for gone in ["i/b", "i/two-b", "media/items", "tags", "i/old"] {
        assert!(!site.exists(&format!("public/{gone}")), "{gone}");
    }
    assert_same(&site.output(), &clean_build(&site), "nothing is left over");
}

#[test]
fn a_file_can_become_a_folder_and_back() {
    let site = full_site();
    let flat = || site.write("content/media/x", "flat");
    let deep = || site.write("content/media/x/y/z.bin", "deep");
    flat();
    site.built();
    site.remove("content/media/x");
    deep();
    site.built();
    assert_same(&site.output(), &clean_build(&site), "a folder");
    site.remove("content/media/x");
    flat();
    site.built();
    assert_same(&site.output(), &clean_build(&site), "a file again");
    assert_eq!(site.built().written, 0);
}

/// What is known of the output: the one file `output-*` without an ending in `.feedwright/`.
fn state(site: &SmallSite) -> PathBuf {
    fs::read_dir(site.path(".feedwright"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with("output-") && !name.contains('.')
        })
        .unwrap()
}

/// What a finished build has noted of each file: its name, fingerprint, hash and length.
fn recorded_files(state: &Path) -> Vec<(String, [u64; 3])> {
    let bytes = fs::read(state).unwrap();
    let rest = bytes.strip_prefix(b"feedwright output 3\n").unwrap();
    let number = |at: usize| u64::from_le_bytes(rest[at..at + 8].try_into().unwrap());
    let start = 24;
    let facts = start + usize::try_from(number(16)).unwrap();
    let names = str::from_utf8(&rest[start..facts]).unwrap().lines();
    let record = |at: usize| [0, 8, 16].map(|part| number(facts + 24 * at + part));
    let names = names.enumerate();
    names.map(|(at, name)| (name.to_owned(), record(at))).collect()
}

/// Makes the state that of a build that was cut off while it wrote every file.
fn simulate_interrupted_build(site: &SmallSite) {
    let path = state(site);
    let files = recorded_files(&path).into_iter().map(|(name, _)| name + "\n");
    let begun = format!("\n{}", files.collect::<String>());
    fs::write(path.with_extension("begun"), begun).unwrap();
}

/// Earlier versions wrote a text, the first one without a checksum.
#[test]
fn output_state_of_earlier_formats_is_read() {
    let site = full_site();
    site.built();
    let path = state(&site);
    for version in ["1", "2"] {
        let lines: String = recorded_files(&path)
            .into_iter()
            .map(|(name, [print, hash, length])| format!("{print:x} {hash:x} {length:x} {name}\n"))
            .collect();
        let sum = match version {
            "2" => format!(" {:016x}", xxhash_rust::xxh3::xxh3_64(lines.as_bytes())),
            _ => String::new(),
        };
        fs::write(&path, format!("feedwright output {version}{sum}\n{lines}")).unwrap();
        assert_eq!(site.built().written, 0, "{version}");
        site.write("content/items/d.md", format!("Changed: {version}.\n"));
        site.built();
        assert_same(&site.output(), &clean_build(&site), version);
    }
}

/// A file that another program changed and left as long as it was.
#[test]
fn a_modified_output_file_is_rewritten() {
    let site = full_site();
    site.built();
    let right = site.output();
    for change in [false, true] {
        for file in ["index.html", "feed.json", "media/cover.bin"] {
            let path = format!("public/{file}");
            let length = fs::metadata(site.path(&path)).unwrap().len();
            site.write(&path, vec![b'x'; usize::try_from(length).unwrap()]);
        }
        if change {
            site.write("content/items/d.md", "Changed.\n");
        }
        let written = site.built().written;
        let right = if change { clean_build(&site) } else { right.clone() };
        assert_same(&site.output(), &right, "as it was");
        assert!(change || written == 3, "{written}");
    }
    assert_eq!(site.built().written, 0);
}

/// In a copy every file has another time.
#[test]
fn an_output_file_with_another_time_is_not_rewritten() {
    let site = full_site();
    site.built();
    let before = fs::read(state(&site)).unwrap();
    for (name, bytes) in site.output() {
        if !name.ends_with('/') {
            site.remove(&format!("public/{name}"));
            site.write(&format!("public/{name}"), bytes);
        }
    }
    wait::settled(site.root());
    assert_eq!(site.built().written, 0);
    let after = fs::read(state(&site)).unwrap();
    assert!(before != after, "the new times are noted");
    assert_eq!(site.built().written, 0);
    assert!(after == fs::read(state(&site)).unwrap());
}

#[test]
fn an_interrupted_build_is_repaired_by_the_next() {
    let site = full_site();
    site.built();
    let whole = site.output();
    let half = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    };
    // Files of the same length with other bytes, halves, missing files, and what was to replace one.
    half(&site.path("public/feed.json"));
    half(&site.path("public/media/cover.bin"));
    let length = fs::metadata(site.path("public/rss.xml")).unwrap().len();
    site.write("public/rss.xml", vec![b'x'; usize::try_from(length).unwrap()]);
    site.write("public/media/items/b/b.bin", "xxxxxxxxxx");
    site.remove("public/index.html");
    site.write("public/sitemap.xml.feedwright-new", "half");
    simulate_interrupted_build(&site);
    site.built();
    assert_same(&site.output(), &whole, "repaired");
    assert_eq!(site.built().written, 0);

    // An item that was being removed, and one that was new.
    site.write("content/items/new.md", "+++\nid = \"new\"\n+++\n");
    site.built();
    simulate_interrupted_build(&site);
    site.remove("content/items/new.md");
    site.built();
    assert_same(&site.output(), &whole, "removed after all");
}

#[test]
fn unusual_file_names_are_tracked() {
    let site = full_site();
    let names = if cfg!(unix) {
        ["two words.bin", "line\nend.bin", "tab\t.bin", "ünï.bin"].as_slice()
    } else {
        &["two words.bin", "ünï.bin"]
    };
    for name in names {
        site.write(&format!("content/media/{name}"), "x");
    }
    site.built();
    assert_eq!(site.built().written, 0);
    for name in names {
        assert!(site.exists(&format!("public/media/{name}")));
        site.remove(&format!("content/media/{name}"));
    }
    site.built();
    assert_same(&site.output(), &clean_build(&site), "all gone");
}

#[test]
fn a_build_writes_only_changes() {
    let site = full_site();
    let first = site.built();
    assert_eq!(first.written, first.files);
    assert_eq!(site.built().written, 0);
    // A new item moves others in every list, and changes none of their pages.
    let old = fs::metadata(site.path("public/i/one-a/index.html")).unwrap().modified().unwrap();
    site.write("content/items/e.md", "+++\nid = \"e\"\ndate = 2026-05-01\n+++\n");
    site.built();
    let new = fs::metadata(site.path("public/i/one-a/index.html")).unwrap().modified().unwrap();
    assert_eq!(old, new);
}

/// Another item decides whether a tag has a page.
#[test]
fn an_unlisted_item_updates_with_its_tag_pages() {
    let site = site().with(
        "content/items/u.md",
        "+++\nid = \"u\"\ntitle = \"U\"\nstatus = \"unlisted\"\ntags = [\"x\"]\n+++\n",
    );
    let page = || site.read("public/i/u-u/index.html").replace("&#x2F;", "/");
    site.built();
    assert!(!page().contains("/tags/x/"));
    site.write("content/items/p.md", "+++\ntags = [\"X\"]\n+++\n");
    site.built();
    assert!(page().contains("/tags/x/"));
    assert_same(&site.output(), &clean_build(&site), "with the tag's page");
    site.remove("content/items/p.md");
    site.built();
    assert_same(&site.output(), &clean_build(&site), "without it");
}

/// Builds, changes the site, and builds again: what is built on top is what a clean build gives.
#[track_caller]
fn assert_rebuilds_like_clean(site: &SmallSite, why: &str, change: impl FnOnce(&SmallSite)) {
    site.built();
    let before = site.output();
    change(site);
    site.built();
    let after = site.output();
    assert!(before != after, "{why}: nothing changed");
    assert_same(&after, &clean_build(site), why);
}

/// Pages, the 404 Page and the search page show the newest items where their templates name them.
#[test]
fn pages_update_with_the_items_their_templates_use() {
    let site = site_with_theme().with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\n");
    copy(full_site().root(), site.root());
    site.write("site.toml", "base_url = \"https://example.com\"\ntheme = \"mine\"\n");
    site.write(
        "themes/mine/page.html",
        "{{#items}}{{title}} {{#_service.tags}}{{url}}{{/_service.tags}}{{/items}}",
    );
    site.write("themes/mine/search.html", "{{items.0.title}}");
    let new =
        |title: &str| format!("+++\nid = \"n\"\ntitle = \"{title}\"\ndate = 2026-05-01\n+++\n");
    assert_rebuilds_like_clean(&site, "a new item", |site| {
        site.write("content/items/n.md", new("New"))
    });
    for page in ["about/index.html", "404.html", "search/index.html"] {
        let path = format!("public/{page}");
        assert!(site.read(&path).contains("New"), "{page}");
    }
    assert_rebuilds_like_clean(&site, "its title", |site| {
        site.write("content/items/n.md", new("Newer"))
    });
    assert_rebuilds_like_clean(&site, "it goes", |site| site.remove("content/items/n.md"));
}

/// A Site File is made of what its template names, and of no more.
#[test]
fn site_files_update_with_the_data_their_templates_use() {
    let site = full_site()
        .with("site-files/items.txt", "{{#items}}{{{content_text}}}{{/items}}")
        .with("site-files/pages.txt", "{{#pages}}{{title}} {{{content_html}}}{{/pages}}")
        .with("site-files/feed.json", "{{{_site.json_feed}}}")
        .with("site-files/site.txt", "{{{_site}}}")
        .with("site-files/dot.txt", "{{#_site}}{{{.}}}{{/_site}}")
        .with(
            "site-files/date.txt",
            "{{_site.generated_at}} {{_site.has_items}} {{_site.has_pages}}",
        );
    site.remove("site-files/feed.json");
    site.write("site-files/own.json", "{{{_site.json_feed}}}");
    let item = |text: &str| format!("+++\nid = \"n\"\ndate = 2026-05-01\n+++\n{text}\n");
    assert_rebuilds_like_clean(&site, "a new item", |site| {
        site.write("content/items/n.md", item("One."))
    });
    assert_rebuilds_like_clean(&site, "its text", |site| {
        site.write("content/items/n.md", item("Two."))
    });
    for name in ["items.txt", "own.json", "site.txt", "dot.txt"] {
        assert!(site.read(&format!("public/{name}")).contains("Two."), "{name}");
    }
    assert_rebuilds_like_clean(&site, "a Page", |site| {
        site.write(
            "content/pages/about.md",
            "+++\ntitle = \"Us\"\ndate_modified = 2026-05-02\n+++\nWe.\n",
        );
    });
    assert_rebuilds_like_clean(&site, "no Page", |site| site.remove("content/pages/about.md"));
    assert_rebuilds_like_clean(&site, "a template", |site| {
        site.write("site-files/date.txt", "{{#items}}{{id}}{{/items}}")
    });
}

/// The sitemap and `llms.txt` follow items, their pictures and Pages; hosts' files follow redirects.
#[test]
fn root_files_update_with_the_content_they_list() {
    let site = full_site();
    let item = |more: &str| format!("+++\nid = \"n\"\n{more}\n+++\nText.\n");
    for more in [
        "date = 2026-05-01",
        "date = 2026-05-01\ndate_modified = 2026-05-02",
        "date = 2026-05-01\nimage = \"https://example.com/i.png\"",
        "date = 2026-05-01\nimage = \"https://example.com/i.png\"\nattachment = \"https://example.com/v.mp4\"",
        "date = 2026-05-01\nsummary = \"S\"\nimage = \"https://example.com/i.png\"\nattachment = \"https://example.com/v.mp4\"",
        "date = 2026-05-01\naliases = [\"once\"]",
        "slug = \"other\"",
    ] {
        assert_rebuilds_like_clean(&site, more, |site| {
            site.write("content/items/n.md", item(more))
        });
    }
    assert_rebuilds_like_clean(&site, "a Page's address", |site| {
        site.write("content/pages/about.md", "+++\ntitle = \"About\"\nslug = \"us\"\n+++\n");
    });
}

/// The fingerprint of each file's document.
fn fingerprints(site: &SmallSite) -> BTreeMap<String, Option<u64>> {
    let (read, _) = feedwright::project::read(&site.options(), &|| {});
    let read = read.unwrap();
    let renderer = read.renderer();
    let routes = read.routes().routes.iter();
    let all = routes.map(|route| (route.file.clone(), renderer.fingerprint(&route.document)));
    all.collect()
}

/// What shows one item is made again when it changes, and nothing else.
#[test]
fn a_changed_item_rebuilds_only_documents_that_show_it() {
    let site = full_site()
        .with("site-files/humans.txt", "{{title}}\n")
        .with("site-files/items.txt", "{{#items}}{{id}}\n{{/items}}");
    let of_two = [
        "i/four-d/index.html", "i/d/item.json", "i/d/item.rss", "i/d/json/index.html",
        "i/d/rss/index.html", "page/2/index.html", "feed/2.json", "rss/2.xml", "llms.txt",
        "items.txt",
    ];
    let item = |rest: &str| format!("+++\nid = \"d\"\ntitle = \"Four\"\n{rest}");
    site.write("content/items/d.md", item("+++\nOne.\n"));
    let before = fingerprints(&site);
    for (rest, more) in [
        ("+++\nTwo.\n", [].as_slice()),
        (
            "image = \"https://example.com/i.png\"\n+++\nTwo.\n",
            &["i/one-a/index.html", "sitemap.xml"],
        ),
    ] {
        site.write("content/items/d.md", item(rest));
        let after = fingerprints(&site);
        let changed = after.iter().filter(|(file, now)| before.get(*file) != Some(now));
        let changed: BTreeSet<&str> = changed.map(|(file, _)| file.as_str()).collect();
        assert_eq!(changed, of_two.iter().chain(more).copied().collect());
    }
    // What can be left out without looking at it is known of every document but media and the search index.
    let unknown = before.iter().filter(|(_, known)| known.is_none());
    assert!(
        unknown
            .into_iter()
            .all(|(file, _)| file.starts_with("media/") || file == "search/index/entry.bin")
    );
}

/// A build may write documents in another order, and an item of two feeds once.
#[test]
fn batches_contain_every_route_once_with_the_same_bytes() {
    let site = full_site();
    let (read, _) = feedwright::project::read(&site.options(), &|| {});
    let read = read.unwrap();
    let (renderer, routes) = (read.renderer(), read.routes());
    let bytes = |renderer: &Renderer<'_>, at: usize| match renderer
        .render(&routes.routes[at].document)
        .unwrap()
    {
        Body::Bytes(bytes) => bytes,
        Body::File(_) | Body::Recording(_) | Body::SearchFile(_) => Vec::new(),
    };
    let batches = renderer.batches(routes);
    assert_eq!(batches.len(), 3, "two documents of the feed, and all that is left");
    let mut seen = Vec::new();
    for batch in &batches {
        let parts = ItemParts::default();
        let within = renderer.with_item_parts(&parts);
        let all = batch.items.iter().chain([&batch.then]);
        for at in all.chain(&batch.facets).flatten() {
            let path = &routes.routes[*at].path;
            assert!(bytes(&within, *at) == bytes(&renderer, *at), "{path}");
            seen.push(*at);
        }
    }
    seen.sort_unstable();
    assert!(seen.into_iter().eq(0..routes.routes.len()));
}

/// A date of change in the future is the feeds' date once it has come.
#[test]
fn a_future_modification_date_takes_effect_on_time() {
    let site = full_site().with(
        "content/pages/about.md",
        "+++\ntitle = \"About\"\ndate_modified = 2026-06-10\n+++\n",
    );
    wait::settled(site.root());
    site.built();
    assert_eq!(site.built().written, 0);
    let mut options = site.options();
    options.visibility.now = "2026-06-11T00:00:00Z".parse().unwrap();
    builder::run(&options, &Silent).unwrap();
    assert!(site.read("public/rss.xml").contains("10 Jun 2026"));
}

/// What was looked for and not found is a part of what a build knows, too.
#[test]
fn a_new_file_outside_content_is_detected() {
    let site = site().with("content/items/a.md", "[notes](../../assets/notes)\n");
    wait::settled(site.root());
    assert_eq!(site.built().warnings.len(), 1);
    assert_eq!(site.built().written, 0);
    site.write("assets/notes", "text");
    assert!(site.built().warnings.is_empty());
    assert_same(&site.output(), &clean_build(&site), "after it came");
}

/// Calendars tell when their events were changed last, which a commit alone decides.
#[test]
fn a_commit_without_file_changes_is_detected() {
    assert_commit_is_detected(&["init", "-q"]);
}

/// With reference tables neither `HEAD` nor a file of the branch tells of a commit.
#[test]
fn a_commit_in_a_reftable_repository_is_detected() {
    let usage = std::process::Command::new("git").args(["init", "-h"]).output().unwrap();
    // git has them since version 2.45.
    if String::from_utf8_lossy(&usage.stdout).contains("--ref-format") {
        assert_commit_is_detected(&["init", "-q", "--ref-format=reftable"]);
    }
}

fn assert_commit_is_detected(init: &[&str]) {
    let git = |site: &SmallSite, time: &str, arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .current_dir(site.root())
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments)
            .env("GIT_COMMITTER_DATE", time)
            .env_remove("GIT_DIR")
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    let site = site()
        .with(".gitignore", "public\n.feedwright\n")
        .with("content/calendars/c/e.md", "+++\nid = \"e\"\nstart = 2026-06-20\n+++\n");
    let (first, second) = ("2026-02-01T00:00:00Z", "2026-02-02T00:00:00Z");
    git(&site, first, init);
    git(&site, first, &["add", "-A"]);
    wait::settled(site.root());
    site.built();
    assert_eq!(site.built().written, 0);
    let seen = |changed: &str| {
        site.built();
        let calendar = site.read("public/calendars/c.ics");
        assert!(calendar.contains(changed), "{calendar}");
        assert_same(&site.output(), &clean_build(&site), "after the commit");
    };
    git(&site, first, &["commit", "-qm", "Event"]);
    seen("LAST-MODIFIED:20260201T000000Z");
    wait::settled(site.root());
    site.built();
    git(&site, second, &["commit", "-q", "--amend", "-m", "Event"]);
    seen("LAST-MODIFIED:20260202T000000Z");
}

//! `deploy` to folders and branches, and what it refuses; `tests/independent/deploy.py` deploys to real servers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::support::git::git;
use crate::support::media_fixture;
use crate::support::mock_server::mock_server;
use crate::support::program::{self, CommandOutput};
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, site, tree};

const RECORD: &str = ".feedwright-deploy.json";

fn run(site: &SmallSite, arguments: &[&str]) -> CommandOutput {
    let mut command = program::command();
    let command = command.args(["deploy", "--site"]).arg(site.root()).args(arguments);
    program::run(command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY"))
}

/// What a deploy reports.
fn deploy(site: &SmallSite, arguments: &[&str]) -> Value {
    let output = run(site, &[arguments, &["--json"]].concat());
    let report = output.ok().out;
    serde_json::from_str(&report).unwrap()
}

/// What a deploy that is refused says, with its exit code.
fn deploy_error(site: &SmallSite, arguments: &[&str]) -> (i32, String) {
    let output = run(site, arguments);
    (output.code.unwrap(), output.err)
}

/// The files below a folder, without the record.
fn published(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(folder);
    files.remove(RECORD);
    files
}

/// Each file of the build is out there; answers the names of what else is.
fn extra_files(site: &SmallSite, folder: &Path) -> Vec<String> {
    let mut there = published(folder);
    for (path, bytes) in tree(&site.path("public")) {
        assert!(there.remove(&path).is_some_and(|found| found == bytes), "{path}");
    }
    there.into_keys().collect()
}

/// A site with an item, that is deployed to the folder `out` beside it.
fn with_folder() -> (SmallSite, tempfile::TempDir) {
    let out = tempfile::tempdir().unwrap();
    let config = format!(
        "base_url = \"https://walks.example\"\n[deploy]\nto = \"folder:{}\"\n",
        out.path().join("www").display()
    );
    let site = site()
        .with("site.toml", config)
        .item("+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"Walk\"\n+++\nText.\n");
    (site, out)
}

#[test]
fn a_folder_gets_the_build_and_then_only_changes() {
    let (site, out) = with_folder();
    let www = out.path().join("www");
    let plan = deploy(&site, &["--dry-run"]);
    assert!(!www.exists(), "a dry run writes nothing");
    let planned = plan["put"].as_array().unwrap().len();
    let first = deploy(&site, &[]);
    assert_eq!(first["sent"], planned);
    assert_eq!(extra_files(&site, &www), Vec::<String>::new());
    assert_eq!(deploy(&site, &[])["sent"], 0);
    // The order: what names others comes after them.
    let paths: Vec<&str> =
        plan["put"].as_array().unwrap().iter().map(|put| put["path"].as_str().unwrap()).collect();
    let place = |path: &str| {
        paths.iter().position(|found| *found == path).unwrap_or_else(|| panic!("{path}"))
    };
    assert!(place("i/walk/index.html") < place("rss.xml"));
    assert!(place("i/walk/index.html") < place("index.html"));
    site.write(
        "content/items/a.md",
        "+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"Walk\"\n+++\nAnother text.\n",
    );
    let second = deploy(&site, &[]);
    assert!(second["sent"].as_u64().unwrap() < planned as u64, "{second}");
    assert_eq!(second["waiting"], extra_files(&site, &www).len());
}

#[test]
fn former_files_expire_and_foreign_files_are_kept() {
    let (site, out) = with_folder();
    let www = out.path().join("www");
    deploy(&site, &[]);
    fs::write(www.join("proof-of-ownership.txt"), "yes").unwrap();
    site.remove("content/items/a.md");
    let report = deploy(&site, &[]);
    assert_eq!(report["deleted"], 0);
    assert!(report["waiting"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["others"], 1);
    assert!(www.join("i/walk/index.html").is_file());
    let config = site.read("site.toml");
    site.write("site.toml", format!("{config}keep_days = 0\n"));
    let report = deploy(&site, &[]);
    assert!(report["deleted"].as_u64().unwrap() > 0, "{report}");
    assert!(!www.join("i/walk").exists());
    assert_eq!(extra_files(&site, &www), ["proof-of-ownership.txt"]);
}

#[test]
fn files_changed_remotely_are_uploaded_again() {
    let (site, out) = with_folder();
    let www = out.path().join("www");
    let files = deploy(&site, &[])["files"].clone();
    fs::write(www.join("index.html"), "defaced").unwrap();
    fs::remove_file(www.join("rss.xml")).unwrap();
    assert_eq!(deploy(&site, &[])["sent"], 2);
    fs::write(www.join(RECORD), "{\"version\": 1, \"files\"").unwrap();
    assert_eq!(deploy(&site, &[])["sent"], files);
    assert_eq!(extra_files(&site, &www), Vec::<String>::new());
}

#[test]
fn a_site_with_errors_is_not_deployed() {
    let (site, out) = with_folder();
    site.write("content/items/b.md", "+++\ndate_published = \"never\"\n+++\n");
    let (code, told) = deploy_error(&site, &[]);
    assert_eq!(code, 1);
    assert!(told.contains("nothing was published"), "{told}");
    assert!(!out.path().join("www").exists());
}

#[test]
fn a_target_must_be_named_and_hold_no_secret() {
    let site = site();
    let (code, told) = deploy_error(&site, &[]);
    assert_eq!(code, 2);
    assert!(told.contains("[deploy]"), "{told}");
    assert_eq!(deploy_error(&site, &["--to", "ftp:host"]).0, 2);
    let with_password = "git:https://ada:hidden@host.example/a.git#main";
    assert!(!deploy_error(&site, &["--to", with_password]).1.contains("hidden"));
    for (table, words) in [
        ("to = \"ftp://host/site\"", "is not a valid destination"),
        ("to = \"git:https://ada:hidden@host.example/a.git#main\"", "is not a valid destination"),
        ("to = \"git:https://hidden@host.example/a.git#main\"", "is not a valid destination"),
        ("to = \"s3://walks\"\nsecret_key = \"hidden\"", "would be published with the repository"),
        (
            "to = \"s3://walks\"\nsecret_env = \"hidden secret\"",
            "would be published with the repository",
        ),
        ("to = \"s3://walks\"\nendpoint = \"http://s3.example\"", "starting with https://"),
        ("to = \"s3://walks\"\nkeep_days = 1000", "from 0 to 365"),
    ] {
        site.write(
            "site.toml",
            format!("base_url = \"https://walks.example\"\n[deploy]\n{table}\n"),
        );
        let (code, told) = deploy_error(&site, &[]);
        assert_eq!(code, 1, "{told}");
        assert!(told.contains(words) && told.contains("site.toml:"), "{told}");
        assert!(!told.contains("hidden"), "{told}");
    }
    site.write(
        "site.toml",
        "base_url = \"https://walks.example\"\n[deploy]\nto = \"s3://walks\"\n",
    );
    let (code, told) = deploy_error(&site, &[]);
    assert_eq!(code, 1);
    assert!(
        told.contains("AWS_ACCESS_KEY_ID is not set") && told.contains("AWS_SECRET_ACCESS_KEY"),
        "{told}"
    );
}

#[test]
fn a_site_cannot_be_deployed_into_itself() {
    let site = site();
    for to in ["folder:.", "folder:content", "folder:.."] {
        let (code, told) = deploy_error(&site, &["--to", to]);
        assert_eq!(code, 1);
        let is_told = ["contains the site's source files", "it overlaps the output folder"];
        assert!(is_told.iter().any(|words| told.contains(words)), "{told}");
    }
    for to in ["folder:public", "folder:public/live"] {
        let (code, told) = deploy_error(&site, &["--to", to]);
        assert_eq!(code, 1);
        assert!(told.contains("it overlaps the output folder"), "{told}");
    }
    let (code, told) = deploy_error(&site, &["--to", "folder:~/www"]);
    assert_eq!(code, 2);
    assert!(told.contains("write the whole path"), "{told}");
}

#[test]
fn one_target_for_site_and_media_is_refused() {
    let (site, out) = with_folder();
    let www = out.path().join("www");
    site.write("content/media/show.mp3", "sound");
    let config = site.read("site.toml");
    deploy(&site, &[]);
    let with_media = |media: &Path| {
        let config = config.replace("[deploy]\n", "[deploy]\nkeep_days = 0\n");
        let text = format!(
            "{config}[deploy.media]\nto = \"folder:{}\"\n[media]\nbase_url = \"https://walks.example/media\"\n",
            media.display()
        );
        site.write("site.toml", text);
    };
    with_media(&www.join("media"));
    for sent in [1, 0] {
        let report = deploy(&site, &[]);
        assert_eq!((&report["media"]["sent"], &report["deleted"]), (&json!(sent), &json!(0)));
        assert!(www.join("media/show.mp3").is_file());
    }
    with_media(&www.join("."));
    let (code, told) = deploy_error(&site, &[]);
    assert_eq!(code, 1);
    assert!(
        told.contains("has the same destination as the site") && told.contains("site.toml:"),
        "{told}"
    );
}

#[test]
fn a_recording_is_kept_until_no_published_site_uses_it() {
    let (site, out) = with_recordings();
    deploy(&site, &[]);
    let (www, media) = (out.path().join("www"), out.path().join("media"));
    site.remove("content/media/tone.m4a");
    site.remove("content/items/tone.md");
    site.remove("content/media.json");
    // Alone, media only get more.
    let report = deploy(&site, &["--media"]);
    assert_eq!((&report["deleted"], &report["waiting"]), (&json!(0), &json!(1)));
    // Something is in the way of the site.
    fs::remove_file(www.join("rss.xml")).unwrap();
    fs::create_dir_all(www.join("rss.xml/of-others")).unwrap();
    assert_eq!(deploy_error(&site, &[]).0, 1);
    assert!(media.join("tone.m4a").is_file());
    fs::remove_dir_all(www.join("rss.xml")).unwrap();
    assert_eq!(deploy(&site, &[])["media"]["deleted"], 1);
    assert!(!media.join("tone.m4a").exists());
}

#[test]
fn a_newer_recording_is_never_overwritten() {
    let (site, out) = with_recordings();
    deploy(&site, &[]);
    let tone = site.path("content/media/tone.m4a");
    let older = fs::read(&tone).unwrap();
    let newer = [older.as_slice(), &[0, 0, 0, 8, b'f', b'r', b'e', b'e']].concat();
    fs::write(&tone, &newer).unwrap();
    assert_eq!(deploy(&site, &[])["media"]["replaced"], json!(["tone.m4a"]));
    let published = fs::read(out.path().join("media/tone.m4a")).unwrap();
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n";
    for (bytes, words) in [
        (older.as_slice(), "/media/tone.m4a on this machine is older"),
        (pointer.as_bytes(), "git lfs pull"),
    ] {
        fs::write(&tone, bytes).unwrap();
        let (code, told) = deploy_error(&site, &[]);
        assert_eq!(code, 1);
        assert!(told.contains(words), "{told}");
        assert_eq!(fs::read(out.path().join("media/tone.m4a")).unwrap(), published);
    }
}

#[test]
fn a_moved_site_takes_over_its_former_target() {
    let (site, _out) = with_folder();
    deploy(&site, &[]);
    let config = site.read("site.toml");
    site.write("site.toml", config.replace("walks.example", "moved.example"));
    let (code, told) = deploy_error(&site, &[]);
    assert_eq!(code, 1);
    assert!(told.contains("--take-over"), "{told}");
    deploy(&site, &["--take-over"]);
    assert_eq!(deploy(&site, &[])["sent"], 0);
}

#[test]
fn media_can_have_a_separate_target() {
    let (site, out) = with_folder();
    let media = out.path().join("media");
    let config = site.read("site.toml");
    site.write(
        "site.toml",
        format!("{config}[deploy.media]\nto = \"folder:{}\"\n", media.display()),
    );
    site.write("content/media/show.mp3", "sound");
    let report = deploy(&site, &[]);
    assert!(report["warnings"].to_string().contains("base_url"), "{report}");
    let alone = "the site is not in a git repository";
    assert!(report["warnings"].to_string().contains(alone), "{report}");
    site.write(
        "site.toml",
        format!("{}[media]\nbase_url = \"https://media.example\"\n", site.read("site.toml")),
    );
    site.write("content/items/a.md", "+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"Walk\"\nattachment = \"../media/show.mp3\"\n+++\n");
    let report = deploy(&site, &[]);
    assert!(!report["warnings"].to_string().contains("pages link to media"), "{report}");
    assert_eq!(report["media"]["unchanged"], 1);
    assert_eq!(fs::read_to_string(media.join("show.mp3")).unwrap(), "sound");
    let www = out.path().join("www");
    assert!(!www.join("media").exists());
    let rss = fs::read_to_string(www.join("rss.xml")).unwrap();
    assert!(rss.contains("https://media.example/show.mp3"), "{rss}");
}

/// A site in a repository that leaves recordings out, with a bucket for them; and what its build wrote there.
fn with_recordings() -> (SmallSite, tempfile::TempDir) {
    let (site, out) = with_folder();
    let config = site.read("site.toml").replace("[deploy]\n", "[deploy]\nkeep_days = 0\n");
    let media = out.path().join("media");
    site.write("site.toml", format!("{config}[deploy.media]\nto = \"folder:{}\"\n[media]\nbase_url = \"https://media.example\"\n", media.display()));
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/media-facts/tests/fixtures");
    let walk = "+++\nid = \"w1\"\nslug = \"walk-1\"\ntitle = \"Walk\"\ndate = 2026-03-01\nattachment = \"talk.mp3\"\n+++\n[Again](talk.mp3)\n\n![](talk.mp3)\n";
    site.write("content/items/walk/index.md", walk);
    fs::copy(fixtures.join("chapters.mp3"), site.path("content/items/walk/talk.mp3")).unwrap();
    fs::create_dir_all(site.path("content/media")).unwrap();
    fs::copy(fixtures.join("tone.m4a"), site.path("content/media/tone.m4a")).unwrap();
    site.write("content/items/tone.md", "+++\nid = \"t1\"\nslug = \"tone\"\ntitle = \"Tone\"\ndate = 2026-03-01\nattachment = \"/media/tone.m4a\"\n+++\n");
    fs::copy(fixtures.join("picture.png"), site.path("content/media/picture.png")).unwrap();
    site.write(".gitignore", "*.mp3\n*.m4a\n/public/\n/.feedwright/\n");
    git(&site.path("."), &["init", "--quiet"]);
    (site, out)
}

/// The same site on another machine: it has what git has.
fn clone_site(site: &SmallSite) {
    git(&site.path("."), &["clean", "-fdXq"]);
    assert!(!site.path("content/media/tone.m4a").exists());
}

#[test]
fn a_machine_without_recordings_publishes_the_same_site() {
    let (site, out) = with_recordings();
    let first = deploy(&site, &[]);
    assert_eq!(first["media"]["sent"], 3);
    let (www, media) = (out.path().join("www"), out.path().join("media"));
    let (pages, recordings) = (published(&www), published(&media));
    let noted = site.read("content/media.json");
    let noted: Value = serde_json::from_str(&noted).unwrap();
    // The picture is in git.
    let paths: Vec<&String> = noted.as_object().unwrap().keys().collect();
    assert_eq!(paths, ["/media/items/walk/talk.mp3", "/media/tone.m4a"]);
    assert_eq!(noted["/media/items/walk/talk.mp3"]["chapters"][0]["start"], 0.0);
    clone_site(&site);
    let report = deploy(&site, &[]);
    assert_eq!(report["warnings"], first["warnings"]);
    assert_eq!(report["media"]["sent"], 0);
    assert_eq!(report["media"]["deleted"], 0);
    assert_eq!(published(&media), recordings);
    let again = published(&www);
    for (path, bytes) in &pages {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(again.get(path).map(|bytes| text(bytes)), Some(text(bytes)), "{path}");
    }
    let rss = fs::read_to_string(www.join("rss.xml")).unwrap();
    assert!(rss.contains("https://media.example/items/walk/talk.mp3\" length=\""), "{rss}");
}

#[test]
fn versions_and_playlists_are_uploaded_and_known_on_every_machine() {
    let (site, out) = with_recordings();
    let fixture = |name: &str| fs::read(crate::support::media_fixture(name)).unwrap();
    site.write(".gitignore", "*.mp3\n*.m4a\n*.opus\n*.m3u8\n*.ts\n/public/\n/.feedwright/\n");
    site.write("content/items/walk/talk.opus", fixture("tone.opus"));
    site.write("content/items/walk/talk.de.mp3", fixture("cbr-bare.mp3"));
    site.write(
        "content/items/walk/talk.m3u8",
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=16x9,CODECS=\"avc1.4d401e\"\ntalk.720p.m3u8\n",
    );
    let segments = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n0.ts\n#EXT-X-ENDLIST\n";
    site.write("content/items/walk/talk.720p.m3u8", segments);
    site.write("content/items/walk/0.ts", "segment");
    site.write(
        "content/items/tone.md",
        site.read("content/items/tone.md").replace("tone.m4a", "tone.m3u8"),
    );
    site.write("content/media/tone.m3u8", segments);
    site.write("content/media/0.ts", "segment");
    deploy(&site, &[]);
    let (www, media) = (out.path().join("www"), out.path().join("media"));
    for file in ["items/walk/talk.720p.m3u8", "items/walk/0.ts", "items/walk/talk.opus", "0.ts"] {
        assert!(media.join(file).is_file(), "{file}");
    }
    let feeds = ["rss.xml", "feed.json"].map(|name| www.join(name));
    let first = feeds.clone().map(|feed| fs::read_to_string(feed).unwrap());
    assert_eq!(first[0].matches("<podcast:alternateEnclosure ").count(), 4, "{}", first[0]);
    assert_eq!(first[0].matches("<podcast:integrity ").count(), 3, "{}", first[0]);
    assert!(first[0].contains("tone.m3u8\" length=\"0\" type=\"application/vnd.apple.mpegurl\""));
    clone_site(&site);
    assert!(!site.path("content/items/walk/talk.opus").exists());
    deploy(&site, &[]);
    assert_eq!(feeds.map(|feed| fs::read_to_string(feed).unwrap()), first);
    assert!(media.join("items/walk/0.ts").is_file());
}

#[test]
fn a_recording_is_uploaded_with_its_tags_also_with_former_tags() {
    let (site, out) = with_recordings();
    deploy(&site, &[]);
    let media = out.path().join("media/items/walk/talk.mp3");
    let walk = site.read("content/items/walk/index.md");
    let title = || media_facts::tags(&media).unwrap().title.unwrap();
    assert_eq!(title(), "Walk");
    // The second title is the first one again: the file is as before, but the recording is not an older one.
    for (text, expected) in
        [(walk.replace("\"Walk\"", "\"Long walk\""), "Long walk"), (walk, "Walk")]
    {
        site.write("content/items/walk/index.md", text);
        let report = deploy(&site, &[]);
        assert_eq!(report["media"]["sent"], 1);
        assert_eq!(title(), expected);
        let noted: Value = serde_json::from_str(&site.read("content/media.json")).unwrap();
        let length = fs::metadata(&media).unwrap().len();
        assert_eq!(noted["/media/items/walk/talk.mp3"]["length"], length);
        let rss = fs::read_to_string(out.path().join("www/rss.xml")).unwrap();
        assert!(rss.contains(&format!("talk.mp3\" length=\"{length}\"")), "{rss}");
    }
}

/// Tags change the published file. They neither make a recording older, nor hide that it is.
#[test]
fn former_versions_of_a_recording_are_known_by_the_author_s_file() {
    const WALK: &str = "content/items/walk/index.md";
    let (site, _out) = with_recordings();
    deploy(&site, &[]);
    let config = site.read("site.toml");
    for text in [format!("{config}[audio]\ntags = false\n"), config] {
        site.write("site.toml", text);
        assert_eq!(deploy(&site, &[])["media"]["sent"], 2);
    }
    let recording = site.path("content/items/walk/talk.mp3");
    let older = fs::read(&recording).unwrap();
    fs::write(&recording, [older.as_slice(), &older].concat()).unwrap();
    deploy(&site, &[]);
    fs::write(&recording, older).unwrap();
    for title in ["\"Walk\"", "\"Another walk\""] {
        let text = site.read(WALK).replace("\"Walk\"", title);
        site.write(WALK, text);
        let (code, told) = deploy_error(&site, &[]);
        assert_eq!(code, 1);
        assert!(told.contains("/media/items/walk/talk.mp3 on this machine is older"), "{told}");
    }
}

#[test]
fn media_are_uploaded_before_the_site() {
    let (site, out) = with_recordings();
    let report = deploy(&site, &["--media"]);
    assert_eq!(report["sent"], 3);
    assert!(!out.path().join("www").exists());
    let told = deploy_error(&site, &["--media", "--to", "folder:../x"]);
    assert_eq!(told.0, 2, "{}", told.1);
    clone_site(&site);
    deploy(&site, &[]);
    assert!(out.path().join("www/rss.xml").exists());
}

#[test]
fn a_site_with_a_missing_recording_is_not_published() {
    let (site, out) = with_recordings();
    deploy(&site, &["--media"]);
    clone_site(&site);
    let recording = out.path().join("media/items/walk/talk.mp3");
    for wrong in [Some("short"), None] {
        match wrong {
            Some(bytes) => fs::write(&recording, bytes).unwrap(),
            None => fs::remove_file(&recording).unwrap(),
        }
        let (code, told) = deploy_error(&site, &[]);
        assert_eq!(code, 1);
        assert!(told.contains("/media/items/walk/talk.mp3"), "{told}");
        assert!(told.contains("put the file back"), "{told}");
        assert!(!out.path().join("www").exists());
    }
    site.write("content/media.json", "{\n\"/media/a.mp3\": {\"type\": 3}\n}\n");
    let (code, told) = deploy_error(&site, &[]);
    assert_eq!(code, 1);
    assert!(told.contains("content/media.json:2:"), "{told}");
}

#[test]
fn each_deploy_to_a_branch_is_one_commit() {
    let bare = tempfile::tempdir().unwrap();
    git(bare.path(), &["init", "--quiet", "--bare"]);
    let (site, _out) = with_folder();
    let to = format!("git:{}#pages", bare.path().display());
    deploy(&site, &["--to", &to]);
    assert_eq!(deploy(&site, &["--to", &to])["sent"], 0);
    site.write("content/items/b.md", "+++\nid = \"b2\"\ntitle = \"Second\"\n+++\n");
    deploy(&site, &["--to", &to]);
    assert_eq!(git(bare.path(), &["rev-list", "--count", "pages"]).trim(), "2");
    let clone = tempfile::tempdir().unwrap();
    git(
        clone.path(),
        &["clone", "--quiet", "--branch", "pages", &bare.path().to_string_lossy(), "."],
    );
    fs::remove_dir_all(clone.path().join(".git")).unwrap();
    extra_files(&site, clone.path());
}

#[test]
fn a_branch_keeps_foreign_files() {
    let bare = tempfile::tempdir().unwrap();
    git(bare.path(), &["init", "--quiet", "--bare"]);
    let clone = tempfile::tempdir().unwrap();
    let url = bare.path().to_string_lossy().into_owned();
    git(clone.path(), &["clone", "--quiet", &url, "."]);
    let push = |path: &str| {
        git(clone.path(), &["checkout", "-q", "--orphan", "pages"]);
        let path = clone.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        git(clone.path(), &["add", "."]);
        let by = ["-c", "user.name=A", "-c", "user.email=a@walks.example"];
        git(clone.path(), &[&by[..], &["commit", "-qm", "Mine"]].concat());
        git(clone.path(), &["push", "-qf", "origin", "pages"]);
        git(clone.path(), &["checkout", "-q", "--detach"]);
        git(clone.path(), &["branch", "-D", "-q", "pages"]);
        git(clone.path(), &["rm", "-rq", "."]);
    };
    let (site, _out) = with_folder();
    let to = format!("git:{url}#pages");
    for (path, told) in [
        ("i", "i at the destination is in the way"),
        ("rss.xml/mine.txt", "rss.xml cannot be uploaded: rss.xml/mine.txt"),
    ] {
        push(path);
        let (code, said) = deploy_error(&site, &["--to", &to]);
        assert_eq!(code, 1);
        assert!(said.contains(told), "{said}");
        let there = git(bare.path(), &["ls-tree", "-r", "--name-only", "pages"]);
        assert_eq!(there.trim(), path);
    }
    // What a deploy put there gives way.
    push("mine.txt");
    site.write("content/media/a", "file");
    deploy(&site, &["--to", &to]);
    site.remove("content/media/a");
    site.write("content/media/a/b", "file");
    deploy(&site, &["--to", &to]);
    let there = git(bare.path(), &["ls-tree", "-r", "--name-only", "pages"]);
    assert!(there.contains("media/a/b") && there.contains("mine.txt"), "{there}");
}

#[test]
fn an_unresponsive_git_server_times_out() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (site, _out) = with_folder();
    let to = format!("git:http://{}/a.git#pages", silent.local_addr().unwrap());
    let mut command = program::command();
    let command = command.args(["deploy", "--to", &to, "--site"]).arg(site.root());
    let said = program::run(command.env("GIT_HTTP_LOW_SPEED_TIME", "1")).err;
    assert!(said.contains("check the network connection"), "{said}");
}

#[test]
fn git_uses_the_configured_ssh_command() {
    let (site, out) = with_folder();
    let ssh = out.path().join("ssh");
    fs::write(&ssh, "#!/bin/sh\necho \"asked: $*\" >&2\nexit 1\n").unwrap();
    let command = |name: &str| {
        let mut command = program::command();
        command
            .args(["deploy", "--to", "git:ssh://ada@walks.example:2222/a.git#pages", "--site"])
            .arg(site.root())
            .env_remove("GIT_SSH_COMMAND")
            .envs((name == "GIT_SSH_COMMAND").then_some(("GIT_SSH_VARIANT", "ssh")))
            .env(name, format!("sh {}", ssh.display()));
        program::run(&mut command).err
    };
    let said = command("FEEDWRIGHT_SSH");
    assert!(said.contains("asked: ") && said.contains("BatchMode=yes"), "{said}");
    // What the author named to git stays as it is.
    let said = command("GIT_SSH_COMMAND");
    assert!(said.contains("asked: ") && !said.contains("BatchMode"), "{said}");
}

#[test]
fn a_missing_repository_is_an_error() {
    let (site, _out) = with_folder();
    let (code, told) = deploy_error(&site, &["--to", "git:nowhere#pages"]);
    assert_eq!(code, 1);
    assert!(told.contains("there is no repository at nowhere"), "{told}");
}

#[test]
fn files_are_uploaded_with_content_type_and_cache_lifetime() {
    let (site, _out) = with_folder();
    site.write("content/items/a.md", "+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"Walk\"\n[[podcast.chapters]]\nstartTime = 0\ntitle = \"Start\"\n+++\n");
    site.write("content/media/show.vtt", "WEBVTT\n");
    site.write("content/media/show.opus", "sound");
    site.write("content/media/data.json", "{}");
    site.write("content/media/drawing.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    site.write("site-files/security.txt", "Contact: mailto:a@walks.example\n");
    site.write("site-files/data.json", "{}\n");
    site.write(
        "content/calendars/shows/talk.md",
        "+++\nid = \"talk\"\nsummary = \"Talk\"\nstart = 2026-03-01T10:00:00Z\n+++\n",
    );
    let plan = deploy(&site, &["--dry-run"]);
    let found = |path: &str| {
        let put = plan["put"].as_array().unwrap().iter().find(|put| put["path"] == path);
        let put = put.unwrap_or_else(|| panic!("{path} is not in the plan"));
        json!([put["media_type"], put["cache_control"]])
    };
    let short = "public, max-age=300";
    assert_eq!(found("index.html"), json!(["text/html; charset=utf-8", short]));
    assert_eq!(found("rss.xml"), json!(["application/xml; charset=utf-8", short]));
    assert_eq!(found("feed.json"), json!(["application/feed+json; charset=utf-8", short]));
    assert_eq!(
        found("i/walk/chapters.json"),
        json!(["application/json+chapters; charset=utf-8", short])
    );
    assert_eq!(found("robots.txt"), json!(["text/plain; charset=utf-8", short]));
    assert_eq!(found("sitemap.xml"), json!(["application/xml; charset=utf-8", short]));
    assert_eq!(
        found("media/show.vtt"),
        json!(["text/vtt; charset=utf-8", "public, max-age=300, must-revalidate"])
    );
    assert_eq!(
        found("media/show.opus"),
        json!(["audio/ogg", "public, max-age=300, must-revalidate"])
    );
    let assets = plan["put"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|put| put["path"].as_str().unwrap().starts_with("assets/"));
    assert!(
        assets
            .into_iter()
            .all(|put| { put["cache_control"].as_str().unwrap().ends_with("immutable") })
    );
    // The preview sends the same types.
    let served = serve(site);
    let put = plan["put"].as_array().unwrap().iter();
    for put in put.filter(|put| put["path"] != "404.html") {
        let path = put["path"].as_str().unwrap();
        let address = format!("/{}", path.strip_suffix("index.html").unwrap_or(path));
        let reply = served.get(&address);
        // Where a page that leads on is built, the server leads on by itself, or answers the feed.
        if reply.status == 301 || ["/json/", "/rss/"].contains(&address.as_str()) {
            continue;
        }
        assert_eq!(reply.status, 200, "{address}");
        assert_eq!(reply.header("content-type"), put["media_type"].as_str(), "{address}");
    }
}

#[test]
fn media_stay_separate_from_a_named_site_target() {
    let (site, out) = with_recordings();
    let (www, media) = (out.path().join("www"), out.path().join("media"));
    let to = format!("folder:{}", www.join(".").display());
    deploy(&site, &["--to", &to]);
    assert!(media.join("tone.m4a").is_file() && !www.join("media").exists());
    // Their place is never the site's.
    let (there, to) = (tree(&media), format!("folder:{}", media.display()));
    for to in [to.clone(), to + "/."] {
        let (code, told) = deploy_error(&site, &["--to", &to]);
        assert_eq!(code, 1);
        assert!(told.contains("the same destination as [deploy.media]"), "{told}");
        assert!(tree(&media) == there);
    }
}

#[test]
fn conflicts_are_reported_before_any_upload() {
    let (site, out) = with_folder();
    let www = out.path().join("www");
    for (mine, words) in [
        ("i", "i at the destination is in the way"),
        ("rss.xml/mine", "rss.xml cannot be uploaded: rss.xml/mine"),
    ] {
        let mine = www.join(mine);
        fs::create_dir_all(mine.parent().unwrap()).unwrap();
        fs::write(&mine, "mine").unwrap();
        for arguments in [&["--dry-run"][..], &[]] {
            let (code, told) = deploy_error(&site, arguments);
            assert_eq!(code, 1);
            assert!(told.contains(words) && told.contains("nothing was sent"), "{told}");
        }
        fs::remove_dir_all(&www).unwrap();
    }
}

#[test]
fn linked_media_stay_when_they_get_a_separate_target() {
    let (site, out) = with_folder();
    let (www, disk) = (out.path().join("www"), out.path().join("disk"));
    site.write("content/media/show.mp3", "sound");
    deploy(&site, &[]);
    fs::rename(www.join("media"), &disk).unwrap();
    std::os::unix::fs::symlink(&disk, www.join("media")).unwrap();
    let own = format!(
        "[deploy.media]\nto = \"folder:{}\"\n[media]\nbase_url = \"https://media.example\"\n",
        disk.display()
    );
    let config = site.read("site.toml") + &own;
    site.write("site.toml", &config);
    deploy(&site, &[]);
    let at_once = config.replace("[deploy]\n", "[deploy]\nkeep_days = 0\n");
    site.write("site.toml", at_once);
    deploy(&site, &[]);
    assert_eq!(fs::read_to_string(disk.join("show.mp3")).unwrap(), "sound");
    // Without that place, the folder is not taken for the site's by itself.
    site.write("site.toml", config.replace(&own, ""));
    let (code, told) = deploy_error(&site, &[]);
    assert_eq!(code, 1);
    assert!(told.contains("delete media/.feedwright-deploy.json at the destination"), "{told}");
    fs::remove_file(disk.join(RECORD)).unwrap();
    deploy(&site, &[]);
}

#[test]
fn a_deployed_file_has_default_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let (site, out) = with_folder();
    site.write("content/media/show.mp3", "sound");
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(site.path("content/media/show.mp3"), private).unwrap();
    deploy(&site, &[]);
    let mode = |path: &str| {
        let facts = fs::metadata(out.path().join("www").join(path)).unwrap();
        facts.permissions().mode() & 0o777
    };
    assert_eq!(mode("media/show.mp3"), mode("index.html"));
    assert_eq!(mode(RECORD), 0o600);
}

#[test]
fn a_repository_with_a_work_tree_is_an_error() {
    let work = tempfile::tempdir().unwrap();
    let by = ["-c", "user.name=A", "-c", "user.email=a@walks.example"];
    git(work.path(), &["init", "--quiet", "--initial-branch", "pages"]);
    let commit = ["commit", "--quiet", "--allow-empty", "-m", "Mine"];
    git(work.path(), &[&by[..], &commit].concat());
    let (site, _out) = with_folder();
    let to = format!("git:{}#pages", work.path().display());
    let (code, told) = deploy_error(&site, &["--to", &to]);
    assert_eq!(code, 1);
    assert!(told.contains("is checked out in") && told.contains("bare repository"), "{told}");
}

#[test]
fn a_whole_site_host_cannot_be_the_media_target() {
    let (site, _out) = with_folder();
    let own =
        "[deploy.media]\nto = \"netlify:walks\"\n[media]\nbase_url = \"https://media.example\"\n";
    site.write("site.toml", site.read("site.toml") + own);
    let (code, told) = deploy_error(&site, &["--media"]);
    assert_eq!(code, 1);
    assert!(told.contains("stores each file separately") && told.contains("site.toml:"), "{told}");
}

/// A part of the list of a bucket.
fn bucket_list_entry(key: Option<&str>, token: &str) -> String {
    let object = key.map(|key| {
        format!("<Contents><Key>{key}</Key><Size>1</Size><LastModified>2026-11-20T09:30:00.000Z</LastModified><ETag>\"x\"</ETag></Contents>")
    });
    format!(
        "<ListBucketResult><IsTruncated>true</IsTruncated>{}<NextContinuationToken>{token}</NextContinuationToken></ListBucketResult>",
        object.unwrap_or_default()
    )
}

#[test]
fn a_wrong_or_endless_bucket_listing_is_an_error() {
    type Page = fn(usize) -> String;
    let lists: [(&str, Page, usize); 4] = [
        ("one of its pages is repeated", |at| bucket_list_entry(Some(&at.to_string()), "same"), 5),
        ("its pages contain no objects", |at| bucket_list_entry(None, &at.to_string()), 110),
        (
            "too many small pages",
            |at| bucket_list_entry(Some(&at.to_string()), &at.to_string()),
            1010,
        ),
        ("larger than", |_| bucket_list_entry(Some(&"x".repeat(17 * 1024 * 1024)), "t"), 15),
    ];
    for (words, list, most) in lists {
        let requests = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&requests);
        let (url, _asked) = mock_server(move |asked| {
            let at = counted.fetch_add(1, Ordering::Relaxed);
            match asked.line.contains("list-type=2") {
                true => ("200 OK", list(at)),
                false => ("404 Not Found", String::new()),
            }
        });
        let site = site();
        site.write(
            "site.toml",
            format!("base_url = \"https://walks.example\"\n[deploy]\nto = \"s3://walks\"\nendpoint = \"{url}\"\n"),
        );
        let mut command = program::command();
        let command = command.args(["deploy", "--site"]).arg(site.root());
        let command = command.env("AWS_ACCESS_KEY_ID", "id");
        let ran = program::run(command.env("AWS_SECRET_ACCESS_KEY", "secret"));
        let told = ran.err;
        assert_eq!(ran.code, Some(1), "{told}");
        assert!(told.contains(words), "{words}: {told}");
        let requests = requests.load(Ordering::Relaxed);
        assert!(requests <= most, "{words}: {requests} requests");
    }
}

#[test]
fn a_deploy_counts_the_recordings_that_change() {
    let (site, _out) = with_folder();
    let mp3 = std::fs::read(media_fixture("cbr-info.mp3")).unwrap();
    site.write("content/items/a.mp3", mp3);
    let item = |title: &str| {
        format!(
            "+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"{title}\"\nattachment = \"a.mp3\"\n+++\n"
        )
    };
    site.write("content/items/a.md", item("Walk"));
    assert_eq!(deploy(&site, &[])["recordings"], json!({ "changed": 0, "bytes": 0 }));
    site.write("content/items/a.md", item("Hike"));
    let planned = deploy(&site, &["--dry-run"]);
    let length = fs::metadata(site.path("public/media/items/a.mp3")).unwrap().len();
    assert_eq!(planned["recordings"], json!({ "changed": 1, "bytes": length }));
    let told = run(&site, &["--dry-run"]).ok();
    let told = told.out + &told.err;
    assert!(told.contains("1 recording (") && told.contains("gets new tags or audio"), "{told}");
    assert_eq!(deploy(&site, &[])["recordings"], planned["recordings"]);
}

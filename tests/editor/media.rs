//! Media that the editor takes and shows. `tests/browser/media.cjs` drops them on the page.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::support::served::{Reply, Served, serve};
use crate::support::small_site::{SmallSite, site};

const PIER: &str = "content/items/pier/index.md";

fn sample_site() -> SmallSite {
    let text = "+++\nid = \"pier\"\nslug = \"pier\"\ntitle = \"The pier\"\nstatus = \"unpublished\"\n+++\nWaves.\n";
    site().with(PIER, text)
}

fn upload_request(path: &str, name: &str, size: usize) -> Value {
    json!({ "path": path, "name": name, "size": size, "modified": 7 })
}

impl Person<'_> {
    fn piece(&self, id: &str, at: usize, bytes: &[u8]) -> Reply {
        let headers = [("cookie", &*self.cookie), ("feedwright-token", &self.token)];
        let path = format!("/_edit/api/send/{id}/{at}");
        self.served.send("POST", &path, &headers, bytes)
    }

    /// Sends a file in pieces, and answers what the editor says of it.
    pub fn upload_file(&self, path: &str, name: &str, bytes: &[u8], piece: usize) -> Value {
        let sent = upload_request(path, name, bytes.len());
        let begun = self.ask("upload", &sent).ok();
        let id = begun["id"].as_str().unwrap();
        for (index, part) in bytes.chunks(piece).enumerate() {
            let received = self.piece(id, index * piece, part).ok();
            assert_eq!(received["received"], index * piece + part.len());
        }
        self.ask("keep", &sent).ok()
    }
}

fn get_medium(served: &Served, headers: &[(&str, &str)], of: &str) -> Reply {
    served.send("GET", &format!("/_edit/media/{PIER}?of={of}"), headers, b"")
}

#[test]
fn an_upload_goes_to_the_item_folder_or_the_shared_folder() {
    let text = "+++\nid = \"walk\"\ntitle = \"A walk\"\ndate_published = 2026-01-05\n+++\nLate.\n";
    let served = serve(sample_site().with("content/items/walk.md", text));
    let ada = person(&served);
    let kept = ada.upload_file(PIER, "C:\\Ada\\The Pier (1).MP3", b"sound", 2);
    assert_eq!(kept["path"], "content/items/pier/the-pier-1.mp3");
    assert_eq!(
        (&kept["reference"], &kept["type"]),
        (&json!("the-pier-1.mp3"), &json!("audio/mpeg"))
    );
    let shared = ada.upload_file("content/items/walk.md", "a.png", b"picture", 100);
    assert_eq!(shared["path"], "content/media/a.png");
    assert_eq!(shared["reference"], "/media/a.png");
    let root = served.site.root();
    assert_eq!(fs::read(root.join("content/items/pier/the-pier-1.mp3")).unwrap(), b"sound");
    // The same bytes are the same file, and others have a name of their own.
    assert_eq!(ada.upload_file(PIER, "the-pier-1.mp3", b"sound", 100)["path"], kept["path"]);
    let other = ada.upload_file(PIER, "the-pier-1.mp3", b"noise", 100);
    assert_eq!(other["path"], "content/items/pier/the-pier-1-2.mp3");
    assert_eq!(fs::read_dir(root.join(".feedwright/uploads")).unwrap().count(), 0);
    let journal = served.journal();
    assert!(journal.iter().any(|entry| entry.operation == "uploadMedia"));
}

#[test]
fn unsupported_files_are_refused_before_the_upload() {
    let served = serve(sample_site());
    let ada = person(&served);
    let before = served.files();
    for (name, why) in [
        ("page.html", "start a draft"),
        ("notes.md", "start a draft"),
        ("site.toml", "start a draft"),
        ("README", "extension"),
        ("x.", "extension"),
        ("x.mp3/..", "extension"),
        ("x.mp3\u{0}", "extension"),
        ("x.ünicode", "extension"),
    ] {
        let refused = ada.ask("upload", &upload_request(PIER, name, 1)).error(400);
        assert!(refused.contains(why), "{name}: {refused}");
        ada.ask("keep", &upload_request(PIER, name, 1)).error(400);
    }
    for path in
        ["site.toml", "content/items/../../x.md", "content/items/.x/index.md", "/etc/passwd", ""]
    {
        ada.ask("upload", &upload_request(path, "a.png", 1)).error(400);
    }
    let large = json!({ "path": PIER, "name": "a.mp3", "size": 17_u64 << 30 });
    assert!(ada.ask("upload", &large).error(400).contains("16 GiB"));
    // What did not come whole is put nowhere.
    let begun = ada.ask("upload", &upload_request(PIER, "a.mp3", 5)).ok();
    let id = begun["id"].as_str().unwrap();
    ada.piece(id, 0, b"abc").ok();
    assert!(ada.ask("keep", &upload_request(PIER, "a.mp3", 5)).error(409).contains("3 of 5 bytes"));
    for id in ["x", "../../../../site", &"g".repeat(32), &"0".repeat(31)] {
        assert!([404, 400].contains(&ada.piece(id, 0, b"x").status), "{id}");
    }
    assert_eq!(ada.piece(id, 3, &vec![0; 8 * 1024 * 1024 + 1]).status, 413);
    assert_eq!(served.files(), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    // However pieces come, twice, late or with a gap, what is kept is the file.
    #[test]
    fn chunks_in_any_order_make_the_file(
        bytes in prop::collection::vec(any::<u8>(), 1..300),
        tries in prop::collection::vec((0_usize..300, 1_usize..100), 0..12),
    ) {
        let served = serve(sample_site());
        let ada = person(&served);
        let sent = upload_request(PIER, "a.mp3", bytes.len());
        let begun = ada.ask("upload", &sent).ok();
        let id = begun["id"].as_str().unwrap().to_owned();
        for (at, length) in tries {
            let at = at.min(bytes.len());
            let end = (at + length).min(bytes.len());
            ada.piece(&id, at, &bytes[at..end]).ok();
        }
        let mut received = ada.ask("upload", &sent).ok()["received"].as_u64().unwrap() as usize;
        while received < bytes.len() {
            let end = (received + 64).min(bytes.len());
            received = ada.piece(&id, received, &bytes[received..end]).ok()["received"].as_u64().unwrap() as usize;
        }
        let kept = ada.ask("keep", &sent).ok();
        let path = served.site.root().join(kept["path"].as_str().unwrap());
        prop_assert_eq!(fs::read(path).unwrap(), bytes);
    }
}

#[test]
fn an_upload_resumes_after_a_restart() {
    let served = serve(sample_site());
    let ada = person(&served);
    let file = upload_request(PIER, "a.mp3", 6);
    let id = ada.ask("upload", &file).ok()["id"].as_str().unwrap().to_owned();
    ada.piece(&id, 0, b"abc").ok();
    let served = served.restarted();
    let ada = person(&served);
    assert_eq!(ada.ask("upload", &file).ok()["received"], 3);
    // Another file of the same name is another one.
    let other = json!({ "path": PIER, "name": "a.mp3", "size": 6, "modified": 8 });
    assert_eq!(ada.ask("upload", &other).ok()["received"], 0);
    ada.piece(&id, 3, b"def").ok();
    ada.ask("keep", &file).ok();
    assert_eq!(fs::read(served.site.root().join("content/items/pier/a.mp3")).unwrap(), b"abcdef");
}

#[test]
fn draft_media_are_visible_only_when_signed_in() {
    let secret = "+++\nid = \"s\"\n+++\nSecret.\n";
    let served = serve(
        sample_site()
            .with("content/items/pier/talk.mp3", "0123456789")
            .with("content/items/pier/x.html", "<script>1</script>")
            .with("content/items/secret.md", secret)
            .with(".env", "KEY=1"),
    );
    let ada = person(&served);
    let cookie = [("cookie", &*ada.cookie)];
    let whole = get_medium(&served, &cookie, "talk.mp3");
    assert_eq!((whole.status, whole.body.as_slice()), (200, &b"0123456789"[..]));
    assert_eq!(whole.header("x-content-type-options"), Some("nosniff"));
    assert!(whole.header("content-security-policy").unwrap().starts_with("sandbox"));
    let part = get_medium(&served, &[cookie[0], ("range", "bytes=2-4")], "talk.mp3");
    assert_eq!((part.status, part.body.as_slice()), (206, &b"234"[..]));
    for of in [
        "x.html", "index.md", "../secret.md", "../../../.env", "..%2F..%2F..%2F.env",
        "/media/..%2F..%2F.env", "/etc/passwd", "https://x.example/a.mp3", "none.mp3", "",
    ] {
        assert_eq!(get_medium(&served, &cookie, of).status, 404, "{of}");
    }
    for headers in
        [&[][..], &[("cookie", "feedwright-edit-1=x")], &[("feedwright-token", &*ada.token)]]
    {
        assert_eq!(get_medium(&served, headers, "talk.mp3").status, 401);
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_do_not_lead_media_out_of_the_site() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("talk.mp3"), "theirs").unwrap();
    let served = serve(sample_site());
    let ada = person(&served);
    let folder = served.site.root().join("content/items/out");
    std::os::unix::fs::symlink(outside.path(), &folder).unwrap();
    let path = "content/items/out/index.md";
    let file = upload_request(path, "a.mp3", 1);
    let id = ada.ask("upload", &file).ok()["id"].as_str().unwrap().to_owned();
    ada.piece(&id, 0, b"x").ok();
    ada.ask("keep", &file).error(400);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    let look = format!("/_edit/media/{path}?of=talk.mp3");
    assert_eq!(served.send("GET", &look, &[("cookie", &*ada.cookie)], b"").status, 404);
}

#[test]
fn transcripts_and_chapters_are_edited_with_their_diagnostics() {
    let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n";
    let served = serve(
        sample_site()
            .with("content/items/pier/said.vtt", vtt)
            .with("content/items/pier/chapters.txt", "00:00 Out\n"),
    );
    let ada = person(&served);
    let open = |path: &str| ada.ask("open", &json!({ "path": path })).ok();
    let said = open("content/items/pier/said.vtt");
    assert_eq!(
        (&said["kind"], &said["body"], &said["problems"]),
        (&json!("transcript"), &json!(vtt), &json!([]))
    );
    let broken = json!({ "path": "content/items/pier/said.vtt", "text": "WEBVTT\n\n00:01 -> 00:02\nHello.\n" });
    let problems = &ada.ask("look", &broken).ok()["problems"];
    assert_eq!(problems[1]["line"], 3, "{problems}");
    let broken =
        json!({ "path": "content/items/pier/chapters.txt", "text": "00:00 Out\n00:99 Home\n" });
    let problems = &ada.ask("look", &broken).ok()["problems"];
    assert_eq!(
        (&problems[0]["line"], &problems[0]["severity"]),
        (&json!(2), &json!("warning")),
        "{problems}"
    );
    // What is half written can be saved: no site stops being built for it.
    let save = json!({ "path": "content/items/pier/said.vtt", "text": "WEBVTT\n\n00:01", "version": said["version"] });
    ada.ask("save", &save).ok();
    let late = ada.ask("save", &save);
    assert_eq!((late.status, &late.json()["body"]), (409, &json!("WEBVTT\n\n00:01")));
    for path in [
        "content/items/pier/notes.txt", "content/media.json", "site.toml",
        "content/items/pier/talk.mp3",
    ] {
        ada.ask("open", &json!({ "path": path })).error(400);
    }
}

#[test]
fn a_machine_made_transcript_is_marked_as_reviewed() {
    let (said, item) = ("content/items/pier/said.vtt", "content/items/pier/index.md");
    let draft = |note: &str| {
        format!(
            "WEBVTT\r\n\r\n{note}00:01.000 --> 00:02.000\r\nH\u{e9}llo.\r\n\r\nNOTE ai-content\r\n"
        )
    };
    let text = draft("NOTE ai-content\r\nby a program\r\n\r\n");
    let served = serve(sample_site().with(said, &*text).with(
        item,
        "+++\nid = \"pier\"\ntitle = \"Pier\"\n[podcast]\ntranscripts = [\"said.vtt\"]\n+++\n",
    ));
    let ada = person(&served);
    let reviews = |path: &str, key: &str| -> Vec<String> {
        let opened = ada.ask("open", &json!({ "path": path })).ok();
        let all = opened[key].as_array().unwrap().iter();
        let own = all.filter(|fault| fault["rule"] == "unreviewed-transcript");
        own.map(|fault| fault["file"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (reviews(item, "faults"), reviews(said, "problems")),
        (vec![said.to_owned()], vec![said.to_owned()])
    );
    let version = ada.ask("open", &json!({ "path": said })).ok()["version"].clone();
    let reviewed = ada.ask("reviewed", &json!({ "path": said, "text": text })).ok();
    assert_eq!(reviewed["body"], json!(draft("")));
    assert_eq!(served.site.read(said), text, "the operation writes nothing");
    let save = json!({ "path": said, "text": reviewed["body"], "version": version });
    ada.ask("save", &save).ok();
    assert_eq!(ada.ask("save", &save).status, 409, "of an older version");
    assert_eq!(served.site.read(said), draft(""));
    assert_eq!((reviews(item, "faults"), reviews(said, "problems")), (vec![], vec![]));
    ada.ask("reviewed", &json!({ "path": item, "text": "" })).error(400);
}

#[test]
fn fields_suggest_values_of_the_site_and_namespace() {
    let guest = "+++\nid = \"g\"\ntitle = \"Guest\"\ndate_published = 2026-01-01\ntags = [\"sea\"]\n[podcast]\npeople = [{ name = \"Jun Mori\", role = \"guest\" }]\n+++\nText.\n";
    let served = serve(
        sample_site()
            .with("content/items/guest.md", guest)
            .with("content/items/pier/talk.mp3", "x")
            .with("content/items/pier/.hidden.mp3", "x")
            .with("content/media/cover.png", "x"),
    );
    let known = person(&served).ask("choices", &json!({ "path": PIER })).ok();
    let references: Vec<&str> = known["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["reference"].as_str().unwrap())
        .collect();
    assert_eq!(references, ["talk.mp3", "/media/cover.png"]);
    assert_eq!(known["tags"], json!(["sea"]));
    assert_eq!(
        (&known["people"][0]["name"], &known["people"][0]["role"]),
        (&json!("Jun Mori"), &json!("guest"))
    );
    let has =
        |list: &str, name: &str| known[list].as_array().unwrap().iter().any(|one| one == name);
    assert!(has("roles", "guest") && has("licenses", "CC-BY-4.0") && has("licenses", "CC0-1.0"));
}

#[test]
fn draft_media_in_previews_have_unguessable_addresses() {
    let served = serve(sample_site().with("content/items/pier/talk.mp3", "0123456789"));
    let ada = person(&served);
    let text = "+++\nid = \"pier\"\nslug = \"pier\"\ntitle = \"The pier\"\nstatus = \"unpublished\"\nattachment = \"talk.mp3\"\n+++\nWaves, and `/media/x`.\n";
    let made = ada.ask("preview", &json!({ "path": PIER, "text": text })).ok();
    let address = format!("/_edit/{}", made["address"].as_str().unwrap());
    let page = served.send("GET", &address, &[], b"").text();
    assert!(page.contains("<code>/media/x</code>"));
    let medium = format!("{address}/media/items/pier/talk.mp3");
    assert!(page.contains(&format!("src=\"{medium}\"")), "{page}");
    assert_eq!(served.send("GET", &medium, &[], b"").body, b"0123456789");
    assert_eq!(
        served.get("/media/items/pier/talk.mp3").status,
        404,
        "a draft's media stay at home"
    );
    for path in ["/media/items/pier/index.md", "/../../site.toml", "/i/pier/", "/media/", "/x"] {
        assert_eq!(served.send("GET", &format!("{address}{path}"), &[], b"").status, 404, "{path}");
    }
}

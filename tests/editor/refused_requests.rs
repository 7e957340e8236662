//! Requests that the editor refuses: by another name of this machine, through symlinks that leave the site, for names that
//! no disk takes, and with more bytes than were announced.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, site};

const WALK: &str = "content/items/walk.md";

fn sample_site() -> SmallSite {
    site().with(
        WALK,
        "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"A walk\"\ndate_published = 2026-01-05\n+++\nText.\n",
    )
}

#[test]
fn the_editor_answers_only_to_its_host_names() {
    let served = serve(sample_site());
    let ada = person(&served);
    let port = served.url.rsplit(':').next().unwrap();
    let ask = |method: &str, path: &str, host: &str| {
        let headers = [("host", host), ("cookie", &*ada.cookie), ("feedwright-token", &*ada.token)];
        served.send(method, path, &headers, b"{}")
    };
    let paths = [
        ("GET", "/_edit"),
        ("GET", "/_edit/"),
        ("GET", "/_edit/main.js"),
        ("GET", "/_edit/preview/x"),
        ("GET", "/_edit/media/content/items/walk.md?of=x.mp3"),
        ("POST", "/_edit/api/site"),
        ("POST", "/_edit/api/sign-in"),
    ];
    for name in [
        "[::1]", "x.localhost", "localhost.localhost", "127.0.0.2", "127.1.1.1",
        "[::ffff:127.0.0.1]",
    ] {
        for host in [format!("{name}:{port}"), name.to_owned()] {
            for (method, path) in paths {
                let reply = ask(method, path, &host);
                assert_eq!(reply.status, 403, "{method} {path} at {host}");
                let words = reply.text();
                assert!(
                    !words.contains("available only")
                        || words.contains(&format!("localhost:{port}/_edit/")),
                    "{words}"
                );
            }
        }
        // The site itself is shown there as before.
        if ["[::1]", "x.localhost"].contains(&name) {
            assert_eq!(ask("GET", "/i/walk/", &format!("{name}:{port}")).status, 200);
        }
    }
    assert_eq!(ask("GET", "/_edit/", &format!("localhost:{port}")).status, 200);
    // A tunnel has another port.
    assert_eq!(ask("GET", "/_edit/", "localhost:9").status, 200);
    assert_eq!(ask("POST", "/_edit/api/site", &format!("localhost:{port}")).status, 200);
}

/// The site's folder without what the server keeps there, and a folder outside with nothing in it.
fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn write_statuses(ada: &Person<'_>, folder: &str) -> Vec<(&'static str, u16)> {
    let draft = "+++\nid = \"new\"\ntitle = \"New\"\nstatus = \"unpublished\"\n+++\n";
    let path = format!("{folder}/new.md");
    let sent = json!({ "path": format!("{folder}/index.md"), "name": "a.mp3", "size": 1 });
    let mut all = vec![(
        "save",
        ada.ask("save", &json!({ "path": path, "text": draft, "version": null })).status,
    )];
    let begun = ada.ask("upload", &sent);
    if begun.status == 200 {
        let id = begun.ok()["id"].as_str().unwrap().to_owned();
        let path = format!("/_edit/api/send/{id}/0");
        let headers = [("cookie", &*ada.cookie), ("feedwright-token", &*ada.token)];
        ada.served.send("POST", &path, &headers, b"x").ok();
    }
    all.push(("keep", ada.ask("keep", &sent).status));
    all
}

#[test]
fn no_file_is_created_through_an_outside_link() {
    let outside = tempfile::tempdir().unwrap();
    let inner = outside.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let served = serve(sample_site());
    let ada = person(&served);
    let root = served.site.root();
    // To a folder, to one that is not there yet, and by way of another link.
    symlink(&inner, root.join("content/items/out")).unwrap();
    symlink(outside.path().join("none"), root.join("content/items/none")).unwrap();
    symlink("out", root.join("content/items/again")).unwrap();
    symlink(&inner, root.join("content/pages")).unwrap();
    for folder in [
        "content/items/out", "content/items/out/deep/er", "content/items/none",
        "content/items/again",
    ] {
        for (operation, status) in write_statuses(&ada, folder) {
            assert_eq!(status, 400, "{operation} {folder}");
        }
    }
    let page = json!({ "kind": "page", "title": "About" });
    ada.ask("create", &page).error(400);
    // A new calendar, and a Site File.
    fs::create_dir_all(root.join("content")).unwrap();
    symlink(&inner, root.join("content/calendars")).unwrap();
    let event =
        json!({ "calendar": "shows", "event": { "summary": "A show", "start": "2026-11-20" } });
    ada.ask("create-event", &event).error(400);
    // A file that is itself a link to one that is not there.
    symlink(inner.join("draft.md"), root.join("content/items/link.md")).unwrap();
    let text = "+++\nid = \"x\"\ntitle = \"X\"\nstatus = \"unpublished\"\n+++\n";
    let save = json!({ "path": "content/items/link.md", "text": text, "version": null });
    assert!((400..500).contains(&ada.ask("save", &save).status));
    assert_eq!((count(outside.path()), count(&inner)), (1, 0));
    // A link within the site leads where its author meant.
    fs::create_dir(root.join("content/items/own")).unwrap();
    symlink("own", root.join("content/items/mine")).unwrap();
    for (operation, status) in write_statuses(&ada, "content/items/mine") {
        assert_eq!(status, 200, "{operation}");
    }
    assert!(served.site.exists("content/items/own/new.md"));
    assert!(served.site.exists("content/items/own/a.mp3"));
}

#[test]
fn trash_uploads_and_temporary_files_stay_in_the_site() {
    let outside = tempfile::tempdir().unwrap();
    let theirs = outside.path().join("theirs.txt");
    fs::write(&theirs, "theirs").unwrap();
    let served = serve(sample_site());
    let ada = person(&served);
    let local = served.site.root().join(".feedwright");
    for folder in ["trash", "uploads"] {
        let _ = fs::remove_dir_all(local.join(folder));
        symlink(outside.path(), local.join(folder)).unwrap();
    }
    ada.ask("remove", &json!({ "path": WALK })).error(400);
    assert!(served.site.exists(WALK));
    let sent = json!({ "path": WALK, "name": "a.mp3", "size": 1 });
    ada.ask("upload", &sent).error(400);
    // A symlink with the name of a temporary file is not followed.
    fs::remove_file(local.join("uploads")).unwrap();
    fs::create_dir_all(served.site.path("content/media")).unwrap();
    let temporary = served.site.path("content/media/.a.mp3.feedwright-new");
    symlink(&theirs, temporary).unwrap();
    upload_file(&ada, &sent, b"x");
    ada.ask("keep", &sent).ok();
    assert_eq!(fs::read_to_string(&theirs).unwrap(), "theirs");
    assert_eq!(fs::read(served.site.path("content/media/a.mp3")).unwrap(), b"x");
    assert_eq!(count(outside.path()), 1);
}

fn upload_file(ada: &Person<'_>, sent: &Value, bytes: &[u8]) {
    let id = ada.ask("upload", sent).ok()["id"].as_str().unwrap().to_owned();
    assert_eq!(send_chunk(ada, &id, 0, bytes), 200);
}

fn send_chunk(ada: &Person<'_>, id: &str, at: usize, bytes: &[u8]) -> u16 {
    let path = format!("/_edit/api/send/{id}/{at}");
    let headers = [("cookie", &*ada.cookie), ("feedwright-token", &*ada.token)];
    ada.served.send("POST", &path, &headers, bytes).status
}

#[test]
fn a_chunk_beyond_the_announced_size_is_refused() {
    let served = serve(sample_site());
    let ada = person(&served);
    let sent = json!({ "path": WALK, "name": "a.mp3", "size": 10 });
    let begun = ada.ask("upload", &sent).ok();
    let id = begun["id"].as_str().unwrap();
    let received = || ada.ask("upload", &sent).ok()["received"].clone();
    assert_eq!(send_chunk(&ada, id, 0, &[1; 11]), 400);
    assert_eq!(received(), 0);
    assert_eq!(send_chunk(&ada, id, 0, &[1; 6]), 200);
    assert_eq!(send_chunk(&ada, id, 6, &[2; 5]), 400);
    assert_eq!(send_chunk(&ada, id, usize::MAX, &[2; 5]), 400);
    assert_eq!(received(), 6);
    // Nobody gives it another size by its id.
    let other = id.replace("-10", "-11");
    assert_ne!(other, id);
    assert_eq!(send_chunk(&ada, &other, 6, &[2; 5]), 404);
    for no_id in ["", "-10", "00-10", "zz", "../x-10"] {
        assert_eq!(send_chunk(&ada, no_id, 0, b"x"), 404, "{no_id}");
    }
    assert_eq!(send_chunk(&ada, id, 6, &[2; 4]), 200);
    ada.ask("keep", &sent).ok();
    let kept = fs::read(served.site.path("content/media/a.mp3")).unwrap();
    assert_eq!(kept, [[1; 6].as_slice(), &[2; 4]].concat());
}

#[test]
fn an_impossible_file_name_is_a_client_error() {
    let served = serve(sample_site());
    let ada = person(&served);
    let (name, deep) = ("x".repeat(300), "d/".repeat(3000));
    let text = "+++\nid = \"x\"\ntitle = \"X\"\nstatus = \"unpublished\"\n+++\n";
    let operations = ["open", "save", "look", "edit", "preview", "remove", "upload", "keep"];
    for (path, is_refused) in [
        (format!("content/items/{name}.md"), true),
        (format!("content/items/{name}/index.md"), true),
        (format!("content/pages/{}.md", "ü".repeat(130)), true),
        // Each name is fine. What writes nothing there may have nothing to say against it.
        (format!("content/items/{deep}x.md"), false),
    ] {
        for operation in operations {
            let body = json!({
                "path": path, "text": text, "version": null, "changes": [], "name": "a.mp3", "size": 0,
            });
            let status = ada.ask(operation, &body).status;
            match is_refused || operation == "save" {
                true => assert_eq!(status, 400, "{operation} {}", path.len()),
                false => assert!(status < 500, "{operation} {}: {status}", path.len()),
            }
        }
    }
    // By a name alone, in each API that takes one: it is shortened or refused, and nothing fails.
    let names = [
        ada.ask("create", &json!({ "kind": "item", "title": name })),
        ada.ask("create", &json!({ "kind": "site-file", "title": format!("{name}.txt") })),
        ada.ask("upload", &json!({ "path": WALK, "name": format!("{name}.mp3"), "size": 1 })),
        ada.ask(
            "create-event",
            &json!({ "calendar": name, "event": { "summary": "A", "start": "2026-11-20" } }),
        ),
        ada.ask(
            "create-event",
            &json!({ "calendar": "c", "event": { "summary": name, "start": "2026-11-20" } }),
        ),
        served.post("/items/", &json!({ "title": name, "id": name })),
        served.post("/items/", &json!({ "title": "A", "_microfeed": { "slug": name } })),
        served.post("/pages/", &json!({ "title": "A", "slug": name })),
        served.post("/pages/", &json!({ "title": "A", "slug": format!("{}x", "d/".repeat(200)) })),
        served.post(
            "/media_files/presigned_urls/",
            &json!({ "category": "image", "full_local_file_path": format!("{name}.png") }),
        ),
    ];
    for (number, reply) in names.iter().enumerate() {
        assert!(reply.status < 500, "{number}: {} {}", reply.status, reply.text());
    }
    assert_no_files_remain(&served);
}

/// Nothing was left behind by what was refused.
fn assert_no_files_remain(served: &Served) {
    let files = served.files();
    let left = files.keys().filter(|path| path.contains(".feedwright-new"));
    assert_eq!(left.count(), 0);
}

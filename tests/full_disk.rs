//! A disk that takes no more, as a limit on the size of files shows it to any user: what cannot be written
//! leaves everything as it was, and the client is told so.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use feedwright::state::{JournalQuery, State};
use serde_json::{Value, json};

use crate::killed::{Program, agent, send};
use crate::small_site::{SmallSite, site, tree};

/// The largest file, in blocks of 512 or 1,024 bytes.
const BLOCKS: usize = 400;

fn limited(root: &Path) -> Program {
    // Without a handler the signal would end the program; a disk that is full sends none.
    let script = format!("trap '' XFSZ; ulimit -f {BLOCKS}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_feedwright")]);
    Program::of(command, root)
}

fn filled() -> SmallSite {
    let site = site()
        .with(
            "content/items/walk.md",
            "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\nText\n",
        )
        .with(
            "content/items/run.md",
            "+++\nid = \"run\"\ntitle = \"Run\"\n+++\nText\n",
        )
        .with("site-files/a.txt", "A\n");
    drop(State::open(site.root()).unwrap());
    site
}

/// Everything but the local state, with temporary files.
fn files(site: &SmallSite) -> BTreeMap<String, Vec<u8>> {
    let mut files = tree(site.root());
    files.retain(|path, _| !path.starts_with(".feedwright"));
    files
}

fn journal(site: &SmallSite) -> usize {
    let state = State::open(site.root()).unwrap();
    state.journal(JournalQuery::default()).unwrap().len()
}

#[test]
fn a_file_that_has_no_room_is_not_written() {
    let site = filled();
    let program = limited(site.root());
    let (agent, api) = (agent(), format!("{}/api/v1", program.url));
    let before = files(&site);
    let large = "word ".repeat(BLOCKS * 1024 / 4);
    for (method, path, key, body) in [
        (
            "PUT",
            "/items/walk/",
            None,
            json!({ "content_markdown": large }),
        ),
        (
            "PUT",
            "/items/walk/",
            None,
            json!({ "content_html": large }),
        ),
        (
            "POST",
            "/items/",
            None,
            json!({ "title": "New", "content_markdown": large }),
        ),
        (
            "POST",
            "/items/",
            Some("k"),
            json!({ "title": "New", "content_markdown": large }),
        ),
        (
            "POST",
            "/pages/",
            None,
            json!({ "title": "P", "slug": "p", "content_html": large }),
        ),
    ] {
        let (status, answer) = send(&agent, method, &format!("{api}{path}"), key, &body).unwrap();
        assert_eq!(status, 507, "{method} {path}: {answer}");
        assert_eq!(files(&site), before, "{method} {path}");
        assert_eq!(journal(&site), 0, "{method} {path}");
    }
    // Its key is still free for what fits.
    let body = json!({ "title": "New", "content_markdown": large });
    let url = format!("{api}/items/");
    assert_eq!(send(&agent, "POST", &url, Some("k"), &body).unwrap().0, 507);
    program.kill();
    let program = Program::start(site.root());
    let url = format!("{}/api/v1/items/", program.url);
    for _ in 0..2 {
        let (status, answer) = send(&agent, "POST", &url, Some("k"), &body).unwrap();
        assert_eq!(status, 201, "{answer}");
    }
    assert_eq!((files(&site).len(), journal(&site)), (before.len() + 1, 1));
    program.kill();
}

#[test]
fn what_cannot_be_noted_is_not_written() {
    let site = filled();
    let program = limited(site.root());
    let (agent, api) = (agent(), format!("{}/api/v1", program.url));
    let put = |round: usize| {
        let body = json!({ "guid": format!("g{round}") });
        send(&agent, "PUT", &format!("{api}/items/walk/"), None, &body).unwrap()
    };
    // The state's log grows with every write.
    let (full, last) = (1..500)
        .map(|round| (round, put(round)))
        .find(|(_, (status, _))| *status != 200)
        .unwrap();
    assert_eq!(last.0, 507, "{}", last.1);
    let before = files(&site);
    let guid = format!("guid = \"g{}\"", full - 1);
    assert!(site.read("content/items/walk.md").contains(&guid));
    for (method, path, body) in [
        ("PUT", "/items/walk/", json!({ "guid": "other" })),
        ("DELETE", "/items/run/", Value::Null),
        ("POST", "/items/", json!({ "title": "New" })),
    ] {
        let (status, answer) = send(&agent, method, &format!("{api}{path}"), None, &body).unwrap();
        assert_eq!(status, 507, "{method} {path}: {answer}");
        assert_eq!(files(&site), before, "{method} {path}");
    }
    let (status, answer) = send(
        &agent,
        "GET",
        &format!("{api}/items/run/"),
        None,
        &Value::Null,
    )
    .unwrap();
    assert_eq!((status, &answer["items"][0]["title"]), (200, &json!("Run")));
    program.kill();
    assert_eq!(journal(&site), full - 1);
}

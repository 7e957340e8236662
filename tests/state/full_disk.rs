//! A disk that takes no more, as a limit on the size of files shows it to any user: what cannot be written
//! leaves everything as it was, and the client is told so.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use feedwright::state::{JournalQuery, State};
use serde_json::{Value, json};

use crate::support::program::{Program, agent, send};
use crate::support::small_site::{SmallSite, site, tree};

/// The largest file, in blocks of 512 or 1,024 bytes.
const BLOCKS: usize = 400;

fn start_with_file_limit(root: &Path) -> Program {
    // Without a handler the signal would end the program; a disk that is full sends none.
    let script = format!("trap '' XFSZ; ulimit -f {BLOCKS}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_feedwright")]);
    Program::of(command, root)
}

fn filled_site() -> SmallSite {
    let site = site()
        .with("content/items/walk.md", "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\nText\n")
        .with("content/items/run.md", "+++\nid = \"run\"\ntitle = \"Run\"\n+++\nText\n")
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
fn a_file_is_not_written_to_a_full_disk() {
    let site = filled_site();
    let program = start_with_file_limit(site.root());
    let (agent, api) = (agent(), format!("{}/api/v1", program.url));
    let before = files(&site);
    let large = "word ".repeat(BLOCKS * 1024 / 4);
    for (method, path, key, body) in [
        ("PUT", "/items/walk/", None, json!({ "content_markdown": large })),
        ("PUT", "/items/walk/", None, json!({ "content_html": large })),
        ("POST", "/items/", None, json!({ "title": "New", "content_markdown": large })),
        ("POST", "/items/", Some("k"), json!({ "title": "New", "content_markdown": large })),
        ("POST", "/pages/", None, json!({ "title": "P", "slug": "p", "content_html": large })),
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
fn a_change_without_a_journal_entry_is_not_written() {
    let site = filled_site();
    let program = start_with_file_limit(site.root());
    let (agent, api) = (agent(), format!("{}/api/v1", program.url));
    let put = |round: usize| {
        let body = json!({ "guid": format!("g{round}") });
        send(&agent, "PUT", &format!("{api}/items/walk/"), None, &body).unwrap()
    };
    // The state's log grows with every write.
    let (full, last) =
        (1..500).map(|round| (round, put(round))).find(|(_, (status, _))| *status != 200).unwrap();
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
    let (status, answer) =
        send(&agent, "GET", &format!("{api}/items/run/"), None, &Value::Null).unwrap();
    assert_eq!((status, &answer["items"][0]["title"]), (200, &json!("Run")));
    program.kill();
    assert_eq!(journal(&site), full - 1);
}

/// Asks the editor as someone who has signed in.
fn ask_editor(
    agent: &ureq::Agent,
    url: &str,
    (cookie, token): (&str, &str),
    operation: &str,
    body: &[u8],
) -> (u16, Value) {
    let request = ureq::http::Request::builder()
        .method("POST")
        .uri(format!("{url}/_edit/api/{operation}"))
        .header("cookie", cookie)
        .header("feedwright-token", token);
    let mut answer = agent.run(request.body(body).unwrap()).unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    (answer.status().as_u16(), serde_json::from_str(&text).unwrap())
}

#[test]
fn an_editor_save_fails_on_a_full_disk_and_can_be_repeated() {
    let site = filled_site();
    let (agent, state) = (agent(), State::open(site.root()).unwrap());
    let now = jiff::Timestamp::now();
    let session = state.sign_in(state.invite(now).unwrap().expose(), now).unwrap().unwrap();
    let program = start_with_file_limit(site.root());
    let (port, token) = (program.url.rsplit(':').next().unwrap(), session.token.expose());
    let cookie = format!("feedwright-edit-{port}={}", session.cookie.expose());
    let who = (cookie.as_str(), token);
    let asked = |operation: &str, body: Value| {
        ask_editor(&agent, &program.url, who, operation, body.to_string().as_bytes())
    };
    let before = files(&site);
    let large = "word ".repeat(BLOCKS * 1024 / 4);
    let walk = "content/items/walk.md";
    let seen = |path: &str| asked("open", json!({ "path": path })).1["version"].clone();
    let text = format!("+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\n{large}");
    for (path, text) in [(walk, text.as_str()), ("content/items/new.md", &large)] {
        let (status, answer) =
            asked("save", json!({ "path": path, "text": text, "version": seen(path) }));
        assert_eq!(status, 507, "{path}: {answer}");
        assert_eq!(files(&site), before, "{path}");
    }
    // A recording whose second piece finds no room: what came stays, and nothing of it is in the site.
    let sent = json!({ "path": walk, "name": "walk.mp3", "size": 700_000, "modified": 1 });
    let id = asked("upload", sent.clone()).1["id"].as_str().unwrap().to_owned();
    let piece = vec![7; 100_000];
    let (status, answer) = ask_editor(&agent, &program.url, who, &format!("send/{id}/0"), &piece);
    assert_eq!((status, &answer["received"]), (200, &json!(100_000)), "{answer}");
    let (status, answer) =
        ask_editor(&agent, &program.url, who, &format!("send/{id}/100000"), &vec![7; 600_000]);
    assert_eq!(status, 507, "{answer}");
    assert_eq!(asked("upload", sent).1["received"], 100_000);
    assert_eq!(files(&site), before);
    assert_eq!(journal(&site), 0);
    program.kill();
}

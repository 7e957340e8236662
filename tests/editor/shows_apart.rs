//! Publish in the editor of a network, for shows with their own address and destination.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::editor::publish::committed_site;
use crate::support::git::git;
use crate::support::program::{self, Program};
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, tree};
use crate::support::wait;
use feedwright::state::State;

fn item(title: &str) -> String {
    format!(
        "+++\nid = \"{title}\"\nslug = \"{title}\"\ntitle = \"{title}\"\ndate = 2026-01-01\n+++\nText.\n"
    )
}

/// A network with a show that has its own destination, and one that is published with the network.
fn network(out: &Path) -> (SmallSite, tempfile::TempDir) {
    let (site, remote) = committed_site();
    let settings = |name: &str| {
        format!(
            "base_url = \"https://{name}.example\"\n[deploy]\nto = \"folder:{}\"\n",
            out.join(name).display()
        )
    };
    site.write(".gitignore", "/.feedwright\n/public*\n");
    site.write("site.toml", settings("harbour"));
    site.write("content/channel.md", "+++\ntitle = \"Harbour\"\n+++\n");
    for (name, title) in [("walks", "Walks"), ("tides", "Tides")] {
        site.write(&format!("shows/{name}/channel.md"), format!("+++\ntitle = \"{title}\"\n+++\n"));
        site.write(&format!("shows/{name}/items/{name}-1.md"), item(&format!("{name}-1")));
    }
    site.write("shows/walks/show.toml", settings("walks"));
    git(site.root(), &["add", "-A"]);
    git(site.root(), &["commit", "--quiet", "-m", "Shows"]);
    git(site.root(), &["push", "--quiet"]);
    (site, remote)
}

/// The titles or paths of the changes that are not published yet.
fn changes(now: &Value) -> Vec<String> {
    let all = now["summary"]["changes"].as_array().unwrap_or_else(|| panic!("{now}"));
    let name = |one: &Value| one["title"].as_str().or(one["path"].as_str()).unwrap().to_owned();
    let mut names: Vec<String> =
        all.iter().map(|one| format!("{} {}", one["what"].as_str().unwrap(), name(one))).collect();
    names.sort();
    names
}

fn now(ada: &Person<'_>, content: &str) -> Value {
    ada.ask("publish", &json!({ "content": content })).ok()["now"].clone()
}

#[test]
fn a_show_lists_its_own_changes() {
    let out = tempfile::tempdir().unwrap();
    let (site, _remote) = network(out.path());
    let served = serve(site);
    let ada = person(&served);
    let walks = now(&ada, "shows/walks");
    let facts = |now: &Value| ["how", "to", "url", "show", "apart"].map(|key| now[key].clone());
    let to = |name: &str| format!("folder:{}", out.path().join(name).display());
    assert_eq!(
        facts(&walks),
        [
            json!("deploy"),
            json!(to("walks")),
            json!("https://walks.example/"),
            json!("Walks"),
            json!([])
        ]
    );
    assert_eq!(changes(&walks), ["new walks-1"]);
    // A show without its own destination is published with the network.
    for content in ["", "content", "shows/tides", "shows/none"] {
        assert_eq!(
            facts(&now(&ada, content)),
            [
                json!("deploy"),
                json!(to("harbour")),
                json!("https://harbour.example/"),
                Value::Null,
                json!(["Walks"])
            ],
            "{content}"
        );
    }
    // An error in another show does not prevent publishing.
    served.site.write("shows/tides/items/tides-1.md", "+++\ntitle = 1\n+++\n");
    wait::until(|| now(&ada, "content")["errors"] != 0);
    assert_eq!(now(&ada, "shows/walks")["errors"], 0);
    // Only this workflow publishes the show after a push.
    for (commands, how) in [
        ("feedwright deploy", "deploy"),
        ("feedwright deploy --show tides", "deploy"),
        ("feedwright deploy\n          feedwright deploy --all-shows", "push"),
    ] {
        let text =
            format!("on: push\njobs:\n  a:\n    steps:\n      - run: |\n          {commands}\n");
        served.site.write(".github/workflows/publish.yml", text);
        assert_eq!(now(&ada, "shows/walks")["how"], how, "{commands}");
    }
    assert_eq!(now(&ada, "content")["apart"], json!([]));
}

#[test]
fn a_document_is_online_when_its_show_was_deployed() {
    let out = tempfile::tempdir().unwrap();
    let (site, _remote) = network(out.path());
    let served = serve(site);
    let ada = person(&served);
    let revision = git(served.site.root(), &["rev-parse", "HEAD"]);
    let record = |file: &str, name: &str| {
        let to = format!("folder:{}", out.path().join(name).display());
        let record =
            json!({ "time": "2126-01-01T00:00:00Z", "to": to, "revision": revision.trim() });
        served.site.write(&format!(".feedwright/{file}.json"), record.to_string());
    };
    let online = |name: &str| {
        let path = format!("shows/{name}/items/{name}-1.md");
        ada.ask("online", &json!({ "path": path })).ok()["state"].clone()
    };
    assert_eq!((online("walks"), online("tides")), (json!("pending"), json!("pending")));
    record("last-deploy", "harbour");
    assert_eq!((online("walks"), online("tides")), (json!("pending"), json!("online")));
    record("last-deploy-walks", "walks");
    assert_eq!((online("walks"), online("tides")), (json!("online"), json!("online")));
}

/// Someone who has signed in to the program.
struct Ada {
    agent: ureq::Agent,
    url: String,
    headers: [(&'static str, String); 2],
}

impl Ada {
    fn sign_in(program: &Program, site: &SmallSite) -> Self {
        let agent = program::agent();
        let url = format!("{}/_edit/api/", program.url);
        let state = State::open(site.root()).unwrap();
        let code = state.invite(jiff::Timestamp::now()).unwrap().expose().to_owned();
        let body = json!({ "code": code }).to_string();
        let mut reply = agent.post(format!("{url}sign-in")).send(body).unwrap();
        let cookie =
            reply.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        let body: Value =
            serde_json::from_str(&reply.body_mut().read_to_string().unwrap()).unwrap();
        let token = body["token"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned();
        Self { agent, url, headers: [("cookie", cookie), ("feedwright-token", token)] }
    }

    fn ask(&self, operation: &str, body: &Value) -> Value {
        let request = self.agent.post(format!("{}{operation}", self.url));
        let request = self
            .headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, value));
        let mut reply = request.send(body.to_string()).unwrap();
        let text = reply.body_mut().read_to_string().unwrap();
        assert!(reply.status().is_success(), "{operation}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Waits for the result of a task.
    fn run(&self, operation: &str, body: &Value) -> Value {
        let begun = self.ask(operation, body);
        let ended = wait::some(|| {
            let task = self.ask("publish-deed", &json!({ "id": begun["id"] }));
            (!task["ended"].is_null()).then_some(task)
        });
        assert_eq!(ended["trouble"], Value::Null, "{ended}");
        ended["done"].clone()
    }

    fn now(&self, content: &str) -> Value {
        self.ask("publish", &json!({ "content": content }))["now"].clone()
    }

    fn publish(&self, content: &str) -> Value {
        let seen = self.now(content)["summary"]["seen"].clone();
        self.run("publish-all", &json!({ "content": content, "seen": seen, "message": content }))
    }
}

#[test]
fn publish_deploys_the_chosen_show() {
    let out = tempfile::tempdir().unwrap();
    let (site, remote) = network(out.path());
    let [harbour, walks] = ["harbour", "walks"].map(|name| out.path().join(name));
    let program = Program::start(site.root());
    let ada = Ada::sign_in(&program, &site);
    let plan = ada.run("publish-plan", &json!({ "content": "shows/walks" }));
    assert!(plan["to"].as_str().unwrap().ends_with("/walks") && !walks.exists(), "{plan}");
    let tested = ada.run("setup-test", &json!({ "content": "shows/walks" }));
    assert_eq!(tested["put"], plan["put_count"], "{tested}");
    let done = ada.publish("shows/walks");
    assert_eq!(
        (&done["url"], &done["host_builds"]),
        (&json!("https://walks.example/"), &json!(false))
    );
    assert!(walks.join("i/walks-1/index.html").exists() && !harbour.exists());
    assert_eq!(changes(&ada.now("shows/walks")), [""; 0]);
    ada.publish("shows/tides");
    assert!(harbour.join("tides/i/tides-1/index.html").exists());

    // Only the files of the show are committed, and only the show is deployed.
    site.write("shows/walks/items/walks-2.md", item("walks-2"));
    site.write("shows/tides/items/tides-2.md", item("tides-2"));
    wait::until(|| changes(&ada.now("content")) == ["new tides-2", "new walks-2"]);
    assert_eq!(changes(&ada.now("shows/walks")), ["new walks-2"]);
    let before = tree(&harbour);
    ada.publish("shows/walks");
    let committed = git(remote.path(), &["show", "--format=%s", "--name-only", "main"]);
    assert_eq!(committed, "shows/walks\n\nshows/walks/items/walks-2.md\n");
    assert!(walks.join("i/walks-2/index.html").exists());
    assert_eq!(tree(&harbour), before);
    assert_eq!(changes(&ada.now("shows/walks")), [""; 0]);
    // The home page of the network lists the item, too.
    assert_eq!(changes(&ada.now("content")), ["new tides-2", "new walks-2"]);
    ada.publish("content");
    assert!(fs::read_to_string(harbour.join("index.html")).unwrap().contains("walks-2"));
    assert_eq!(git(site.root(), &["status", "--porcelain"]), "");
    program.kill();
}

//! The setup of publishing, the changes in words, and publishing in one task. A deploy needs the program itself:
//! `tests/browser/go_online.cjs` deploys.

use std::fs;

use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::editor::publish::{
    TEXT, WALK, committed_site, hook, journal, repository_status, wait_for_operation,
    wait_for_result,
};
use crate::support::git::git;
use crate::support::served::{serve, serve_with};
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

const WORKFLOW: &str = ".github/workflows/publish.yml";

/// A workflow that runs on Fridays, and one that runs after each push.
const FRIDAYS: &str = "on:\n  schedule:\n    - cron: '0 9 * * 5'\njobs:\n  a:\n    steps:\n      - run: feedwright deploy\n";
const PUSHES: &str = "on: [push]\njobs:\n  a:\n    steps:\n      - run: feedwright deploy\n";

fn with_workflow(text: &str) -> (SmallSite, tempfile::TempDir) {
    let (site, remote) = committed_site();
    site.write(WORKFLOW, text);
    git(site.root(), &["add", "-A"]);
    git(site.root(), &["commit", "--quiet", "-m", "Workflow"]);
    git(site.root(), &["push", "--quiet"]);
    (site, remote)
}

/// The changes that are not published yet, as lines.
fn changes(ada: &Person<'_>) -> Vec<String> {
    let state = repository_status(ada);
    let all = state["now"]["summary"]["changes"].as_array().unwrap_or_else(|| panic!("{state}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |one: &Value| {
        let files = one["files"].as_array().unwrap().len();
        format!("{} {} {:?} {files}", text(&one["what"]), text(&one["noun"]), text(&one["title"]))
    };
    let mut lines: Vec<String> = all.iter().map(line).collect();
    lines.sort();
    lines
}

fn publish(ada: &Person<'_>) -> Value {
    let seen = repository_status(ada)["now"]["summary"]["seen"].clone();
    wait_for_result(ada, ada.ask("publish-all", &json!({ "seen": seen, "message": "All" })))
}

#[test]
fn changes_are_named_as_readers_see_them() {
    let item = |title: &str, more: &str| format!("+++\ntitle = \"{title}\"\n{more}+++\nText.\n");
    let draft = "status = \"unpublished\"\n";
    let (site, _remote) = with_workflow(PUSHES);
    for (name, more) in
        [("grown", draft), ("shrunk", ""), ("gone", ""), ("dropped", draft), ("kept", draft)]
    {
        site.write(&format!("content/items/{name}.md"), item(name, more));
    }
    site.write("content/items/talk/index.md", item("talk", ""));
    git(site.root(), &["add", "-A"]);
    git(site.root(), &["commit", "--quiet", "-m", "Items"]);
    git(site.root(), &["push", "--quiet"]);
    site.write("content/items/grown.md", item("grown", ""));
    site.write("content/items/shrunk.md", item("shrunk", draft));
    site.remove("content/items/gone.md");
    site.remove("content/items/dropped.md");
    site.write("content/items/kept.md", item("kept", &format!("{draft}summary = \"x\"\n")));
    site.write("content/items/later.md", item("later", "date_published = 2126-01-01\n"));
    site.write("content/items/talk/notes.txt", "Mine.\n");
    site.write("content/pages/about.md", item("About", ""));
    site.write(WALK, TEXT.replace("late", "early"));
    site.write("site.toml", "base_url = \"https://example.com\"\ntimezone = \"UTC\"\n");
    site.write("notes.txt", "No part of the site.\n");
    // A change that is committed is not published either.
    git(site.root(), &["commit", "--quiet", "-m", "Edit", "--", WALK]);
    let served = serve(site);
    let ada = person(&served);
    assert_eq!(
        changes(&ada),
        [
            "corrected post \"A walk\" 1", "corrected post \"talk\" 1", "corrected setting \"\" 1",
            "draft post \"dropped\" 1", "draft post \"kept\" 1", "new page \"About\" 1",
            "new post \"grown\" 1", "removed post \"gone\" 1", "removed post \"shrunk\" 1",
            "scheduled post \"later\" 1",
        ]
    );
}

#[test]
fn one_request_commits_and_pushes_for_a_host_that_builds() {
    let (site, remote) = with_workflow(PUSHES);
    site.write(WALK, TEXT.replace("late", "early"));
    site.write("notes.txt", "No part of the site.\n");
    let served = serve(site);
    let (root, ada) = (served.site.root(), person(&served));
    let now = repository_status(&ada)["now"].clone();
    assert_eq!((&now["how"], &now["steps"]), (&json!("push"), &json!(["commit", "push"])), "{now}");
    assert!(now["last"].is_string(), "{now}");
    // Something else than what was shown is not published.
    served.site.write(WALK, TEXT.replace("late", "gone"));
    let old = json!({ "seen": now["summary"]["seen"], "message": "All" });
    let refused = ada.ask("publish-all", &old).error(409);
    assert!(refused.contains("look at the new list"), "{refused}");
    // A hook of the remote refuses: the commit is made, and the next request continues.
    hook(remote.path(), "pre-receive", "echo 'closed on Mondays'; exit 1");
    let failed = publish(&ada);
    assert_eq!(
        failed["progress"]["steps"],
        json!([["commit", "done"], ["push", "failed"]]),
        "{failed}"
    );
    assert!(failed["trouble"]["said"].as_str().unwrap().contains("closed"), "{failed}");
    assert_eq!(changes(&ada), ["corrected post \"A walk\" 1"]);
    hook(remote.path(), "pre-receive", "true");
    let done = publish(&ada);
    assert_eq!(done["progress"]["steps"], json!([["push", "done"]]), "{done}");
    assert_eq!(done["done"]["host_builds"], true, "{done}");
    let revision = git(root, &["rev-parse", "HEAD"]);
    assert_eq!(git(remote.path(), &["rev-parse", "main"]), revision);
    assert_eq!(git(root, &["status", "--porcelain"]), "?? notes.txt\n");
    assert!(changes(&ada).is_empty());
    assert_eq!(
        journal(&served),
        [
            "editor commit main: All".to_owned(),
            format!("editor push origin/main {}", revision.trim())
        ]
    );
}

#[test]
fn changes_from_elsewhere_are_merged_or_nothing_changes() {
    let (site, remote) = with_workflow(PUSHES);
    let other = tempfile::tempdir().unwrap();
    git(other.path(), &["clone", "--quiet", remote.path().to_str().unwrap(), "."]);
    let theirs = |path: &str, text: &str| {
        fs::write(other.path().join(path), text).unwrap();
        let name = ["-c", "user.name=Bob", "-c", "user.email=b@x"];
        git(other.path(), &["add", "-A"]);
        git(other.path(), &[&name[..], &["commit", "--quiet", "-m", "Theirs"]].concat());
        git(other.path(), &["push", "--quiet"]);
    };
    theirs("content/items/tide.md", "+++\ntitle = \"Tide\"\n+++\nMud.\n");
    site.write(WALK, TEXT.replace("late", "early"));
    let served = serve(site);
    let (root, ada) = (served.site.root(), person(&served));
    let failed = publish(&ada);
    assert_eq!(failed["trouble"]["reason"], "behind", "{failed}");
    let combine = || wait_for_result(&ada, ada.ask("publish-combine", &json!({})));
    assert_eq!(combine()["trouble"], Value::Null);
    assert!(served.site.exists("content/items/tide.md"));
    assert_eq!(publish(&ada)["trouble"], Value::Null);
    assert_eq!(git(remote.path(), &["rev-parse", "main"]), git(root, &["rev-parse", "HEAD"]));
    // Both changed the same line.
    git(other.path(), &["pull", "--quiet"]);
    theirs(WALK, &TEXT.replace("late", "sunk"));
    served.site.write(WALK, TEXT.replace("late", "gone"));
    assert_eq!(publish(&ada)["trouble"]["reason"], "behind");
    let (head, files) = (git(root, &["rev-parse", "HEAD"]), served.site.read(WALK));
    let failed = combine();
    assert!(failed["trouble"]["said"].as_str().unwrap().contains("CONFLICT"), "{failed}");
    assert_eq!((git(root, &["rev-parse", "HEAD"]), served.site.read(WALK)), (head, files));
    assert_eq!(git(root, &["status", "--porcelain"]), "");
}

#[test]
fn a_setup_shows_what_it_writes_and_overwrites_nothing() {
    let text = "# Mine\nbase_url = 'https://example.com' # soon\n[hosting]\ntargets = []\n";
    let remote = tempfile::tempdir().unwrap();
    git(remote.path(), &["init", "--quiet", "--bare", "-b", "main"]);
    let served = serve(site().with("site.toml", text).with(".env", "KEY=1\n").with(WALK, TEXT));
    let (root, ada) = (served.site.root(), person(&served));
    let known = ada.ask("setup-state", &json!({})).ok();
    assert_eq!(
        (&known["is_example"], &known["has_repository"]),
        (&json!(true), &json!(false)),
        "{known}"
    );
    let before = served.files();
    let mut asked = json!({
        "to": "git:origin#gh-pages", "target": "github-pages", "workflow": "github",
        "base_url": "https://ada.example/walks/", "remote": remote.path(), "name": "Ada", "email": "ada@x",
    });
    let shown = ada.ask("setup-preview", &asked).ok();
    assert_eq!(served.files(), before);
    let paths: Vec<&str> = shown["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["site.toml", WORKFLOW, ".gitignore"]);
    let after = "# Mine\nbase_url = 'https://ada.example/walks' # soon\n[hosting]\ntargets = [\"github-pages\"]\n\n[deploy]\nto = \"git:origin#gh-pages\"\n";
    assert_eq!(shown["files"][0]["after"], after);
    assert!(shown["remaining"][0].as_str().unwrap().contains("FEEDWRIGHT_WHEEL"), "{shown}");
    // A file that appears meanwhile is kept, and a changed site.toml is shown again.
    served.site.write(WORKFLOW, PUSHES);
    asked["version"] = json!("0");
    ada.ask("setup", &asked).error(409);
    assert_eq!(served.site.read("site.toml"), text);
    asked["version"] = shown["version"].clone();
    let done = wait_for_result(&ada, ada.ask("setup", &asked));
    assert_eq!(done["trouble"], Value::Null, "{done}");
    assert_eq!(served.site.read("site.toml"), after);
    assert_eq!(served.site.read(WORKFLOW), PUSHES);
    assert_eq!(
        git(root, &["log", "--format=%s by %an <%ae>"]),
        "First version of the site by Ada <ada@x>\n"
    );
    // What is no part of a site stays out of the history.
    assert_eq!(git(root, &["status", "--porcelain"]), "?? .env\n");
    assert_eq!(git(root, &["remote", "get-url", "origin"]).trim(), remote.path().to_str().unwrap());
    // The first publishing connects the branch.
    let done = publish(&ada);
    assert_eq!(done["trouble"], Value::Null, "{done}");
    assert_eq!(git(root, &["rev-parse", "--abbrev-ref", "main@{upstream}"]), "origin/main\n");
    for (key, value) in [
        ("to", "ftp:x"),
        ("base_url", "walks"),
        ("remote", "https://ada:hush@git.example/x"),
        ("remote", "--upload-pack=x"),
        ("remote", "ext::sh -c x"),
        ("workflow", "jenkins"),
    ] {
        let mut wrong = asked.clone();
        wrong[key] = json!(value);
        let refused = ada.ask("setup-preview", &wrong).error(400);
        assert!(!refused.contains("hush"), "{refused}");
    }
}

#[test]
fn a_setup_reports_a_missing_repository_and_a_missing_key() {
    let served = serve(site().with(WALK, TEXT));
    let ada = person(&served);
    let set_up = |asked: &Value| {
        let mut asked = asked.clone();
        asked["version"] = ada.ask("setup-preview", &asked).ok()["version"].clone();
        wait_for_result(&ada, ada.ask("setup", &asked))
    };
    let away = served.site.root().join("no-repository.git");
    let failed =
        set_up(&json!({ "to": "git:origin#gh-pages", "remote": away, "workflow": "github" }));
    let steps = json!([["repository", "done"], ["first", "done"], ["connection", "failed"]]);
    assert_eq!(failed["progress"]["steps"], steps, "{failed}");
    assert!(failed["trouble"]["message"].as_str().unwrap().contains("does not exist"), "{failed}");
    served.site.remove(WORKFLOW);
    git(served.site.root(), &["remote", "remove", "origin"]);
    let failed = set_up(&json!({ "to": "netlify:walks" }));
    let command = failed["trouble"]["command"].as_str().unwrap_or_else(|| panic!("{failed}"));
    assert!(command.contains("export NETLIFY_AUTH_TOKEN="), "{command}");
}

#[test]
fn a_document_is_online_or_waits_for_a_run_of_the_workflow() {
    let (site, _remote) = with_workflow(FRIDAYS);
    let served = serve(site);
    let ada = person(&served);
    let online = |after: Value| ada.ask("online", &json!({ "path": WALK, "after": after })).ok();
    assert_eq!(online(Value::Null)["state"], "sent");
    let later = online(json!("2126-01-01T12:00:00Z"));
    // 2126-01-01 is a Tuesday.
    assert_eq!(later["schedule"], json!({ "on_push": false, "next": "2126-01-04T09:00:00Z" }));
    served.site.write(WALK, TEXT.replace("late", "early"));
    assert_eq!(online(Value::Null)["state"], "pending");
    served.site.remove(WORKFLOW);
    assert_eq!(online(Value::Null)["state"], "unknown");
    served
        .site
        .write("site.toml", "base_url = \"https://example.com\"\n[deploy]\nto = \"folder:../x\"\n");
    assert_eq!(online(Value::Null)["state"], "pending");
    // A deploy of the last commit: the item was changed since.
    let record = |served: &crate::support::served::Served, to: &str| {
        let revision = git(served.site.root(), &["rev-parse", "HEAD"]);
        let record =
            json!({ "time": "2026-01-01T00:00:00Z", "to": to, "revision": revision.trim() });
        served.site.write(".feedwright/last-deploy.json", record.to_string());
    };
    record(&served, "folder:../x");
    assert_eq!(online(Value::Null)["state"], "pending");
    git(served.site.root(), &["commit", "--quiet", "-am", "Deployed"]);
    record(&served, "folder:../x");
    assert_eq!(online(Value::Null)["state"], "online");
    // The address of a branch has a part that is not shown.
    let branch = "git:https://git.example/walks.git#pages";
    let text = format!("base_url = \"https://example.com\"\n[deploy]\nto = \"{branch}\"\n");
    served.site.write("site.toml", text);
    assert_eq!(online(Value::Null)["state"], "pending");
    record(&served, branch);
    assert_eq!(online(Value::Null)["state"], "online");
}

#[test]
fn a_check_of_pull_requests_does_not_replace_the_deploy() {
    let check =
        "on: [push, pull_request]\njobs:\n  a:\n    steps:\n      - run: feedwright build\n";
    let by_hand = FRIDAYS.replace("  schedule:\n    - cron: '0 9 * * 5'", "  workflow_dispatch:");
    let (site, _remote) = with_workflow(check);
    let served = serve(site);
    let ada = person(&served);
    let route = || repository_status(&ada)["now"]["how"].clone();
    assert_eq!(route(), Value::Null);
    served.site.write(WORKFLOW, &by_hand);
    assert_eq!(route(), "push");
    let text = "base_url = \"https://example.com\"\n[deploy]\nto = \"folder:../x\"\n";
    served.site.write("site.toml", text);
    for (workflow, expected) in
        [(by_hand.as_str(), "deploy"), (check, "deploy"), (PUSHES, "push"), (FRIDAYS, "push")]
    {
        served.site.write(WORKFLOW, workflow);
        assert_eq!(route(), expected, "{workflow}");
    }
}

#[test]
fn a_stopped_merge_changes_nothing() {
    let (site, remote) = with_workflow(PUSHES);
    let other = tempfile::tempdir().unwrap();
    git(other.path(), &["clone", "--quiet", remote.path().to_str().unwrap(), "."]);
    fs::write(other.path().join("theirs.txt"), "Theirs.\n").unwrap();
    let name = ["-c", "user.name=Bob", "-c", "user.email=b@x"];
    git(other.path(), &["add", "-A"]);
    git(other.path(), &[&name[..], &["commit", "--quiet", "-m", "Theirs"]].concat());
    git(other.path(), &["push", "--quiet"]);
    site.write("ours.txt", "Ours.\n");
    git(site.root(), &["add", "-A"]);
    git(site.root(), &["commit", "--quiet", "-m", "Ours"]);
    let sign = tempfile::tempdir().unwrap();
    let sign = sign.path().join("begun");
    let script = format!("touch '{}'; sleep 600", sign.display());
    hook(&site.path(".git"), "pre-merge-commit", &script);
    let served = serve(site);
    let (root, ada) = (served.site.root(), person(&served));
    let head = git(root, &["rev-parse", "HEAD"]);
    let begun = ada.ask("publish-combine", &json!({})).ok();
    wait::some(|| sign.exists().then_some(()));
    ada.ask("publish-stop", &json!({ "id": begun["id"] })).ok();
    let failed = wait_for_operation(&ada, &begun["id"]);
    let message = failed["trouble"]["message"].as_str().unwrap_or_else(|| panic!("{failed}"));
    assert!(message.contains("stopped. Nothing was changed"), "{failed}");
    assert_eq!(git(root, &["rev-parse", "HEAD"]), head);
    assert_eq!(git(root, &["status", "--porcelain"]), "");
    assert!(!served.site.exists("theirs.txt") && !served.site.exists(".git/MERGE_HEAD"));
    // The remote has another branch only.
    git(remote.path(), &["branch", "-m", "main", "trunk"]);
    git(root, &["branch", "--quiet", "--unset-upstream"]);
    git(root, &["update-ref", "-d", "refs/remotes/origin/main"]);
    let failed = wait_for_result(&ada, ada.ask("publish-combine", &json!({})));
    assert_eq!(
        failed["trouble"]["message"],
        "nothing was combined: the branch origin/main was not found"
    );
}

#[test]
fn a_new_destination_inherits_no_settings_of_the_old_one() {
    let served = serve(site().with(WALK, TEXT));
    let ada = person(&served);
    let base = "base_url = \"https://example.com\"\n";
    let bucket = "[deploy]\nto = \"s3://walks\"\nkeep_days = 3\nregion = \"auto\"\nendpoint = \"https://r2.example\"\nkey_env = \"MY_KEY\"\nsecret_env = \"MY_SECRET\"\n";
    let after = |before: &str, asked: &Value| {
        served.site.write("site.toml", format!("{base}{before}"));
        let shown = ada.ask("setup-preview", asked).ok();
        let text = shown["files"][0]["after"].as_str().unwrap();
        text.strip_prefix(base).unwrap().trim().to_owned()
    };
    assert_eq!(
        after(bucket, &json!({ "to": "netlify:walks", "target": "netlify" })),
        "[deploy]\nto = \"netlify:walks\"\nkeep_days = 3\n\n[hosting]\ntargets = [\"netlify\"]"
    );
    // The endpoint of a bucket is left empty.
    assert_eq!(
        after(bucket, &json!({ "to": "s3://tides", "region": "eu-central-1", "endpoint": "" })),
        "[deploy]\nto = \"s3://tides\"\nkeep_days = 3\nregion = \"eu-central-1\"\nkey_env = \"MY_KEY\"\nsecret_env = \"MY_SECRET\""
    );
    let netlify = "[hosting]\ntargets = [\"netlify\", \"nginx\"]\n[deploy]\nto = \"netlify:walks\"\nkey_env = \"MY_TOKEN\"\n";
    assert_eq!(
        after(netlify, &json!({ "to": "git:origin#gh-pages", "target": "github-pages" })),
        "[hosting]\ntargets = [\"nginx\", \"github-pages\"]\n[deploy]\nto = \"git:origin#gh-pages\""
    );
    let alone = netlify.replace(", \"nginx\"", "");
    let moved = after(&alone, &json!({ "to": "folder:../x" }));
    assert!(!moved.contains("netlify") && !moved.contains("MY_TOKEN"), "{moved}");
    let renamed = netlify.replace("netlify:walks", "netlify:tides");
    assert_eq!(
        after(netlify, &json!({ "to": "netlify:tides", "target": "netlify" })),
        renamed.trim()
    );
}

#[test]
fn the_workflow_of_a_site_in_a_subfolder_is_committed() {
    let (site, _remote) = committed_site();
    for name in ["site.toml", "content"] {
        fs::create_dir_all(site.path("docs")).unwrap();
        fs::rename(site.path(name), site.path("docs").join(name)).unwrap();
    }
    site.write(".gitignore", ".feedwright\n");
    git(site.root(), &["add", "-A"]);
    git(site.root(), &["commit", "--quiet", "-m", "Move"]);
    site.write("notes.txt", "No part of the site.\n");
    let options = feedwright::project::Options::new(site.path("docs"));
    let served = serve_with(site, options);
    let (root, ada) = (served.site.root(), person(&served));
    let route = || repository_status(&ada)["now"]["how"].clone();
    // A workflow that git does not track is not at the host.
    served.site.write(WORKFLOW, PUSHES);
    assert_eq!(route(), Value::Null);
    served.site.remove(WORKFLOW);
    let mut asked = json!({ "to": "netlify:walks", "workflow": "github" });
    asked["version"] = ada.ask("setup-preview", &asked).ok()["version"].clone();
    let done = wait_for_result(&ada, ada.ask("setup", &asked));
    // The host has the keys: this machine does not test the destination.
    assert_eq!(done["trouble"], Value::Null, "{done}");
    let committed = git(root, &["show", "--format=%s", "--name-only", "HEAD"]);
    assert_eq!(committed, format!("Publish the site with a workflow\n\n{WORKFLOW}\n"));
    assert_eq!(route(), "push");
    assert_eq!(publish(&ada)["trouble"], Value::Null);
    assert_eq!(git(root, &["status", "--porcelain"]), "?? notes.txt\n");
}

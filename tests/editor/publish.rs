//! Commit, push and deploy from the editor, with the git of this machine and a repository of its own as the remote.
//! `tests/browser/publish.cjs` does the same in the page, and deploys.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::editor::documents::{Person, person};
use crate::support::git::git;
use crate::support::served::{Reply, Served, serve};
use crate::support::small_site::{SmallSite, bare, site};
use crate::support::wait;

pub const WALK: &str = "content/items/walk.md";
pub const TEXT: &str = "+++\nid = \"walk\"\ntitle = \"A walk\"\n+++\nThe ferry was late.\n";

fn init(folder: &Path) {
    git(folder, &["init", "--quiet", "-b", "main"]);
    configure(folder);
}

fn configure(folder: &Path) {
    for (key, value) in
        [("user.name", "Ada"), ("user.email", "ada@example.com"), ("commit.gpgsign", "false")]
    {
        git(folder, &["config", key, value]);
    }
    // Those of the machine are not the test's.
    git(folder, &["config", "core.hooksPath", ".git/hooks"]);
}

/// A site in a repository that was pushed once, and the remote.
pub fn committed_site() -> (SmallSite, TempDir) {
    let site = site().with(WALK, TEXT).with(".gitignore", "/.feedwright\n/public\nsecret.env\n");
    let remote = tempfile::tempdir().unwrap();
    git(remote.path(), &["init", "--quiet", "--bare", "-b", "main"]);
    init(site.root());
    git(site.root(), &["add", "-A"]);
    git(site.root(), &["commit", "--quiet", "-m", "Begin"]);
    git(site.root(), &["remote", "add", "origin", remote.path().to_str().unwrap()]);
    git(site.root(), &["push", "--quiet", "-u", "origin", "main"]);
    (site, remote)
}

pub fn hook(folder: &Path, name: &str, script: &str) {
    let file = folder.join("hooks").join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

pub fn repository_status(ada: &Person<'_>) -> Value {
    ada.ask("publish", &json!({})).ok()
}

/// The files of a commit as they are shown: those whose path is one of these.
fn select_files(ada: &Person<'_>, paths: &[&str]) -> Vec<Value> {
    let standing = repository_status(ada);
    let files = standing["commit"]["files"].as_array().unwrap_or_else(|| panic!("{standing}"));
    let found: Vec<Value> = files
        .iter()
        .filter(|file| paths.contains(&file["path"].as_str().unwrap()))
        .cloned()
        .collect();
    assert_eq!(found.len(), paths.len(), "{standing}");
    found
}

fn git_request(message: &str, files: &[Value]) -> Value {
    let files =
        files.iter().map(|file| json!({ "path": file["path"], "version": file["version"] }));
    json!({ "message": message, "files": files.collect::<Vec<_>>() })
}

/// What came of a deed that was begun.
pub fn wait_for_result(ada: &Person<'_>, begun: Reply) -> Value {
    wait_for_operation(ada, &begun.ok()["id"])
}

pub fn wait_for_operation(ada: &Person<'_>, id: &Value) -> Value {
    wait::some(|| {
        let deed = ada.ask("publish-deed", &json!({ "id": id })).ok();
        (!deed["ended"].is_null()).then_some(deed)
    })
}

fn commit(ada: &Person<'_>, message: &str, paths: &[&str]) -> Value {
    wait_for_result(
        ada,
        ada.ask("publish-commit", &git_request(message, &select_files(ada, paths))),
    )
}

fn push(ada: &Person<'_>) -> Value {
    let push = repository_status(ada)["push"].clone();
    wait_for_result(
        ada,
        ada.ask("publish-push", &json!({ "revision": push["revision"], "to": push["to"] })),
    )
}

pub fn journal(served: &Served) -> Vec<String> {
    let entries = served.journal().into_iter();
    entries.map(|entry| format!("{} {} {}", entry.key_id, entry.operation, entry.subject)).collect()
}

#[test]
fn the_listed_changes_are_committed_pushed_and_logged() {
    let (site, remote) = committed_site();
    site.write(WALK, TEXT.replace("late", "early"));
    site.write(
        "content/items/low-tide.md",
        "+++\nid = \"tide\"\ntitle = \"Low tide\"\n+++\nMud.\n",
    );
    site.write("secret.env", "KEY=1\n");
    site.write("notes.txt", "mine\n");
    fs::write(site.path("content/items/sound.bin"), [0, 1, 2, 255]).unwrap();
    let served = serve(site);
    let root = served.site.root();
    let ada = person(&served);
    let before = repository_status(&ada);
    let files = before["commit"]["files"].as_array().unwrap();
    let told: Vec<String> = files
        .iter()
        .map(|file| {
            format!(
                "{} {} {} {}",
                file["kind"].as_str().unwrap(),
                file["path"].as_str().unwrap(),
                file["title"],
                file["is_content"]
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "added content/items/low-tide.md \"Low tide\" true",
            "added content/items/sound.bin null true",
            "edited content/items/walk.md \"A walk\" true",
            "added notes.txt null false",
        ]
    );
    assert_eq!(
        files[2]["diff"],
        "@@ -2,4 +2,4 @@\n id = \"walk\"\n title = \"A walk\"\n +++\n-The ferry was late.\n+The ferry was early."
    );
    assert!(files[0]["diff"].as_str().unwrap().contains("+Mud."), "{}", files[0]);
    assert!(files[1]["diff"].as_str().unwrap().contains("Binary files"), "{}", files[1]);
    assert_eq!(before["commit"]["branch"], "main");
    assert_eq!(before["push"]["ahead"], 0);
    // To look changes nothing.
    assert_eq!(git(root, &["status", "--porcelain"]).lines().count(), 4);
    let done = commit(
        &ada,
        "Edit A walk and 2 more",
        &[WALK, "content/items/low-tide.md", "content/items/sound.bin"],
    );
    let revision = git(root, &["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(done["done"]["revision"], revision, "{done}");
    assert_eq!(done["done"]["otherwise"], json!([]), "{done}");
    assert_eq!(git(root, &["log", "-1", "--format=%s by %an"]), "Edit A walk and 2 more by Ada\n");
    assert_eq!(git(root, &["status", "--porcelain"]), "?? notes.txt\n");
    let push_now = repository_status(&ada)["push"].clone();
    assert_eq!(push_now["to"], "origin/main");
    assert_eq!(push_now["commits"][0]["subject"], "Edit A walk and 2 more");
    assert_eq!(push_now["ahead"], 1);
    let done = push(&ada);
    assert_eq!(done["trouble"], Value::Null, "{done}");
    assert_eq!(git(remote.path(), &["rev-parse", "main"]).trim(), revision);
    assert_eq!(repository_status(&ada)["push"]["ahead"], 0);
    assert_eq!(
        journal(&served),
        [
            "editor commit main: Edit A walk and 2 more".to_owned(),
            format!("editor push origin/main {revision}")
        ]
    );
}

#[test]
fn the_authors_staged_changes_are_kept() {
    let (site, _remote) = committed_site();
    let root = site.root().to_owned();
    site.write("content/channel.md", "+++\ntitle = \"Staged\"\n+++\n");
    git(&root, &["add", "content/channel.md"]);
    site.write("content/channel.md", "+++\ntitle = \"Staged, and more\"\n+++\n");
    site.write(WALK, TEXT.replace("late", "early"));
    let served = serve(site);
    let ada = person(&served);
    let done = commit(&ada, "Edit A walk", &[WALK]);
    assert_eq!(done["trouble"], Value::Null, "{done}");
    assert_eq!(git(&root, &["show", "--name-only", "--format=", "HEAD"]), format!("{WALK}\n"));
    assert_eq!(git(&root, &["show", ":content/channel.md"]), "+++\ntitle = \"Staged\"\n+++\n");
    // The diff of a file that is staged in part is that of the whole file, which is what is committed.
    let done = commit(&ada, "Name it", &["content/channel.md"]);
    assert_eq!(done["trouble"], Value::Null, "{done}");
    assert!(git(&root, &["show", "HEAD:content/channel.md"]).contains("and more"));
    assert_eq!(git(&root, &["status", "--porcelain"]), "");
}

#[test]
fn a_file_changed_after_listing_is_not_committed() {
    let (site, _remote) = committed_site();
    site.write(WALK, TEXT.replace("late", "early"));
    let served = serve(site);
    let ada = person(&served);
    let seen = select_files(&ada, &[WALK]);
    served.site.write(WALK, TEXT.replace("late", "gone"));
    let head = git(served.site.root(), &["rev-parse", "HEAD"]);
    let refused = ada.ask("publish-commit", &git_request("Edit", &seen)).error(409);
    assert!(refused.contains(WALK) && refused.contains("review it again"), "{refused}");
    assert_eq!(git(served.site.root(), &["rev-parse", "HEAD"]), head);
    // And one that was committed in a terminal meanwhile.
    let seen = select_files(&ada, &[WALK]);
    git(served.site.root(), &["commit", "--quiet", "-am", "Elsewhere"]);
    ada.ask("publish-commit", &git_request("Edit", &seen)).error(409);
    // A push of another commit than the one that was shown.
    let push = repository_status(&ada)["push"].clone();
    git(served.site.root(), &["commit", "--quiet", "--allow-empty", "-m", "More"]);
    let wish = json!({ "revision": push["revision"], "to": push["to"] });
    let refused = ada.ask("publish-push", &wish).error(409);
    assert!(refused.contains("review it again"), "{refused}");
    assert_eq!(repository_status(&ada)["push"]["ahead"], 2);
}

/// The site's own files.
fn files(served: &Served) -> BTreeMap<String, Vec<u8>> {
    let mut files = served.files();
    files.retain(|path, _| !path.starts_with(".git/"));
    files
}

#[test]
fn a_refusing_hook_is_reported_and_loses_nothing() {
    let (site, remote) = committed_site();
    site.write(WALK, TEXT.replace("late", "early"));
    site.write("content/items/new.md", "New.\n");
    hook(&site.path(".git"), "pre-commit", "echo 'spelling: eerly' >&2; exit 1");
    let served = serve(site);
    let root = served.site.root();
    let ada = person(&served);
    let before = (
        files(&served),
        git(root, &["status", "--porcelain=v2"]),
        git(root, &["rev-parse", "HEAD"]),
    );
    let refused = commit(&ada, "Edit", &[WALK, "content/items/new.md"]);
    assert!(
        refused["trouble"]["message"].as_str().unwrap().contains("nothing was committed"),
        "{refused}"
    );
    assert_eq!(refused["trouble"]["said"], "spelling: eerly");
    assert_eq!(
        (
            files(&served),
            git(root, &["status", "--porcelain=v2"]),
            git(root, &["rev-parse", "HEAD"])
        ),
        before
    );
    // A hook that changes what is committed is told of.
    hook(
        &root.join(".git"),
        "pre-commit",
        &format!("echo more >> {WALK}; git add {WALK}; echo tidied"),
    );
    let done = commit(&ada, "Edit", &[WALK, "content/items/new.md"]);
    assert_eq!(done["done"]["otherwise"], json!([WALK]), "{done}");
    assert!(done["done"]["said"].as_str().unwrap().contains("tidied"), "{done}");
    // One of the remote.
    hook(remote.path(), "pre-receive", "echo 'closed on Mondays'; exit 1");
    let refused = push(&ada);
    assert!(refused["trouble"]["message"].as_str().unwrap().contains("hook"), "{refused}");
    assert!(
        refused["trouble"]["said"].as_str().unwrap().contains("closed on Mondays"),
        "{refused}"
    );
    assert_eq!(repository_status(&ada)["push"]["ahead"], 1);
    assert_eq!(journal(&served).last().unwrap().split(' ').nth(1), Some("pushFailed"));
}

#[test]
fn file_names_and_messages_are_not_git_options() {
    let (site, _remote) = committed_site();
    let names = [
        "content/items/--amend.md", "content/items/a b\n\"c\".md", "content/items/:(top)*.md",
        "content/items/-F.md", "content/items/é.md",
    ];
    for name in names {
        site.write(name, "Text.\ndiff --git a/x b/x\n--- a\n");
    }
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("key.txt"), "hush").unwrap();
    symlink(outside.path().join("key.txt"), site.path("content/items/link.txt")).unwrap();
    symlink(outside.path(), site.path("content/items/folder")).unwrap();
    // A file that becomes a link, and one that a program may run.
    fs::remove_file(site.path("content/channel.md")).unwrap();
    symlink("other.md", site.path("content/channel.md")).unwrap();
    fs::set_permissions(site.path("site.toml"), fs::Permissions::from_mode(0o755)).unwrap();
    let inner = site.path("content/inner");
    fs::create_dir_all(&inner).unwrap();
    init(&inner);
    site.write("content/inner/x.md", "Of another repository.\n");
    let served = serve(site);
    let ada = person(&served);
    let all = repository_status(&ada);
    assert!(!all.to_string().contains("hush"));
    assert_eq!(all["commit"]["left_out"], 1, "{all}");
    let found = select_files(
        &ada,
        &[
            &names[..],
            &["content/items/link.txt", "content/items/folder", "content/channel.md", "site.toml"],
        ]
        .concat(),
    );
    let message = "--amend\n\n# not a comment\n-m x; $(touch owned) \"'";
    let done = wait_for_result(&ada, ada.ask("publish-commit", &git_request(message, &found)));
    assert_eq!(done["trouble"], Value::Null, "{done}");
    let root = served.site.root();
    assert_eq!(git(root, &["log", "-1", "--format=%B"]).trim_end(), message);
    assert_eq!(git(root, &["rev-list", "--count", "HEAD"]), "2\n");
    assert_eq!(git(root, &["status", "--porcelain"]), "?? content/inner/\n");
    assert!(git(root, &["ls-tree", "HEAD", "content/items/link.txt"]).starts_with("120000 "));
    assert!(!served.site.exists("owned"));
    for (message, files) in [
        ("  \n", json!([])),
        ("x", json!([])),
        ("x\0y", json!([{ "path": "a", "version": "" }])),
        ("x", json!([{ "path": "../../etc/passwd", "version": "" }])),
    ] {
        ada.ask("publish-commit", &json!({ "message": message, "files": files })).error(409);
    }
    ada.ask("publish-commit", &json!({ "message": 1 })).error(400);
    ada.ask("publish-nothing", &json!({})).error(404);
    ada.ask("publish-deed", &json!({ "id": "../x" })).error(404);
}

#[test]
fn obstacles_are_reported_with_the_command_to_run() {
    let said = |ada: &Person<'_>, part: &str| {
        let standing = repository_status(ada);
        let trouble = &standing[part]["trouble"];
        format!(
            "{} {}",
            trouble["message"].as_str().unwrap_or_else(|| panic!("{standing}")),
            trouble["command"].as_str().unwrap_or_default()
        )
    };
    // No repository; then one without a commit, without a remote, and without an upstream.
    let served = serve(site());
    let root = served.site.root();
    let ada = person(&served);
    assert!(said(&ada, "commit").contains("git init"));
    assert!(said(&ada, "deploy").contains("[deploy]\nto = "));
    let refused = ada.ask("publish-plan", &json!({})).error(409);
    assert!(refused.contains("site.toml"), "{refused}");
    init(root);
    assert!(said(&ada, "push").contains("no commit"));
    commit(&ada, "Begin", &["site.toml", "content/channel.md"]);
    assert_eq!(git(root, &["rev-list", "--count", "HEAD"]), "1\n");
    assert!(said(&ada, "push").contains("git remote add origin"));
    let remote = tempfile::tempdir().unwrap();
    git(remote.path(), &["init", "--quiet", "--bare", "-b", "main"]);
    git(root, &["remote", "add", "origin", remote.path().to_str().unwrap()]);
    // The first push connects the branch.
    let first = repository_status(&ada)["push"].clone();
    assert_eq!((&first["to"], &first["ahead"]), (&json!("origin/main"), &json!(1)), "{first}");
    git(root, &["push", "--quiet", "-u", "origin", "main"]);
    // A remote that is ahead.
    let other = tempfile::tempdir().unwrap();
    git(other.path(), &["clone", "--quiet", remote.path().to_str().unwrap(), "."]);
    git(
        other.path(),
        &[
            "-c", "user.name=Bob", "-c", "user.email=b@x", "commit", "--quiet", "--allow-empty",
            "-m", "Theirs",
        ],
    );
    git(other.path(), &["push", "--quiet"]);
    git(root, &["commit", "--quiet", "--allow-empty", "-m", "Mine"]);
    let refused = push(&ada);
    assert_eq!(refused["trouble"]["command"], "git pull --rebase", "{refused}");
    assert_ne!(git(remote.path(), &["rev-parse", "main"]), git(root, &["rev-parse", "main"]));
    // One that wants a password, with one in its address, and nobody is asked.
    git(root, &["remote", "set-url", "origin", "ssh://ada:hush@127.0.0.1:1/x.git"]);
    let refused = push(&ada);
    assert!(
        refused["trouble"]["message"].as_str().unwrap().contains("nothing was pushed"),
        "{refused}"
    );
    assert!(
        !refused.to_string().contains("hush")
            && !repository_status(&ada).to_string().contains("hush")
    );
    // What is under way, and what belongs to no branch.
    git(root, &["fetch", "--quiet", remote.path().to_str().unwrap(), "main"]);
    fs::write(root.join(".git/MERGE_HEAD"), git(root, &["rev-parse", "FETCH_HEAD"])).unwrap();
    assert!(said(&ada, "commit").contains("a merge is in progress"));
    fs::remove_file(root.join(".git/MERGE_HEAD")).unwrap();
    git(root, &["checkout", "--quiet", "--detach"]);
    assert!(said(&ada, "commit").contains("git switch"));
}

#[test]
fn only_one_operation_runs_at_a_time() {
    let (site, _remote) = committed_site();
    site.write(WALK, TEXT.replace("late", "early"));
    site.write(
        "site.toml",
        "base_url = \"https://example.com\"\n[deploy]\nto = \"folder:../out\"\n",
    );
    hook(&site.path(".git"), "pre-commit", "while [ ! -e go ]; do sleep 0.05; done");
    let served = serve(site);
    let ada = person(&served);
    let seen = select_files(&ada, &[WALK]);
    let begun = ada.ask("publish-commit", &git_request("Edit", &seen)).ok();
    let refused = ada.ask("publish-commit", &git_request("Edit", &seen)).error(409);
    assert!(refused.contains("a commit is still running"), "{refused}");
    // Another window sees it, too.
    let deeds = repository_status(&person(&served))["deeds"].clone();
    assert_eq!((&deeds[0]["id"], &deeds[0]["ended"]), (&begun["id"], &Value::Null));
    served.site.write("go", "");
    let done = wait_for_operation(&ada, &begun["id"]);
    assert!(done["done"]["revision"].is_string(), "{done}");
    // A plan of another moment is not done.
    let refused = ada.ask("publish-deploy", &json!({ "serial": 4711 })).error(409);
    assert!(refused.contains("make a new plan"), "{refused}");
}

/// Begins a deed, waits until a hook has said in this file what it started, says stop, and answers what came of it, when
/// that is gone.
fn stop_operation(ada: &Person<'_>, operation: &str, asked: &Value, sign: &Path) -> Value {
    let begun = ada.ask(operation, asked).ok();
    wait::until(|| sign.exists());
    let stop = json!({ "id": begun["id"] });
    assert_eq!(ada.ask("publish-stop", &stop).ok()["id"], begun["id"]);
    let deed = wait_for_operation(ada, &begun["id"]);
    let started = fs::read_to_string(sign).unwrap();
    // One that has ended may wait to be asked how.
    let status = fs::read_to_string(format!("/proc/{}/stat", started.trim())).unwrap_or_default();
    assert!(status.is_empty() || status.contains(") Z"), "{status}");
    deed
}

#[test]
fn a_hanging_operation_can_be_stopped_without_changes() {
    let (site, remote) = committed_site();
    let signs = tempfile::tempdir().unwrap();
    site.write(WALK, TEXT.replace("late", "early"));
    site.write("content/items/new.md", "New.\n");
    let sign = |name: &str| signs.path().join(name);
    let hangs = |name: &str| {
        let sign = sign(name).display().to_string();
        format!("sleep 600 & echo $! > '{sign}.begun'; mv '{sign}.begun' '{sign}'; wait")
    };
    hook(&site.path(".git"), "pre-commit", &hangs("committing"));
    let served = serve(site);
    let root = served.site.root();
    let ada = person(&served);
    let state = || {
        let status = git(root, &["status", "--porcelain=v2"]);
        let remote = git(remote.path(), &["rev-parse", "main"]);
        (files(&served), status, git(root, &["rev-parse", "HEAD"]), remote)
    };
    let before = state();
    let paths = [WALK, "content/items/new.md"];
    let asked = git_request("Edit", &select_files(&ada, &paths));
    let deed = stop_operation(&ada, "publish-commit", &asked, &sign("committing"));
    let is_told = |deed: &Value| deed["trouble"]["message"].as_str().unwrap().contains("stopped");
    assert!(is_told(&deed), "{deed}");
    assert_eq!(state(), before);
    fs::remove_file(root.join(".git/hooks/pre-commit")).unwrap();
    assert!(commit(&ada, "Edit", &paths)["done"]["revision"].is_string());
    // Of a push, the remote has nothing.
    let before = state();
    hook(&root.join(".git"), "pre-push", &hangs("pushing"));
    let there = repository_status(&ada)["push"].clone();
    let asked = json!({ "revision": there["revision"], "to": there["to"] });
    let deed = stop_operation(&ada, "publish-push", &asked, &sign("pushing"));
    assert!(is_told(&deed), "{deed}");
    assert_eq!(state(), before);
    fs::remove_file(root.join(".git/hooks/pre-push")).unwrap();
    assert!(push(&ada)["done"]["revision"].is_string());
    // A commit whose last hook hangs is made.
    hook(&root.join(".git"), "post-commit", &hangs("committed"));
    served.site.write(WALK, TEXT.replace("late", "never"));
    let asked = git_request("Edit again", &select_files(&ada, &[WALK]));
    let deed = stop_operation(&ada, "publish-commit", &asked, &sign("committed"));
    assert_eq!(deed["done"]["files"], 1, "{deed}");
    assert_eq!(git(root, &["status", "--porcelain"]), "");
    ada.ask("publish-stop", &json!({ "id": "0" })).error(404);
}

/// A clone that knows the last commit alone, and a work tree beside the author's.
#[test]
fn shallow_clones_and_linked_work_trees_are_supported() {
    let (site, remote) = committed_site();
    site.write(WALK, TEXT.replace("late", "later"));
    git(site.root(), &["commit", "--quiet", "-am", "Later"]);
    git(site.root(), &["push", "--quiet"]);
    let (shallow, beside) = (bare(), bare());
    let address = format!("file://{}", remote.path().display());
    git(shallow.root(), &["clone", "--quiet", "--depth=1", &address, "."]);
    configure(shallow.root());
    let tree = beside.root().to_str().unwrap();
    git(site.root(), &["worktree", "add", "--quiet", "-b", "draft", tree]);
    git(beside.root(), &["push", "--quiet", "-u", "origin", "draft"]);
    for (own, branch) in [(shallow, "main"), (beside, "draft")] {
        own.write(WALK, TEXT.replace("late", branch));
        let served = serve(own);
        let ada = person(&served);
        let done = commit(&ada, "Edit", &[WALK]);
        assert!(done["done"]["revision"].is_string(), "{branch}: {done}");
        assert_eq!(repository_status(&ada)["push"]["ahead"], 1);
        let done = push(&ada);
        assert_eq!(done["done"]["to"], format!("origin/{branch}"), "{done}");
        let root = served.site.root();
        assert_eq!(git(root, &["status", "--porcelain"]), "");
        assert_eq!(git(remote.path(), &["rev-parse", branch]), git(root, &["rev-parse", "HEAD"]));
    }
}

#[test]
fn publishing_requires_signing_in() {
    let (site, _remote) = committed_site();
    site.write(WALK, TEXT.replace("late", "early"));
    let served = serve(site);
    let ada = person(&served);
    let head = git(served.site.root(), &["rev-parse", "HEAD"]);
    let body = git_request("Edit", &select_files(&ada, &[WALK]));
    for operation in [
        "publish", "publish-deed", "publish-stop", "publish-commit", "publish-push",
        "publish-plan", "publish-deploy", "publish-all", "publish-combine", "setup",
    ] {
        ada.ask_with(operation, &[("cookie", &ada.cookie)], &body).error(401);
        assert_eq!(served.get(&format!("/_edit/api/{operation}")).status, 405);
    }
    assert_eq!(git(served.site.root(), &["rev-parse", "HEAD"]), head);
}

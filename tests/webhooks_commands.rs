//! What `build`, `deploy` and `webhooks` do with webhooks that go out.

use std::process::Command;

use serde_json::Value;

use crate::receiver::{Receiver, answering, receiver};
use crate::served::HOOK_SECRET;
use crate::small_site::{SmallSite, site};

/// Runs the program: its exit code, and what it says to scripts and to people.
fn run(site: &SmallSite, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_feedwright"))
        .args(arguments)
        .arg("--site")
        .arg(site.root())
        .env(HOOK_SECRET.0, HOOK_SECRET.1)
        .env("FEEDWRIGHT_WEBHOOK_PACE", "0.0005")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn told(receiver: &Receiver) -> SmallSite {
    let toml = format!(
        "base_url = \"https://walks.example\"\n[deploy]\nto = \"folder:published\"\n{}",
        receiver.webhook("name = \"own\"")
    );
    site()
        .with("site.toml", toml)
        .item("+++\nid = \"a\"\n+++\nText.\n")
}

fn listed(site: &SmallSite) -> Value {
    let (code, list, said) = run(site, &["webhooks", "list", "--json"]);
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&list).unwrap()
}

#[test]
fn a_build_and_a_deploy_tell_what_changed_and_that_they_are_done() {
    let receiver = receiver();
    let site = told(&receiver);
    let (code, _, said) = run(&site, &["build"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(receiver.told(), ["build.done"]);
    assert_eq!(receiver.got()[0].json["data"]["items"], 1);
    site.write("content/items/a.md", "+++\nid = \"a\"\n+++\nOther text.\n");
    let (code, _, said) = run(&site, &["deploy"]);
    assert_eq!(code, 0, "{said}");
    receiver.wait_for(&["build.done", "deploy.done", "item.updated a body"]);
    let messages = listed(&site)["messages"].clone();
    assert_eq!(messages[0]["type"], "deploy.done");
    assert_eq!(
        (&messages[0]["status"], &messages[0]["answer"]),
        (&"delivered".into(), &"204".into())
    );
    let (code, table, said) = run(&site, &["webhooks", "list"]);
    assert_eq!(code, 0);
    assert!(said.contains("own: all events"), "{said}");
    assert!(
        table.contains("item/a") && table.contains("delivered"),
        "{table}"
    );
}

#[test]
fn a_site_without_webhooks_gets_no_state_of_them() {
    let site = site();
    assert_eq!(run(&site, &["build"]).0, 0);
    assert!(!site.exists(".feedwright/state.sqlite"));
    let (code, _, said) = run(&site, &["webhooks", "test"]);
    assert_eq!(code, 2);
    assert!(said.contains("site.toml has no webhooks"), "{said}");
}

#[test]
fn test_tells_what_comes_back_and_retry_sends_again() {
    let receiver = answering(|got, before| match got.kind() {
        "build.done" if before < 12 => "500 Internal Server Error".to_owned(),
        _ => "200 OK".to_owned(),
    });
    let site = told(&receiver);
    let (code, _, said) = run(&site, &["webhooks", "test", "own"]);
    assert_eq!((code, &*said), (0, "own took the message: 200\n"));
    assert_eq!(receiver.got()[0].kind(), "webhook.test");
    let (code, _, said) = run(&site, &["webhooks", "test", "other"]);
    assert_eq!(code, 2);
    assert!(
        said.contains("there is no webhook \"other\"; there is own"),
        "{said}"
    );
    // The pauses that a command waits for end after a few attempts.
    let (code, _, said) = run(&site, &["build"]);
    assert_eq!(code, 0, "a build does not fail because nobody listens");
    assert!(said.contains("did not take a message"), "{said}");
    let message = listed(&site)["messages"][0].clone();
    assert_eq!(message["status"], "waiting");
    let id = message["id"].as_str().unwrap();
    for _ in 0..3 {
        run(&site, &["webhooks", "retry", id]);
    }
    run(&site, &["webhooks", "retry", "--all"]);
    assert_eq!(listed(&site)["messages"][0]["status"], "delivered");
    let (code, _, said) = run(&site, &["webhooks", "retry", "msg_none"]);
    assert_eq!(code, 2, "{said}");
    receiver.end();
    let (code, _, said) = run(&site, &["webhooks", "test"]);
    assert_eq!(code, 1);
    assert!(said.contains("own did not take the message"), "{said}");
}

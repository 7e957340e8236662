//! What `build`, `deploy` and `webhooks` do with webhooks that go out.

use serde_json::Value;

use crate::support::program;
use crate::support::receiver::{Receiver, answering, receiver};
use crate::support::served::HOOK_SECRET;
use crate::support::small_site::{SmallSite, site};

/// Runs the program: its exit code, and what it says to scripts and to people.
fn run(site: &SmallSite, arguments: &[&str]) -> (i32, String, String) {
    run_with(site, arguments, HOOK_SECRET.1)
}

/// Runs it with another secret, where the environment names a proxy that nobody runs.
fn run_with(site: &SmallSite, arguments: &[&str], secret: &str) -> (i32, String, String) {
    let mut command = program::command();
    let command = command.args(arguments).arg("--site").arg(site.root());
    let command = command.env(HOOK_SECRET.0, secret).env("ALL_PROXY", "http://127.0.0.1:1");
    let ran = program::run(command.env("FEEDWRIGHT_WEBHOOK_PACE", "0.0005"));
    (ran.code.unwrap(), ran.out, ran.err)
}

fn notified(receiver: &Receiver) -> SmallSite {
    let toml = format!(
        "base_url = \"https://walks.example\"\n[deploy]\nto = \"folder:published\"\n{}",
        receiver.webhook("name = \"own\"")
    );
    site().with("site.toml", toml).item("+++\nid = \"a\"\n+++\nText.\n")
}

fn list_messages(site: &SmallSite) -> Value {
    let (code, list, said) = run(site, &["webhooks", "list", "--json"]);
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&list).unwrap()
}

#[test]
fn builds_and_deploys_send_changes_and_completion() {
    let receiver = receiver();
    let site = notified(&receiver);
    let (code, _, said) = run(&site, &["build"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(receiver.notified(), ["build.done"]);
    assert_eq!(receiver.got()[0].json["data"]["items"], 1);
    site.write("content/items/a.md", "+++\nid = \"a\"\n+++\nOther text.\n");
    let (code, _, said) = run(&site, &["deploy"]);
    assert_eq!(code, 0, "{said}");
    receiver.wait_for(&["build.done", "deploy.done", "item.updated a body"]);
    let messages = list_messages(&site)["messages"].clone();
    assert_eq!(messages[0]["type"], "deploy.done");
    assert_eq!(
        (&messages[0]["status"], &messages[0]["answer"]),
        (&"delivered".into(), &"204".into())
    );
    let (code, table, said) = run(&site, &["webhooks", "list"]);
    assert_eq!(code, 0);
    assert!(said.contains("own: all events"), "{said}");
    assert!(table.contains("item/a") && table.contains("delivered"), "{table}");
}

#[test]
fn a_site_without_webhooks_has_no_webhook_state() {
    let site = site();
    assert_eq!(run(&site, &["build"]).0, 0);
    assert!(!site.exists(".feedwright/state.sqlite"));
    let (code, _, said) = run(&site, &["webhooks", "test"]);
    assert_eq!(code, 2);
    assert!(said.contains("site.toml has no webhooks"), "{said}");
}

#[test]
fn test_shows_the_response_and_retry_sends_again() {
    let receiver = answering(|got, before| match got.kind() {
        "build.done" if before < 12 => "500 Internal Server Error".to_owned(),
        _ => "200 OK".to_owned(),
    });
    let site = notified(&receiver);
    let (code, _, said) = run(&site, &["webhooks", "test", "own"]);
    assert_eq!((code, &*said), (0, "own accepted the message: 200\n"));
    assert_eq!(receiver.got()[0].kind(), "webhook.test");
    let (code, _, said) = run(&site, &["webhooks", "test", "other"]);
    assert_eq!(code, 2);
    assert!(said.contains("there is no webhook \"other\"; the webhooks are own"), "{said}");
    // The pauses that a command waits for end after a few attempts.
    let (code, _, said) = run(&site, &["build"]);
    assert_eq!(code, 0, "a build does not fail because nobody listens");
    assert!(said.contains("did not accept a message"), "{said}");
    let message = list_messages(&site)["messages"][0].clone();
    assert_eq!(message["status"], "waiting");
    let id = message["id"].as_str().unwrap();
    for _ in 0..3 {
        run(&site, &["webhooks", "retry", id]);
    }
    run(&site, &["webhooks", "retry", "--all"]);
    assert_eq!(list_messages(&site)["messages"][0]["status"], "delivered");
    let (code, _, said) = run(&site, &["webhooks", "retry", "msg_none"]);
    assert_eq!(code, 2, "{said}");
    receiver.end();
    let (code, _, said) = run(&site, &["webhooks", "test"]);
    assert_eq!(code, 1);
    assert!(said.contains("own did not accept the message"), "{said}");
}

#[test]
fn a_token_in_an_address_is_never_shown() {
    let receiver = answering(|_, _| "500 Internal Server Error".to_owned());
    let local = |url: &str, more: &str| {
        let webhook = format!("url = \"{url}\"\nsecret_env = \"{}\"\n{more}", HOOK_SECRET.0);
        format!("base_url = \"https://walks.example\"\n[[webhooks]]\n{webhook}\n")
    };
    let url = receiver.url.replace("http", "HTTP");
    for toml in [
        local(&format!("{url}/hook?token=hidden"), "local = true"),
        local("http://127.0.0.1:1?token=hidden", "local = true"),
        local("https://LOCALHOST/hook?token=hidden", ""),
        local("https://LOCALHOST/hook?token=hidden", "name = \"own\""),
        local("https://[/hook?token=hidden", ""),
    ] {
        let site = site().with("site.toml", &toml);
        for arguments in [
            &["webhooks", "test"][..],
            &["webhooks", "test", "--json"],
            &["webhooks", "test", "nobody"],
            &["build"],
            &["webhooks", "list"],
            &["webhooks", "list", "--json"],
            &["webhooks", "retry", "--all"],
        ] {
            let (_, out, said) = run(&site, arguments);
            let all = format!("{out}{said}");
            assert!(!all.contains("hidden"), "{arguments:?} of {toml}: {all}");
        }
    }
    assert!(!receiver.got().is_empty());
}

#[test]
fn receivers_with_the_old_or_new_secret_accept_messages() {
    let receiver = receiver();
    let site = notified(&receiver);
    let new = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let both = format!("{new} {}", HOOK_SECRET.1);
    let (code, _, said) = run_with(&site, &["webhooks", "test"], &both);
    assert_eq!(code, 0, "{said}");
    let signatures = receiver.got()[0].header("webhook-signature").unwrap().to_owned();
    assert_eq!(signatures.split(' ').count(), 2);
    // What cannot sign is said by all.
    for secret in ["", "word", &format!("{new} word")] {
        let (code, _, said) = run_with(&site, &["webhooks", "test"], secret);
        assert_eq!(code, 1);
        assert!(
            said.contains("HOOK_SECRET does not contain a valid secret: set it to `whsec_`"),
            "{said}"
        );
        let (_, list, _) = run_with(&site, &["webhooks", "list", "--json"], secret);
        let list: Value = serde_json::from_str(&list).unwrap();
        assert_eq!(list["webhooks"][0]["status"], "no secret");
    }
}

#[test]
fn each_command_and_error_has_json_output() {
    let receiver = answering(|got, _| match got.kind() {
        "webhook.test" => "204 No Content".to_owned(),
        _ => "500 Internal Server Error".to_owned(),
    });
    let site = notified(&receiver);
    let json = |arguments: &[&str]| {
        let (code, out, said) = run(&site, arguments);
        let value: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{said}"));
        (code, value)
    };
    let (code, told) = json(&["webhooks", "test", "--json"]);
    assert_eq!((code, &told["webhooks"][0]["status"]), (0, &204.into()));
    assert!(run(&site, &["build"]).2.contains("1 webhook message is waiting"));
    let (code, told) = json(&["webhooks", "retry", "--all", "--json"]);
    assert_eq!((code, told), (0, serde_json::json!({ "again": 1, "waiting": 1 })));
    // Nobody sends what waits for a webhook that is no more.
    let toml = site.read("site.toml");
    site.write("site.toml", toml.split("[[webhooks]]").next().unwrap());
    let (_, _, said) = run(&site, &["webhooks", "list"]);
    assert!(said.contains("own: no longer in site.toml; 1 message is waiting"), "{said}");
    site.write("site.toml", "x[");
    let (code, told) = json(&["webhooks", "list", "--json"]);
    assert_eq!((code, &told["ok"]), (1, &false.into()));
}

#[test]
fn a_build_for_another_address_sends_the_sites_own_address() {
    let receiver = receiver();
    let site = notified(&receiver);
    assert_eq!(run(&site, &["build"]).0, 0);
    site.write("content/items/b.md", "+++\nid = \"b\"\ntitle = \"B\"\n+++\nB.\n");
    let address = ["build", "--base-url", "https://preview.example"];
    assert_eq!(run(&site, &address).0, 0);
    let got = receiver.got();
    let created = got.iter().find(|one| one.kind() == "item.created").unwrap();
    let url = created.json["data"]["url"].as_str().unwrap();
    assert!(url.starts_with("https://walks.example/"), "{url}");
}

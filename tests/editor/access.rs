//! Who may do what in the editor: every operation, asked by everyone who might. What agents may is held by `editor::agents::`.

use std::fmt::Write;

use feedwright::api::editor::operations;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::editor::documents::{Person, person};
use crate::support::served::{KEY, Reply, Served, serve};
use crate::support::small_site::{SmallSite, site};

const WALK: &str = "content/items/walk.md";

fn sample_site() -> SmallSite {
    site().with(WALK, "+++\nid = \"walk\"\ntitle = \"A walk\"\n+++\nText.\n")
}

/// What is asked of every operation: enough for some to write, were they let.
fn request_body() -> Vec<u8> {
    let new = "+++\nid = \"walk\"\ntitle = \"Owned\"\n+++\n";
    json!({
        "path": WALK, "text": new, "version": null, "kind": "item", "title": "New", "changes": [], "name": "x", "id": "1",
        "scopes": ["content:write"], "size": 1, "message": "x", "files": [], "to": "x", "revision": "x", "serial": 0, "arguments": {},
    })
    .to_string()
    .into_bytes()
}

fn operation_path(operation: &str) -> String {
    let rest = if operation == "send" { "/00000000000000000000000000000000/0" } else { "" };
    format!("/_edit/api/{operation}{rest}")
}

/// In a word, what came of it. Who is let may find nothing to do with such a body.
fn outcome_word(reply: &Reply) -> String {
    match reply.status {
        401 | 403 | 405 => reply.status.to_string(),
        200 | 400 | 404 | 409 => "may".to_owned(),
        other => panic!("{other}: {}", reply.text()),
    }
}

/// Those who ask, each with what they send.
fn list_clients(
    ada: &Person<'_>,
    other: &Person<'_>,
    ended: &Person<'_>,
) -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let cookie = |of: &Person<'_>| ("cookie", of.cookie.clone());
    let token = |of: &Person<'_>| ("feedwright-token", of.token.clone());
    let key = || ("authorization", format!("Bearer {KEY}"));
    let (name, _) = ada.cookie.split_once('=').unwrap();
    let (_, secret) = other.cookie.split_once('=').unwrap();
    vec![
        ("nobody", vec![]),
        ("cookie", vec![cookie(ada)]),
        ("token", vec![token(ada)]),
        ("empty", vec![cookie(ada), ("feedwright-token", String::new())]),
        ("key", vec![key()]),
        ("key+cookie", vec![key(), cookie(ada)]),
        // Another server of this machine, under the name of its own cookie and under that of this one's.
        ("port", vec![cookie(other), token(other)]),
        ("renamed", vec![("cookie", format!("{name}={secret}")), token(other)]),
        ("mixed", vec![cookie(ada), token(other)]),
        ("ended", vec![cookie(ended), token(ended)]),
        ("origin", vec![cookie(ada), token(ada), ("origin", "https://evil.example".to_owned())]),
    ]
}

fn send(served: &Served, method: &str, path: &str, headers: &[(&'static str, String)]) -> Reply {
    let headers: Vec<(&str, &str)> =
        headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    served.send(method, path, &headers, &request_body())
}

#[test]
fn only_signed_in_users_may_use_the_editor() {
    let (served, elsewhere) = (serve(sample_site()), serve(sample_site()));
    let (ada, other, ended) = (person(&served), person(&elsewhere), person(&served));
    ended.ask("sign-out", &json!({})).ok();
    let before = served.files();
    let unknown = ["sign-in/", "nothing", "save/", "save/x"];
    let paths = operations().map(address).chain(unknown.map(|path| format!("/_edit/api/{path}")));
    for path in paths {
        for (who, headers) in list_clients(&ada, &other, &ended) {
            let reply = send(&served, "POST", &path, &headers);
            match who {
                "origin" => assert_eq!(reply.status, 403, "{path}"),
                _ => {
                    let refused = reply.error(401);
                    assert!(refused.contains("feedwright edit"), "{path} by {who}: {refused}");
                }
            }
            for method in ["GET", "PUT", "DELETE"] {
                let status = send(&served, method, &path, &headers).status;
                assert!([403, 405].contains(&status), "{method} {path} by {who}: {status}");
            }
        }
    }
    assert_eq!(served.files(), before);
    assert!(served.journal().is_empty());
    ada.ask("site", &json!({})).ok();
}

/// The matrix as it is read by people: rows are operations, columns who asks.
#[test]
fn each_client_has_its_permissions() {
    let (served, elsewhere) = (serve(sample_site()), serve(sample_site()));
    let (other, ended) = (person(&elsewhere), person(&served));
    ended.ask("sign-out", &json!({})).ok();
    let mut table = String::new();
    for operation in operations() {
        let ada = person(&served);
        write!(table, "{operation:20}").unwrap();
        let mut all = list_clients(&ada, &other, &ended);
        all.push((
            "person",
            vec![("cookie", ada.cookie.clone()), ("feedwright-token", ada.token.clone())],
        ));
        for (who, headers) in all {
            let reply = send(&served, "POST", &operation_path(operation), &headers);
            write!(table, " {who}={}", outcome_word(&reply)).unwrap();
        }
        table.push('\n');
    }
    insta::assert_snapshot!(table);
}

/// A session ends after thirty days, for every operation.
#[test]
fn an_expired_session_has_no_permissions() {
    let served = serve(sample_site());
    let state = served.state();
    let then = Timestamp::now() - SignedDuration::from_hours(24 * 31);
    let old = state.sign_in(state.invite(then).unwrap().expose(), then).unwrap().unwrap();
    let ada = person(&served);
    let name = ada.cookie.split('=').next().unwrap();
    let cookie = format!("{name}={}", old.cookie.expose());
    let headers = [("cookie", cookie.as_str()), ("feedwright-token", old.token.expose())];
    for operation in operations() {
        assert_eq!(
            served.send("POST", &operation_path(operation), &headers, &request_body()).status,
            401,
            "{operation}"
        );
    }
}

//! API keys: made, found, rotated and revoked, by the library and by the program.

use std::fs;

use feedwright::state::{
    ENVIRONMENT_KEY, Key, KeyError, KeyStatus, Scope, State, StateError, Window,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::support::program::{self, CommandOutput};
use crate::support::small_site::{SmallSite, site};

pub fn now() -> Timestamp {
    "2026-04-01T12:00:00Z".parse().unwrap()
}

fn add_key(state: &State, name: &str) -> (Key, String) {
    let scopes = [Scope::CONTENT_WRITE, Scope::CONTENT_READ, Scope::CONTENT_READ];
    let (key, secret) = state.create_key(name, &scopes, Window::default(), now()).unwrap();
    (key, secret.expose().to_owned())
}

#[track_caller]
fn expect_key_error<T: std::fmt::Debug>(result: Result<T, StateError>) -> KeyError {
    match result {
        Err(StateError::Key(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn feedwright(site: &SmallSite, arguments: &[&str]) -> CommandOutput {
    program::run(program::command().args(arguments).current_dir(site.root()).env("TZ", "UTC"))
}

#[track_caller]
fn run(site: &SmallSite, arguments: &[&str]) -> (String, String) {
    let ran = feedwright(site, arguments).ok();
    (ran.out, ran.err)
}

#[track_caller]
fn expect_failure(site: &SmallSite, arguments: &[&str], code: i32) -> String {
    let ran = feedwright(site, arguments);
    assert_eq!((ran.code, &*ran.out), (Some(code), ""), "{arguments:?}: {}", ran.err);
    ran.err
}

fn is_secret(text: &str) -> bool {
    text.strip_prefix("fw_").is_some_and(|rest| {
        rest.len() == 43 && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    })
}

#[test]
fn a_key_is_found_only_by_its_secret() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let (one, first) = add_key(&state, "one");
    let (two, second) = add_key(&state, "two");
    assert!(is_secret(&first) && is_secret(&second) && first != second);
    assert!(
        one.id.len() == 32
            && one.id.bytes().all(|b| b.is_ascii_hexdigit() && !b.is_ascii_uppercase())
    );
    assert_eq!(one.scopes, [Scope::CONTENT_READ, Scope::CONTENT_WRITE]);
    assert!(one.allows(Scope::CONTENT_WRITE) && !one.allows(Scope::CALENDAR));
    assert_eq!(state.find_key(&first).unwrap(), Some(one.clone()));
    assert_eq!(state.authenticate(&second, now()).unwrap(), Some(two.clone()));
    assert_eq!(state.keys().unwrap(), [one, two]);
    for wrong in ["", "fw_", &first[..45], &format!("{first} "), &first.to_uppercase()] {
        assert_eq!(state.find_key(wrong).unwrap(), None, "{wrong}");
    }
}

#[test]
fn a_key_is_valid_only_within_its_window() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let hour = |hours| now() + SignedDuration::from_hours(hours);
    let window = Window { not_before: Some(hour(1)), expires: Some(hour(2)) };
    let (key, secret) = state.create_key("k", &[Scope::CALENDAR], window, now()).unwrap();
    assert_eq!(key.window, window);
    for (at, lets_in) in [(0, false), (1, true), (2, false)] {
        let found = state.authenticate(secret.expose(), hour(at)).unwrap();
        assert_eq!(found.is_some(), lets_in, "{at}");
    }
    assert_eq!(state.find_key(secret.expose()).unwrap(), Some(key));
}

#[test]
fn an_invalid_key_is_refused() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let create = |name: &str, scopes: &[Scope], not_before: i64, expires: i64| {
        let at = |seconds| Some(now() + SignedDuration::from_secs(seconds));
        let window = Window { not_before: at(not_before), expires: at(expires) };
        state.create_key(name, scopes, window, now())
    };
    let long = "ä".repeat(101);
    for name in ["", "  ", "a\nb", "a\u{1b}[2J", &long] {
        let error = expect_key_error(create(name, &Scope::ALL, 0, 1));
        assert_eq!(error, KeyError::Name(name.to_owned()));
    }
    assert!(create(&long[2..], &Scope::ALL, 0, 1).is_ok());
    assert_eq!(expect_key_error(create("k", &[], 0, 1)), KeyError::NoScope);
    assert_eq!(expect_key_error(create("k", &Scope::ALL, 5, 5)), KeyError::EndsBeforeItBegins);
    assert_eq!(expect_key_error(create("k", &Scope::ALL, -5, 0)), KeyError::EndsInThePast);
}

#[test]
fn rotation_replaces_only_the_secret() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let (key, old) = add_key(&state, "k");
    let (rotated, new) = state.rotate_key("k", now()).unwrap();
    assert_eq!(rotated, key);
    assert_eq!(state.find_key(&old).unwrap(), None);
    assert_eq!(state.find_key(new.expose()).unwrap(), Some(key.clone()));

    let later = now() + SignedDuration::from_secs(1);
    let revoked = state.revoke_key(&key.id, later).unwrap();
    assert_eq!(revoked.revoked, Some(later));
    assert_eq!(state.authenticate(new.expose(), now()).unwrap(), None);
    let found = state.find_key(new.expose()).unwrap().unwrap();
    assert_eq!(found.status(now()), KeyStatus::Revoked);
    assert_eq!(expect_key_error(state.rotate_key("k", later)), KeyError::Revoked("k".into()));
    let again = state.revoke_key("k", later + SignedDuration::from_secs(9)).unwrap();
    assert_eq!(again, revoked, "the first time stays");

    let end = Window { expires: Some(later), ..Window::default() };
    state.create_key("short", &Scope::ALL, end, now()).unwrap();
    assert_eq!(
        expect_key_error(state.rotate_key("short", later)),
        KeyError::Expired("short".into())
    );
}

#[test]
fn an_ambiguous_key_name_is_refused() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let (one, _) = add_key(&state, "k");
    let (two, _) = add_key(&state, "k");
    let ids = vec![one.id.clone(), two.id.clone()];
    let error = expect_key_error(state.revoke_key("k", now()));
    assert!(ids.iter().all(|id| error.to_string().contains(id)), "{error}");
    assert_eq!(error, KeyError::Ambiguous { name: "k".into(), ids });
    state.revoke_key(&one.id, now()).unwrap();
    assert_eq!(state.rotate_key("k", now()).unwrap().0.id, two.id);
    // An id counts before a name.
    let (named_so, _) = add_key(&state, &two.id);
    assert_eq!(state.rotate_key(&two.id, now()).unwrap().0.id, two.id);
    assert_ne!(named_so.id, two.id);
    assert_eq!(expect_key_error(state.revoke_key("x", now())), KeyError::Unknown("x".into()));
}

#[test]
fn the_environment_key_has_every_scope_and_is_not_stored() {
    let site = site();
    let secret = "a-secret-of-the-environment";
    let state = State::open(site.root()).unwrap();
    let state = state.with_environment_key(secret, now()).unwrap();
    let key = state.authenticate(secret, now()).unwrap().unwrap();
    assert_eq!(key.id, ENVIRONMENT_KEY);
    assert!(Scope::ALL.into_iter().all(|scope| key.allows(scope)));
    assert_eq!(state.find_key("a-secret-of-the-environmenu").unwrap(), None);
    assert!(state.keys().unwrap().is_empty());
    assert!(State::open(site.root()).unwrap().find_key(secret).unwrap().is_none());
}

#[test]
fn an_unknown_scope_is_an_error_with_a_suggestion() {
    let error = "content:raed".parse::<Scope>().unwrap_err().to_string();
    assert!(error.contains("did you mean \"content:read\"?"), "{error}");
    let error = "bananas".parse::<Scope>().unwrap_err().to_string();
    assert!(error.contains("calendar.readonly"), "{error}");
    for scope in Scope::ALL {
        assert_eq!(scope.as_str().parse(), Ok(scope));
    }
}

#[test]
fn no_state_file_contains_a_secret() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let (_, old) = add_key(&state, "k");
    let new = state.rotate_key("k", now()).unwrap().1;
    for entry in fs::read_dir(site.path(".feedwright")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        for secret in [&old, new.expose()] {
            let part = &secret.as_bytes()[3..23];
            assert!(!bytes.windows(part.len()).any(|window| window == part), "{path:?}");
        }
    }
    assert!(!format!("{new:?}").contains(&new.expose()[3..]));
}

#[test]
fn keys_are_created_listed_rotated_and_revoked_by_command() {
    let site = site();
    let (secret, said) = run(
        &site,
        &[
            "keys", "create", "--name", "ci", "--scope", "content:read", "--scope",
            "content:write", "--expires", "30d",
        ],
    );
    let secret = secret.strip_suffix('\n').unwrap();
    assert!(is_secret(secret), "{secret}");
    assert!(said.contains("content:read, content:write") && said.contains("only once"), "{said}");
    assert!(!said.contains(secret));
    let state = State::open(site.root()).unwrap();
    let key = state.find_key(secret).unwrap().unwrap();
    assert!(said.contains(&key.id), "{said}");
    assert_eq!(
        key.window.expires.unwrap().duration_since(key.created),
        SignedDuration::from_hours(720)
    );

    let (rotated, _) = run(&site, &["keys", "rotate", "ci"]);
    assert!(is_secret(rotated.trim_end()) && rotated.trim_end() != secret);
    assert_eq!(state.find_key(secret).unwrap(), None);

    run(
        &site,
        &["keys", "create", "--name", "später", "--scope", "calendar", "--not-before", "2w"],
    );
    let (listed, _) = run(&site, &["keys", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed[0]["id"], *key.id);
    assert_eq!(listed[0]["status"], "active");
    assert_eq!(listed[1]["status"], "not_yet_valid");
    assert_eq!(listed[1]["scopes"], serde_json::json!(["calendar"]));
    assert!(!listed.to_string().contains("fw_"));

    let (_, said) = run(&site, &["keys", "revoke", &key.id]);
    assert!(said.contains("Revoked the key \"ci\""), "{said}");
    let (_, said) = run(&site, &["keys", "revoke", &key.id]);
    assert!(said.contains("already"), "{said}");
    let (table, _) = run(&site, &["keys", "list"]);
    let lines: Vec<&str> = table.lines().collect();
    let column = |line: &str, part: &str| line.split(part).next().unwrap().chars().count();
    assert_eq!(lines.len(), 3, "{table}");
    assert!(column(lines[0], "STATUS") == column(lines[1], "revoked"), "{table}");
    assert!(column(lines[0], "STATUS") == column(lines[2], "not_yet_valid"), "{table}");
}

#[test]
fn wrong_usage_of_key_commands_is_an_error_with_help() {
    let site = site();
    let create = |more: &[&'static str]| [&["keys", "create", "--name", "k"], more].concat();
    let scope = ["--scope", "content:read"];
    for (arguments, part) in [
        (create(&[]), "--scope <SCOPE>"),
        (create(&["--scope", "content:wriet"]), "did you mean \"content:write\"?"),
        (create(&[&scope[..], &["--expires", "soon"]].concat()), "30d"),
        (create(&[&scope[..], &["--expires", "2020-01-01"]].concat()), "is in the past"),
        (
            create(&[&scope[..], &["--expires", "1h", "--not-before", "2h"]].concat()),
            "before it becomes valid",
        ),
        (vec!["keys", "create", "--scope", "calendar", "--name", ""], "1 to 100 characters"),
        (vec!["keys", "rotate", "nobody"], "feedwright keys list"),
        (vec!["keys", "revoke", "nobody"], "feedwright keys list"),
        (vec!["log", "--since", "-3d"], "unexpected argument"),
        (vec!["log", "--since", "yesterday"], "2026-12-31T18:00:00Z"),
    ] {
        let said = expect_failure(&site, &arguments, 2);
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
    let (table, said) = run(&site, &["keys", "list"]);
    assert!(table.is_empty() && said.contains("feedwright keys create"), "{said}");
}

#[test]
fn a_damaged_or_newer_state_is_an_error_and_unchanged() {
    let site = site();
    site.write(
        ".feedwright/state.sqlite",
        "this is no database, but long enough to be looked at".repeat(99),
    );
    let before = fs::read(site.path(".feedwright/state.sqlite")).unwrap();
    let said = expect_failure(&site, &["keys", "list"], 1);
    assert!(said.contains("damaged") && said.contains(".feedwright/state.sqlite"), "{said}");
    assert!(said.contains("feedwright keys create"), "{said}");
    assert_eq!(fs::read(site.path(".feedwright/state.sqlite")).unwrap(), before);

    site.remove(".feedwright");
    add_key(&State::open(site.root()).unwrap(), "k");
    let mut torn = fs::read(site.path(".feedwright/state.sqlite")).unwrap();
    torn[4096..].fill(0xff);
    site.write(".feedwright/state.sqlite", &torn);
    assert!(expect_failure(&site, &["keys", "list"], 1).contains("damaged"));
    assert!(
        expect_failure(&site, &["keys", "create", "--name", "k", "--scope", "calendar"], 1)
            .contains("damaged")
    );
    assert_eq!(fs::read(site.path(".feedwright/state.sqlite")).unwrap(), torn);

    site.remove(".feedwright");
    drop(State::open(site.root()).unwrap());
    let mut later = fs::read(site.path(".feedwright/state.sqlite")).unwrap();
    later[60..64].copy_from_slice(&77_u32.to_be_bytes()); // `user_version`, file format section 1.3
    site.write(".feedwright/state.sqlite", &later);
    let said = expect_failure(&site, &["log"], 1);
    assert!(said.contains("later version") && said.contains("77"), "{said}");
    assert_eq!(fs::read(site.path(".feedwright/state.sqlite")).unwrap(), later);

    site.remove(".feedwright");
    site.write(".feedwright", "a file");
    let said = expect_failure(&site, &["keys", "list"], 1);
    assert!(said.contains("check that .feedwright is a folder"), "{said}");
}

#[cfg(unix)]
#[test]
fn the_state_is_private_and_ignored_by_git() {
    use std::os::unix::fs::PermissionsExt;
    let site = site();
    let state = State::open(site.root()).unwrap();
    add_key(&state, "k");
    let mode = |path: &str| fs::metadata(site.path(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(".feedwright"), 0o700);
    for name in ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"] {
        assert_eq!(mode(&format!(".feedwright/{name}")), 0o600, "{name}");
    }
    assert_eq!(site.read(".feedwright/.gitignore"), "*\n");
    drop(state);
    fs::set_permissions(site.path(".feedwright/state.sqlite"), fs::Permissions::from_mode(0o644))
        .unwrap();
    State::open(site.root()).unwrap();
    assert_eq!(mode(".feedwright/state.sqlite"), 0o600);
}

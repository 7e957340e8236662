//! Who is let in, and what a request has to be like before anything is asked of it.

use feedwright::state::{Scope, Window};
use jiff::{SignedDuration, Timestamp};

use crate::support::served::{KEY, Served, serve};
use crate::support::small_site::site;

const ITEM: &str = "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\nText\n";

/// Every operation, with its scope. `{}` is a body that all of them take or refuse with 400.
const OPERATIONS: [(&str, &str, Scope); 9] = [
    ("GET", "/feed/", Scope::CONTENT_READ),
    ("GET", "/items/walk/", Scope::CONTENT_READ),
    ("GET", "/search/?q=walk", Scope::CONTENT_READ),
    ("POST", "/items/", Scope::CONTENT_WRITE),
    ("POST", "/items/validate/", Scope::CONTENT_WRITE),
    ("PUT", "/items/walk/", Scope::CONTENT_WRITE),
    ("PUT", "/channels/primary/", Scope::CONTENT_WRITE),
    ("POST", "/media_files/presigned_urls/", Scope::CONTENT_WRITE),
    ("DELETE", "/items/walk/", Scope::CONTENT_WRITE),
];

fn served() -> Served {
    serve(site().with("content/items/walk.md", ITEM))
}

fn status(served: &Served, (method, path): (&str, &str), authorization: Option<&str>) -> u16 {
    let headers: Vec<_> = authorization.map(|value| ("authorization", value)).into_iter().collect();
    let answer = served.send(method, &format!("/api/v1{path}"), &headers, b"{}");
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    if answer.status == 401 {
        assert_eq!(answer.header("www-authenticate"), Some("Bearer realm=\"feedwright\""));
    }
    if answer.status >= 400 {
        answer.error(answer.status);
    }
    answer.status
}

#[test]
fn requests_without_a_valid_key_are_rejected() {
    let served = served();
    let before = served.files();
    let hour = SignedDuration::from_hours(1);
    let expired = Window { not_before: None, expires: Some(Timestamp::now() - hour) };
    let later = Window {
        not_before: Some(Timestamp::now() + SignedDuration::from_hours(1)),
        expires: None,
    };
    let scopes = Scope::ALL;
    let before_that = Timestamp::now() - hour - hour;
    let expired = served.state().create_key("expired", &scopes, expired, before_that).unwrap();
    let keys = [expired.1.expose().to_owned(), served.key(&scopes, later)];
    let revoked =
        served.state().create_key("revoked", &scopes, Window::default(), Timestamp::now()).unwrap();
    served.state().revoke_key(&revoked.0.id, Timestamp::now()).unwrap();
    let mut wrong: Vec<Option<String>> = vec![
        None,
        Some(String::new()),
        Some("Bearer".into()),
        Some("Bearer ".into()),
        Some("Bearer wrong".into()),
        Some(KEY.into()),
        Some(format!("Basic {KEY}")),
        Some(format!("Bearer {KEY}x")),
        Some(format!("Bearer {}", &KEY[1..])),
        Some(format!("Bearer {}", revoked.1.expose())),
    ];
    wrong.extend(keys.iter().map(|key| Some(format!("Bearer {key}"))));
    for (method, path, _) in OPERATIONS {
        for value in &wrong {
            assert_eq!(
                status(&served, (method, path), value.as_deref()),
                401,
                "{method} {path} {value:?}"
            );
        }
    }
    assert_eq!(served.files(), before);
}

#[test]
fn a_key_is_limited_to_its_scopes() {
    let served = served();
    let keys = Scope::ALL.map(|scope| (scope, served.key(&[scope], Window::default())));
    for (method, path, needed) in OPERATIONS {
        for (scope, key) in &keys {
            let found = status(&served, (method, path), Some(&format!("Bearer {key}")));
            assert_eq!(found != 403, *scope == needed, "{method} {path} {scope}: {found}");
            assert_ne!(found, 401);
        }
    }
    let both = served.key(&[Scope::CONTENT_READ, Scope::CONTENT_WRITE], Window::default());
    for spelling in [format!("Bearer {both}"), format!("bearer {both}"), format!("BEARER   {both}")]
    {
        assert_eq!(status(&served, ("GET", "/feed/"), Some(&spelling)), 200, "{spelling}");
    }
}

#[test]
fn created_and_revoked_keys_take_effect_at_once() {
    let served = served();
    let state = served.state();
    let (key, secret) = state
        .create_key("new", &[Scope::CONTENT_READ], Window::default(), Timestamp::now())
        .unwrap();
    let header = format!("Bearer {}", secret.expose());
    assert_eq!(status(&served, ("GET", "/feed/"), Some(&header)), 200);
    let (_, rotated) = state.rotate_key(&key.id, Timestamp::now()).unwrap();
    assert_eq!(status(&served, ("GET", "/feed/"), Some(&header)), 401);
    let header = format!("Bearer {}", rotated.expose());
    assert_eq!(status(&served, ("GET", "/feed/"), Some(&header)), 200);
    state.revoke_key(&key.id, Timestamp::now()).unwrap();
    assert_eq!(status(&served, ("GET", "/feed/"), Some(&header)), 401);
}

#[test]
fn requests_with_a_foreign_host_or_origin_are_rejected() {
    let served = served();
    let before = served.files();
    let own = served.url.strip_prefix("http://").unwrap().to_owned();
    let evil = "https://evil.example".to_owned();
    for (method, path, _) in OPERATIONS {
        for (name, value) in [
            ("host", "evil.example"),
            ("host", "127.0.0.1.evil.example"),
            ("origin", &evil),
            ("origin", "null"),
            ("origin", "http://127.0.0.1:1"),
        ] {
            let answer = served.call_with(method, path, &[(name, value)], b"{}");
            answer.error(403);
            assert_eq!(answer.header("access-control-allow-origin"), None);
        }
    }
    assert_eq!(served.files(), before);
    let origin = format!("http://{own}");
    served.call_with("GET", "/feed/", &[("origin", &origin)], b"").ok();
    served.call_with("GET", "/feed/", &[("host", "localhost")], b"").ok();
    let preflight = served.send(
        "OPTIONS",
        "/api/v1/items/",
        &[("origin", &evil), ("access-control-request-method", "POST")],
        b"",
    );
    assert_eq!(preflight.status, 403);
}

#[test]
fn an_unsupported_method_is_405_with_an_allow_header() {
    let served = served();
    for (path, takes) in [
        ("/feed/", "GET"),
        ("/items/", "POST"),
        ("/items/validate/", "POST"),
        ("/items/walk/", "GET, HEAD, PUT, DELETE"),
        ("/search/", "GET"),
        ("/channels/primary/", "PUT"),
        ("/media_files/presigned_urls/", "POST"),
    ] {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"] {
            // The last part of `/items/validate/` is also an id.
            if takes.split(", ").any(|one| one == method)
                || path == "/items/validate/" && method != "PATCH"
            {
                continue;
            }
            let answer = served.call(method, path, b"{}");
            answer.error(405);
            assert!(answer.header("allow").unwrap().starts_with(takes), "{method} {path}");
        }
    }
}

#[test]
fn a_missing_trailing_slash_redirects_with_the_query() {
    let served = served();
    for (method, path) in [
        ("GET", "/feed"),
        ("POST", "/items"),
        ("PUT", "/items/walk"),
        ("DELETE", "/items/walk"),
        ("POST", "/items/validate"),
        ("PUT", "/channels/primary"),
        ("POST", "/media_files/presigned_urls"),
        ("GET", "/search"),
        ("GET", ""),
    ] {
        for query in ["", "?q=a%20b&limit=2"] {
            let answer = served.send(method, &format!("/api/v1{path}{query}"), &[], b"{}");
            assert_eq!(answer.status, 308, "{method} {path}");
            assert_eq!(answer.header("location"), Some(format!("/api/v1{path}/{query}").as_str()));
        }
    }
}

#[test]
fn redirects_keep_the_base_path() {
    let site = site().with("content/items/walk.md", ITEM);
    let mut options = feedwright::project::Options::new(site.root());
    options.base_url = Some("https://example.com/below".to_owned());
    let served = crate::support::served::serve_with(site, options);
    for path in ["/below/api/v1/feed", "/api/v1/feed"] {
        let answer = served.get(path);
        let location = answer.header("location");
        assert_eq!((answer.status, location), (308, Some("/below/api/v1/feed/")));
    }
}

#[test]
fn an_unknown_path_is_404() {
    let served = served();
    for path in [
        "/api", "/api/", "/api/v2/feed/", "/api/v1/nothing/", "/api/v1/feed/more/",
        "/api/v1/items/walk/more/", "/api/v1/channels/", "/apix/v1/feed/",
    ] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
}

#[test]
fn trace_headers_have_1_to_128_printable_characters() {
    let served = served();
    let long = "x".repeat(129);
    let longest = "~".repeat(128);
    for name in ["Service-Causation-Id", "Service-Correlation-Id"] {
        for (method, path) in [
            ("POST", "/items/"),
            ("PUT", "/items/walk/"),
            ("PUT", "/channels/primary/"),
            ("DELETE", "/items/walk/"),
        ] {
            let before = served.files();
            for value in ["", "ä", "a\tb", &long] {
                let error = served.call_with(method, path, &[(name, value)], b"{}").error(400);
                assert!(error.starts_with(&format!("{name}:")), "{error}");
            }
            let twice = [(name, "a"), (name, "b")];
            served.call_with(method, path, &twice, b"{}").error(400);
            assert_eq!(served.files(), before);
        }
        for value in ["x", "a b", &longest] {
            served.call_with("PUT", "/items/walk/", &[(name, value)], b"{}").ok();
        }
        for (method, path) in
            [("GET", "/feed/"), ("GET", "/items/walk/"), ("POST", "/items/validate/")]
        {
            let body = b"{\"title\": \"A\"}";
            served.call_with(method, path, &[(name, &long)], body).ok();
        }
    }
}

#[test]
fn a_custom_namespace_renames_headers_and_keys() {
    let toml = "base_url = \"https://example.com\"\nnamespace = \"microfeed\"\n";
    let served = serve(site().with("site.toml", toml).with("content/items/walk.md", ITEM));
    let headers = [
        ("Microfeed-Causation-Id", "event"),
        ("Microfeed-Correlation-Id", "flow"),
        ("Service-Causation-Id", ""),
    ];
    let body = br#"{"_microfeed": {"slug": "a-walk"}, "_service": {"slug": "not/this"}}"#;
    let item = served.call_with("PUT", "/items/walk/", &headers, body).ok();
    assert_eq!(item["_microfeed"]["slug"], "a-walk");
    assert_eq!(item.get("_service"), None);
    let feed = served.read("/feed/").ok();
    assert!(feed["_microfeed"]["microfeed_version"].is_string());
    let entry = served.journal().pop().unwrap();
    assert_eq!(
        (entry.causation.as_deref(), entry.correlation.as_deref()),
        (Some("event"), Some("flow"))
    );
    let error = served
        .call_with("PUT", "/items/walk/", &[("microfeed-causation-id", "")], b"{}")
        .error(400);
    assert!(error.starts_with("Microfeed-Causation-Id:"), "{error}");
}

#[test]
fn the_api_works_on_headless_and_offline_sites() {
    for access in ["headless", "offline"] {
        let toml = format!("base_url = \"https://example.com\"\naccess = \"{access}\"\n");
        let served = serve(site().with("site.toml", toml).with("content/items/walk.md", ITEM));
        for (method, path, _) in OPERATIONS {
            let answer = served.call(method, path, b"{\"title\": \"A\"}");
            assert!(
                answer.status < 300 || path.contains("media_files"),
                "{access} {method} {path}: {}",
                answer.text()
            );
        }
        assert_eq!(served.get("/").status, 404);
    }
}

#[test]
fn invalid_http_does_not_block_the_next_request() {
    let served = served();
    for request in [
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\0\0\0\0",
        "GET /api/v1/feed/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST /api/v1/items/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "GET /api/v1/feed/ HTTP/1.1\r\n\r\n",
    ] {
        let answer = served.raw(
            format!("{request}GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        );
        assert!(!answer.starts_with("HTTP/1.1 200"), "{request:?}: {answer}");
    }
    served.read("/feed/").ok();
}

#[test]
fn every_get_path_answers_head() {
    let served = serve(
        site()
            .with("content/calendars/shows/calendar.toml", "summary = \"Shows\"\nprimary = true\n"),
    );
    let key = format!("Bearer {KEY}");
    for path in [
        "/api/v1/feed/",
        "/api/v1/items/none/",
        "/api/v1/pages/",
        "/api/v1/site-files/",
        "/api/v1/search/?q=walk",
        "/api/v1/openapi.json",
        "/client/v4/accounts/a/tokens/verify",
        "/calendar/v3/users/me/calendarList",
        "/calendar/v3/calendars/primary/events?maxResults=0",
        "/warehouse/v2/projects",
        "/warehouse/v2/projects/site/jobs",
        "/warehouse/v2/projects/site/datasets/none",
    ] {
        for headers in [&[("authorization", key.as_str())][..], &[]] {
            let get = served.send("GET", path, headers, b"");
            let head = served.send("HEAD", path, headers, b"");
            assert_eq!(head.status, get.status, "{path}");
            assert!(head.body.is_empty() && !get.body.is_empty(), "{path}");
            for name in ["content-type", "cache-control", "www-authenticate"] {
                assert_eq!(head.header(name), get.header(name), "{path}: {name}");
            }
        }
    }
    let other = served.send("PATCH", "/api/v1/pages/", &[("authorization", &key)], b"");
    assert_eq!(other.header("allow"), Some("GET, HEAD, POST"));
}

//! What was uploaded is looked at, and never acts as the site.

use crate::support::served::serve;
use crate::support::small_site::site;

/// A file of each kind, and whether a browser could run it.
const FILES: [(&str, bool); 22] = [
    ("a.html", true),
    ("a.HTM", true),
    ("a.xhtml", true),
    ("a.svg", true),
    ("a.xml", true),
    ("a.xsl", true),
    ("a.js", true),
    ("a.mjs", true),
    ("a.atom", true),
    ("a.rdf", true),
    ("a.mml", true),
    ("a.kml", true),
    ("a.mp3", false),
    ("a.mp4", false),
    ("a.png", false),
    ("a.jpg", false),
    ("a.pdf", false),
    ("a.vtt", false),
    ("a.srt", false),
    ("a.txt", false),
    ("a.json", false),
    ("a.unheard-of", false),
];

#[test]
fn executable_media_are_served_without_an_origin() {
    let site = FILES.iter().fold(site(), |site, (name, _)| {
        site.with(&format!("content/media/{name}"), "<svg onload='alert(1)'/>")
    });
    let beside = "+++\nid = \"x\"\nattachment = \"show.html\"\n+++\n";
    let site = site
        .with("content/items/x/index.md", beside)
        .with("content/items/x/show.html", "<script>alert(1)</script>");
    let served = serve(site);
    let beside = ("items/x/show.html", true);
    for (name, is_run) in FILES.into_iter().chain([beside]) {
        let reply = served.get(&format!("/media/{name}"));
        assert_eq!(reply.status, 200, "{name}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        let policy = reply.header("content-security-policy");
        assert_eq!(policy.is_some(), is_run, "{name}: {policy:?}");
        if let Some(policy) = policy {
            let mut parts = policy.split("; ");
            assert_eq!(parts.next(), Some("sandbox"), "{policy}");
            assert_eq!(parts.next(), Some("default-src 'none'"), "{policy}");
        }
    }
}

#[test]
fn responses_forbid_content_type_sniffing() {
    let served = serve(site());
    for path in [
        "/", "/nothing/", "/feed.json", "/robots.txt", "/.feedwright/live.js",
        "/.feedwright/events", "/api/v1/feed/", "/api/v1/", "/calendar/v3/", "/i/%2e%2e/",
    ] {
        if path == "/.feedwright/events" {
            let request =
                "HEAD /.feedwright/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            let answer = served.raw(request.as_bytes()).to_ascii_lowercase();
            assert!(answer.contains("x-content-type-options: nosniff"), "{answer}");
            continue;
        }
        let reply = served.get(path);
        let guessed = reply.header("x-content-type-options");
        assert_eq!(guessed, Some("nosniff"), "{path}");
    }
}

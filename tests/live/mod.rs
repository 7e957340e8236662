//! `check --live`: each fault of a web server is reported with its rule, and a server without
//! faults is not.

mod stand_in;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use feedwright::builder::{self, ExtraChecks, Silent};
use feedwright::model::{ContentFolder, Diagnostic, Rule, Severity};
use feedwright::project::{Live, Options, read_config};
use pictures::{Format, Picture};
use rayon::prelude::*;

use crate::support::program;
use crate::support::small_site::{SmallSite, bare, tree};
use stand_in::{Asked, Ending, Fault, Files, Sent, StandIn};

const RECORDING: &[u8] = include_bytes!("../../crates/media-facts/tests/fixtures/cbr-info.mp3");

/// Base64 of the SHA-256 hash of [`RECORDING`].
const HASH: &str = "sha256-a4u1s2qXe95aTVZkVk7CHf8K0WmJjn30sIdofsPxrEU=";

const RSS: &str = "/rss.xml";
const MP3: &str = "/media/items/walk/walk.mp3";
const VTT: &str = "/media/items/walk/walk.vtt";
const CHAPTERS: &str = "/i/walk/chapters.json";

/// A show with everything that is checked, and its hub at `address`.
fn show(address: &str) -> SmallSite {
    let pixels = vec![90; 1400 * 1400 * 3];
    let cover = Picture::from_pixels(1400, 1400, pixels).unwrap();
    bare()
        .with("site.toml", format!("base_url = \"https://show.org\"\n[deploy.notify]\nwebsub = [\"{address}/hub\"]\n"))
        .with(
            "content/channel.md",
            "+++\ntitle = \"Tides\"\nlanguage = \"en\"\nauthors = [\"Ada Lind\"]\nicon = { url = \"cover.jpg\", alt = \"A pier\" }\ncategories = [\"Science > Nature\"]\n[itunes]\nexplicit = false\nemail = \"a@show.org\"\n+++\nAbout it.\n",
        )
        .with("content/cover.jpg", cover.encode(Format::Jpeg { quality: 50 }).unwrap())
        .with(
            "content/items/walk/index.md",
            format!("+++\nid = \"walk\"\ntitle = \"The walk\"\nslug = \"walk\"\nallow = [\"loudness\", \"recording-format\"]\ndate_published = 2026-01-01T10:00:00Z\nattachment = \"walk.mp3\"\n[podcast]\ntranscripts = \"walk.vtt\"\nchapters = [{{ startTime = 0, title = \"Start\" }}]\n[[podcast.alternateEnclosures]]\ntype = \"audio/mpeg\"\nlength = {}\nsources = [\"walk.mp3\"]\nintegrity = {{ type = \"sri\", value = \"{HASH}\" }}\n+++\nA walk.\n", RECORDING.len()),
        )
        .with("content/items/walk/walk.mp3", RECORDING)
        .with("content/items/walk/walk.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n")
}

/// A show that tests do not change, with its output. A server without faults is its hub.
static SHOW: LazyLock<(SmallSite, Files)> = LazyLock::new(|| {
    let (site, _, output) = serve_own(|_, _| ());
    (site, output)
});

/// Serves [`SHOW`] with a fault. Returns the site and its address.
fn serve(fault: Fault) -> (&'static SmallSite, String) {
    let server = StandIn::new();
    let address = server.address.clone();
    let (site, output) = &*SHOW;
    server.serve(read_config(&site.options()).0, Arc::clone(output), fault);
    (site, address)
}

/// Serves a new show with a fault. The server is also its hub.
fn serve_own(fault: Fault) -> (SmallSite, String, Files) {
    let server = StandIn::new();
    let address = server.address.clone();
    let site = show(&address);
    site.built();
    let output = Arc::new(site.output());
    server.serve(read_config(&site.options()).0, Arc::clone(&output), fault);
    (site, address, output)
}

fn live(address: &str) -> Live {
    Live { timeout: Duration::from_secs(2), ..Live::new(Some(address.to_owned())) }
}

fn check(site: &SmallSite, live: Live) -> Vec<Diagnostic> {
    let extra = ExtraChecks { live: Some(live), ..ExtraChecks::default() };
    builder::check_with(&site.options(), &extra, &Silent).report.sorted()
}

fn is(asked: &Asked, path: &str) -> bool {
    asked.path == path
}

fn on(path: &str, asked: &Asked, sent: &mut Sent, change: impl FnOnce(&mut Sent)) {
    if is(asked, path) {
        change(sent);
    }
}

/// Faults of a server: a name, the fault, the rule, and a part of the only message.
#[rustfmt::skip]
const FAULTS: &[(&str, Fault, Rule, &str)] = &[
    // Status, time and size.
    ("feed missing", |a, s| on(RSS, a, s, |s| s.status = 404), Rule::LiveServer, "rss.xml is missing (status 404)"),
    ("server error", |a, s| on(MP3, a, s, |s| s.status = 500), Rule::LiveServer, "has a server error (status 500)"),
    ("forbidden", |a, s| on(VTT, a, s, |s| s.status = 403), Rule::LiveServer, "refuses access (status 403)"),
    ("too many requests", |_, s| s.status = 429, Rule::LiveServer, "refuses so many requests (status 429)"),
    ("soft 404", |_, s| if s.status == 404 { s.status = 200 }, Rule::LiveServer, "has status 200 in place of 404"),
    ("home in place of 404", |_, s| if s.status == 404 { s.redirect("/") }, Rule::LiveServer, "has status 200 in place of 404"),
    ("hanging", |_, s| s.ending = Ending::Hangs, Rule::LiveServer, "timed out (and 1 other address)"),
    ("endless page", |a, s| on("/", a, s, |s| s.ending = Ending::Endless), Rule::LiveServer, "/ returned more than 16777216 bytes"),
    ("cut feed", |a, s| on("/feed.json", a, s, |s| s.ending = Ending::Cut), Rule::LiveServer, "stopped in the middle of its response"),
    ("long headers", |a, s| on(CHAPTERS, a, s, |s| s.set("x-long", "x".repeat(2 << 20))), Rule::LiveServer, "of header fields"),
    // Redirects.
    ("chain", |a, s| match a.path.as_str() {
        MP3 => s.redirect("/one"),
        "/one" => s.redirect("/media/items/walk/walk.mp3?1"),
        _ => {}
    }, Rule::LiveRedirect, "redirects 2 times before it answers"),
    ("loop", |a, s| match a.path.as_str() {
        VTT => s.redirect("/one"),
        "/one" => s.redirect(VTT),
        _ => {}
    }, Rule::LiveRedirect, "redirects in a loop"),
    // Headers.
    ("feed as HTML", |a, s| on(RSS, a, s, |s| s.set("content-type", "text/html")), Rule::LiveHeaders, "has the media type text/html, but must be application/xml"),
    ("JSON feed as text", |a, s| on("/feed.json", a, s, |s| s.set("content-type", "text/plain")), Rule::LiveHeaders, "must be application/feed+json"),
    ("audio as a file", |a, s| on(MP3, a, s, |s| s.set("content-type", "application/octet-stream")), Rule::LiveHeaders, "but must be audio/mpeg"),
    ("transcript without a type", |a, s| on(VTT, a, s, |s| s.remove("content-type")), Rule::LiveHeaders, "has no media type, but must be text/vtt"),
    ("chapters as HTML", |a, s| on(CHAPTERS, a, s, |s| s.set("content-type", "text/html")), Rule::LiveHeaders, "must be application/json+chapters"),
    ("no CORS", |_, s| s.remove("access-control-allow-origin"), Rule::LiveHeaders, "has no `Access-Control-Allow-Origin: *`, so web players cannot read it (and 3 other addresses)"),
    ("CORS for another site", |a, s| on(VTT, a, s, |s| s.set("access-control-allow-origin", "https://other.example")), Rule::LiveHeaders, "web players cannot read it"),
    ("no validators", |a, s| on(RSS, a, s, |s| {
        s.remove("etag");
        s.remove("last-modified");
    }), Rule::LiveHeaders, "has neither ETag nor Last-Modified"),
    ("new ETag each time", |a, s| on("/", a, s, |s| if s.status == 304 { s.status = 200 }), Rule::LiveHeaders, "is sent again with if-"),
    ("no compression", |a, s| on("/", a, s, |s| s.replace(vec![b' '; 5000])), Rule::LiveHeaders, "is not compressed"),
    ("wrong gzip", |a, s| on("/", a, s, |s| if s.status == 200 { s.body = b"plain".to_vec() }), Rule::LiveHeaders, "is not valid gzip"),
    ("another encoding", |a, s| on("/", a, s, |s| s.set("content-encoding", "br")), Rule::LiveHeaders, "has the encoding \"br\""),
    ("feed cached for a day", |a, s| on(RSS, a, s, |s| s.set("cache-control", "public, max-age=86400")), Rule::LiveHeaders, "is cached for 86400 s"),
    ("recording cached for a day", |a, s| on(MP3, a, s, |s| s.set("cache-control", "public, max-age=86400")), Rule::LiveHeaders, "parts of two versions"),
    ("feed not stored", |a, s| on(RSS, a, s, |s| s.set("cache-control", "no-store")), Rule::LiveHeaders, "no-store"),
    ("asset not cached", |a, s| if a.path.starts_with("/assets/") { s.remove("cache-control") }, Rule::LiveHeaders, "is cached for 0 s"),
    ("no HEAD", |a, s| if a.is_head() && is(a, MP3) { s.status = 405 }, Rule::LiveHeaders, "has status 405 for HEAD"),
    ("HEAD without a length", |a, s| if a.is_head() && is(a, MP3) { s.set("content-length", "0") }, Rule::LiveHeaders, "has no Content-Length for HEAD"),
    ("HEAD of another type", |a, s| if a.is_head() && is(a, RSS) { s.set("content-type", "text/html") }, Rule::LiveHeaders, "has the media type \"text/html\" for HEAD"),
    ("picture as text", |a, s| if a.path.ends_with("cover.jpg") { s.set("content-type", "text/plain") }, Rule::LiveHeaders, "must be image/jpeg"),
    // Recordings and artwork.
    ("no ranges", |a, s| if is(a, MP3) && s.status == 206 {
        s.status = 200;
        s.replace(RECORDING);
    }, Rule::LiveMedia, "ignores byte ranges"),
    ("wrong range", |_, s| if s.status == 206 { s.set("content-range", format!("bytes 0-9/{}", RECORDING.len())) }, Rule::LiveMedia, "with the wrong part (\"bytes 0-9/"),
    ("no If-Range", |a, s| if a.field("if-range").is_some() && s.status == 200 {
        s.status = 206;
        s.set("content-range", format!("bytes 10-19/{}", RECORDING.len()));
        s.replace(&RECORDING[10..20]);
    }, Rule::LiveMedia, "ignores If-Range"),
    ("If-Range starts again", |a, s| if a.field("if-range").is_some() && s.status == 206 {
        s.status = 200;
        s.replace(RECORDING);
    }, Rule::LiveMedia, "starts again for If-Range"),
    ("shorter recording", |a, s| if is(a, MP3) {
        match s.status {
            206 => s.set("content-range", "bytes 10-19/100"),
            _ => s.replace(&RECORDING[..100]),
        }
    }, Rule::LiveMedia, "has 100 bytes, but"),
    ("changed recording", |a, s| if is(a, MP3) && s.status == 200 { s.body[50] ^= 1 }, Rule::LiveMedia, "its hash is different"),
    ("small artwork", |a, s| if a.path.ends_with("cover.jpg") {
        s.replace(include_bytes!("../../crates/media-facts/tests/fixtures/picture.png"));
        s.set("content-type", "image/png");
    }, Rule::LiveMedia, "pixels, which Apple Podcasts rejects"),
    ("artwork is no picture", |a, s| if a.path.ends_with("cover.jpg") { s.replace("<html>") }, Rule::LiveMedia, "is damaged, or no JPEG or PNG picture"),
    // Feeds.
    ("outdated feed", |a, s| on(RSS, a, s, |s| s.replace("<rss version=\"2.0\"><channel><title>Tides</title></channel></rss>")), Rule::LiveFeed, "it lacks 1 items, such as \"The walk\""),
    ("no feed", |a, s| on("/feed.json", a, s, |s| s.replace("<html></html>")), Rule::LiveFeed, "is not a feed"),
    ("robots.txt", |a, s| on("/robots.txt", a, s, |s| {
        s.status = 200;
        s.replace("User-agent: *\nDisallow: /media/\n");
    }), Rule::LiveFeed, "robots.txt forbids all programs to read /media/items/walk/walk.mp3"),
];

#[test]
fn a_server_without_faults_has_no_findings() {
    let (site, address) = serve(|_, _| ());
    let found = check(site, live(&address));
    assert_eq!(found, [], "{found:#?}");
}

#[test]
fn each_fault_is_reported_with_its_rule_only() {
    let wrong: Vec<String> = FAULTS
        .par_iter()
        .filter_map(|(name, fault, rule, text)| {
            let (site, address) = serve(*fault);
            let found = check(site, live(&address));
            let told: Vec<String> = found.iter().map(|one| one.message.clone()).collect();
            let is_told = found.len() == 1
                && found[0].rule == Some(*rule)
                && found[0].help.is_some()
                && told[0].contains(text);
            (!is_told).then(|| format!("{name} ({}): {told:#?}", rule.name()))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let tested: BTreeSet<Rule> = FAULTS.iter().map(|(_, _, rule, _)| *rule).collect();
    assert_eq!(tested.into_iter().collect::<Vec<_>>(), LIVE_RULES);
}

/// The rules of `check --live`.
pub const LIVE_RULES: [Rule; 5] =
    [Rule::LiveFeed, Rule::LiveHeaders, Rule::LiveMedia, Rule::LiveRedirect, Rule::LiveServer];

#[test]
fn a_finding_names_the_file_that_causes_it() {
    let (site, address) = serve(|asked, sent| on(MP3, asked, sent, |sent| sent.status = 404));
    let found = check(site, live(&address));
    assert_eq!(found[0].file.as_deref(), Some("content/items/walk/index.md"));
    assert_eq!(found[0].source_line.as_deref(), Some("attachment = \"walk.mp3\""));
    let (site, address, _) =
        serve_own(|asked, sent| on("/hub", asked, sent, |sent| sent.status = 502));
    let found = check(&site, live(&address));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].rule, Some(Rule::LiveFeed));
    assert!(found[0].message.ends_with("/hub is not a WebSub hub (status 502)"), "{found:#?}");
    assert_eq!(found[0].file.as_deref(), Some("site.toml"));
}

#[test]
fn an_unreachable_server_is_one_finding() {
    let address = StandIn::new().address;
    let site = show(&address).with("site.toml", "base_url = \"https://show.org\"\n");
    // Nothing listens at the address, because the listener was dropped.
    for address in [address.as_str(), "http://nothing.invalid"] {
        let found = check(&site, live(address));
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].rule, Some(Rule::LiveServer));
        assert!(found[0].message.contains("cannot be reached"), "{found:#?}");
    }
}

#[test]
fn a_server_without_tls_is_one_finding() {
    let (site, address) = serve(|_, _| ());
    let found = check(site, live(&address.replace("http:", "https:")));
    let told: Vec<&str> = found.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("the TLS connection failed"), "{told:#?}");
}

#[test]
fn a_busy_server_is_asked_again_once() {
    let (site, address) = serve(|asked, sent| {
        if asked.count == 0 {
            sent.status = 429;
            sent.set("retry-after", "0");
        }
    });
    let found = check(site, live(&address));
    assert_eq!(found, [], "{found:#?}");
}

#[test]
fn a_slow_check_ends_in_time() {
    let (site, address) = serve(|_, _| ());
    let found = check(site, Live { limit: Duration::ZERO, ..live(&address) });
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].message.contains("was not checked completely"), "{found:#?}");
    let (site, address) = serve(|_, sent| sent.ending = Ending::Hangs);
    let begun = Instant::now();
    check(site, Live { timeout: Duration::from_millis(200), ..live(&address) });
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn local_servers_are_requested_only_if_the_user_says_so() {
    let server = StandIn::new();
    let site = show("https://hub.example");
    let base = format!("base_url = \"{}\"\n", server.address);
    let site = site.with("site.toml", &base);
    site.built();
    let count = server.serve(read_config(&site.options()).0, Arc::new(site.output()), |_, _| ());
    let of_site = |local| check(&site, Live { local, ..Live::new(None) });
    let refused = of_site(false);
    assert_eq!(refused[0].severity, Severity::Error, "{refused:#?}");
    assert!(refused[0].message.contains("an address of this machine"), "{refused:#?}");
    assert_eq!(count.load(Ordering::SeqCst), 0);
    assert_eq!(of_site(true), [], "the user allowed it");
    assert!(count.load(Ordering::SeqCst) > 10);
}

#[test]
fn the_newest_episodes_and_a_sample_are_checked() {
    let server = StandIn::new();
    let episode = |number: usize| {
        format!(
            "+++\nid = \"e{number}\"\ntitle = \"Walk {number}\"\ndate_published = 2025-01-01T00:00:{:02}Z\nattachment = \"walk.mp3\"\n+++\nA walk.\n",
            number % 60
        )
    };
    let site = (0..50).fold(show(&server.address), |site, number| {
        let folder = format!("content/items/{number}");
        let recording = [RECORDING, number.to_string().as_bytes()].concat();
        site.with(&format!("{folder}/index.md"), episode(number))
            .with(&format!("{folder}/walk.mp3"), recording)
    });
    site.built();
    let address = server.address.clone();
    // Each recording has another fault, so that no findings are merged.
    server.serve(read_config(&site.options()).0, Arc::new(site.output()), |asked, sent| {
        if asked.path.ends_with(".mp3") && sent.status == 206 {
            sent.set(
                "content-range",
                format!("bytes 10-19/{}", asked.path.len() * 100_000 + asked.count),
            );
        }
    });
    let recordings = |all| {
        let found = check(&site, Live { all, ..live(&address) });
        found.iter().filter(|one| one.rule == Some(Rule::LiveMedia)).count()
    };
    assert_eq!(recordings(false), 20 + 8);
    assert_eq!(recordings(true), 51);
}

#[test]
fn the_command_prints_findings_and_deny_makes_them_errors() {
    let (site, address, _) =
        serve_own(|asked, sent| on(MP3, asked, sent, |sent| sent.status = 404));
    let run = |arguments: &[&str]| {
        let mut command = program::command();
        let command = command.arg("check").args(arguments).current_dir(site.root());
        program::run(command.env("SOURCE_DATE_EPOCH", "1780315200"))
    };
    let done = run(&["--live", &address]);
    assert_eq!(done.code, Some(0));
    assert!(done.err.contains("warning[live-server]: "), "{}", done.err);
    assert!(done.err.contains("0 errors and 1 warning"), "{}", done.err);
    let config = site.read("site.toml");
    site.write("site.toml", format!("{config}[check]\ndeny = [\"live-server\"]\n"));
    let done = run(&["--live", &address, "--json"]);
    assert_eq!(done.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["diagnostics"][0]["rule"], "live-server");
    assert_eq!(report["errors"], 1);
}

#[test]
fn a_deploy_waits_for_the_new_feed() {
    let (site, address, _) = serve_own(|asked, sent| {
        if is(asked, RSS) && asked.count < 2 {
            sent.replace("<rss version=\"2.0\"><channel><title>Tides</title></channel></rss>");
        }
    });
    let live = Live { wait: Duration::from_secs(60), ..live(&address) };
    let found = builder::check_live(&site.options(), &live, &Silent).sorted();
    assert_eq!(found, [], "{found:#?}");
    let out = tempfile::tempdir().unwrap();
    let to = format!("folder:{}", out.path().display());
    let mut command = program::command();
    let command = command.args(["deploy", "--json", "--to", &to, "--check-live", &address]);
    let command = command.current_dir(site.root()).env("SOURCE_DATE_EPOCH", "1780315200");
    let done = program::run(command);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["warnings"], serde_json::json!([]));
}

#[test]
fn a_show_with_its_own_address_is_checked_at_this_address() {
    let server = StandIn::new();
    let address = server.address.clone();
    let site = show(&address);
    let show = |file: &str| format!("shows/walks/{file}");
    for file in [
        "channel.md", "cover.jpg", "items/walk/index.md", "items/walk/walk.mp3",
        "items/walk/walk.vtt",
    ] {
        std::fs::create_dir_all(site.path(&show("items/walk"))).unwrap();
        std::fs::rename(site.path(&format!("content/{file}")), site.path(&show(file))).unwrap();
    }
    site.write("content/channel.md", "+++\ntitle = \"Harbour\"\n+++\n");
    site.write("shows/tides/channel.md", "+++\ntitle = \"Tides\"\n+++\n");
    site.write("site.toml", "base_url = \"https://harbour.example\"\n");
    site.write(
        &show("show.toml"),
        format!("base_url = \"{address}\"\n[deploy.notify]\nwebsub = [\"{address}/hub\"]\n"),
    );
    let options = Options { show: Some(ContentFolder::of_show("walks")), ..site.options() };
    builder::run(&options, &Silent).unwrap();
    let output = Arc::new(tree(&site.path("public-walks")));
    let count = server.serve(read_config(&options).0, output, |asked, sent| {
        on("/feed.json", asked, sent, |sent| sent.status = 404);
        on("/hub", asked, sent, |sent| sent.status = 500);
    });
    let run = |arguments: &[&str]| {
        let mut command = program::command();
        let command = command.args(["check", "--json", "--live"]).args(arguments);
        program::run(command.current_dir(site.root()).env("SOURCE_DATE_EPOCH", "1780315200"))
    };
    for arguments in [["--local", "--show", "walks"].as_slice(), &[&address, "--show", "walks"]] {
        let before = count.load(Ordering::SeqCst);
        let report: serde_json::Value = serde_json::from_str(&run(arguments).ok().out).unwrap();
        let found = report["diagnostics"].as_array().unwrap();
        let live: Vec<_> = found
            .iter()
            .filter(|one| one["rule"].as_str().is_some_and(|rule| rule.starts_with("live-")))
            .collect();
        assert_eq!(live.len(), 2, "{arguments:?}: {live:#?}");
        let of = |path: &str| {
            *live.iter().find(|one| one["message"].as_str().unwrap().contains(path)).unwrap()
        };
        assert_eq!(
            (&of("/feed.json")["rule"], &of("/hub")["file"]),
            (&"live-server".into(), &"shows/walks/show.toml".into())
        );
        assert!(count.load(Ordering::SeqCst) > before + 10);
    }
    let refused = run(&["--show", "tides"]);
    assert_eq!(refused.code, Some(2));
    let message =
        "shows/tides is published with the site: run `feedwright check --live`, which covers it";
    assert!(refused.err.contains(message), "{}", refused.err);
}

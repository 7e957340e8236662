//! Who is told after a deploy, by a stand-in server.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::support::mock_server::{MockRequest, mock_server};
use crate::support::program;
use crate::support::small_site::{SmallSite, site};

fn site_with_notifications(url: &str, out: &std::path::Path) -> SmallSite {
    site()
        .with(
            "site.toml",
            format!(
                "base_url = \"https://walks.example\"\n[deploy]\nto = \"folder:{}\"\n[deploy.notify]\nwebsub = [\"{url}/hub\"]\nindexnow = \"a1b2c3d4e5\"\nindexnow_endpoint = \"{url}/indexnow\"\npodping = \"{url}/podping?url={{url}}\"\npodping_token_env = \"PODPING_TOKEN\"\nwebhooks = [\"{url}/hook\"]\nwebhook_secret_env = \"HOOK_SECRET\"\n",
                out.display()
            ),
        )
        .item("+++\nid = \"a1\"\nslug = \"walk\"\ntitle = \"Walk\"\n+++\nText.\n")
}

fn deploy(site: &SmallSite, more: &[&str]) -> Value {
    let mut command = program::command();
    let command = command.args(["deploy", "--json", "--site"]).arg(site.root()).args(more);
    let secret = format!("whsec_{}", STANDARD.encode([7; 32]));
    let command = command.env("PODPING_TOKEN", "the-token").env("HOOK_SECRET", secret);
    serde_json::from_str(&program::run(command).ok().out).unwrap()
}

#[test]
fn each_service_is_notified_of_changes() {
    let (url, asked) = mock_server(|_| ("202 Accepted", String::new()));
    let out = tempfile::tempdir().unwrap();
    let site = site_with_notifications(&url, out.path());
    let report = deploy(&site, &[]);
    assert_eq!(report["warnings"], serde_json::json!([]));
    let all: Vec<MockRequest> = asked.try_iter().collect();
    assert_eq!(report["told"], all.len());
    let to = |path: &str| -> Vec<&MockRequest> {
        all.iter().filter(|asked| asked.line.contains(path)).collect()
    };
    let hub = to("POST /hub ");
    assert_eq!(hub.len(), 2, "each of the two feeds");
    assert!(
        hub.iter().any(|asked| asked.body.contains("hub.mode=publish")
            && asked.body.contains("hub.topic=https%3A%2F%2Fwalks%2Eexample%2Frss%2Exml")),
        "{}",
        hub[0].body
    );
    let indexnow = to("POST /indexnow ");
    let told: Value = serde_json::from_str(&indexnow[0].body).unwrap();
    assert_eq!(told["host"], "walks.example");
    assert_eq!(told["keyLocation"], "https://walks.example/a1b2c3d4e5.txt");
    assert!(
        told["urlList"].as_array().unwrap().contains(&"https://walks.example/i/walk/".into()),
        "{told}"
    );
    for page in ["/404/", "/search/", "/rss/", "/json/"] {
        let page = format!("https://walks.example{page}");
        assert!(!told["urlList"].as_array().unwrap().contains(&page.into()), "{told}");
    }
    assert_eq!(std::fs::read_to_string(out.path().join("a1b2c3d4e5.txt")).unwrap(), "a1b2c3d4e5");
    let podping = to("GET /podping?url=https%3A%2F%2Fwalks%2Eexample%2Frss%2Exml ");
    assert_eq!(podping[0].header("authorization"), "the-token");
    let hook = to("POST /hook ")[0];
    let signed =
        format!("{}.{}.{}", hook.header("webhook-id"), hook.header("webhook-timestamp"), hook.body);
    let mut mac = Hmac::<Sha256>::new_from_slice(&[7; 32]).unwrap();
    mac.update(signed.as_bytes());
    assert_eq!(
        hook.header("webhook-signature"),
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    );
    let told: Value = serde_json::from_str(&hook.body).unwrap();
    assert_eq!(told["type"], "site.published");
    // The feeds name the hub.
    let rss = std::fs::read_to_string(out.path().join("rss.xml")).unwrap();
    assert!(rss.contains(&format!("<atom:link href=\"{url}/hub\" rel=\"hub\"/>")), "{rss}");
    let feed: Value =
        serde_json::from_slice(&std::fs::read(out.path().join("feed.json")).unwrap()).unwrap();
    assert_eq!(feed["hubs"][0]["type"], "WebSub");
    // Nothing new, nobody told; unless it is asked for.
    assert_eq!(deploy(&site, &[])["told"], 0);
    assert_eq!(asked.try_iter().count(), 0);
    assert_eq!(deploy(&site, &["--notify"])["told"], 5);
}

#[test]
fn a_failed_notification_is_a_warning() {
    let (url, _asked) = mock_server(|_| ("403 Forbidden", String::new()));
    let out = tempfile::tempdir().unwrap();
    let report = deploy(&site_with_notifications(&url, out.path()), &[]);
    assert_eq!(report["told"], 0);
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains("was not notified that the site changed")
            && warnings.contains("deploy --notify"),
        "{warnings}"
    );
    assert!(out.path().join("rss.xml").is_file());
}

#[test]
fn other_targets_notify_only_on_request() {
    let (url, asked) = mock_server(|_| ("202 Accepted", String::new()));
    let out = tempfile::tempdir().unwrap();
    let site = site_with_notifications(&url, &out.path().join("www"));
    let to = format!("folder:{}", out.path().join("try").display());
    assert_eq!(deploy(&site, &["--to", &to])["told"], 0);
    assert_eq!(deploy(&site, &["--base-url", "https://try.example"])["told"], 0);
    assert_eq!(asked.try_iter().count(), 0);
    assert_eq!(deploy(&site, &["--to", &to, "--notify"])["told"], 5);
}

#[test]
fn a_redirected_service_is_a_warning_without_secrets() {
    let (url, asked) = mock_server(|_| {
        (
            "301 Moved Permanently\r\nlocation: https://new.example/hooks/hidden?key=hidden",
            String::new(),
        )
    });
    let out = tempfile::tempdir().unwrap();
    let site = site_with_notifications(&url, out.path());
    let config = site.read("site.toml");
    let (before, _) = config.split_once("[deploy.notify]").unwrap();
    site.write(
        "site.toml",
        format!("{before}[deploy.notify]\nindexnow = \"a1b2c3d4e5\"\nindexnow_endpoint = \"{url}/hidden\"\nwebhooks_env = \"HOOKS\"\n"),
    );
    let hooks = format!("{url}/hidden/a, {url}/b?key=hidden\nftp://hidden");
    let mut command = program::command();
    let command = command.args(["deploy", "--json", "--site"]).arg(site.root());
    let ran = program::run(command.env("HOOKS", hooks)).ok();
    let said = ran.out + &ran.err;
    assert_eq!(said.matches("moved to https://new.example (").count(), 3, "{said}");
    assert!(said.contains("HOOKS contains an invalid address"), "{said}");
    assert!(!said.contains("hidden"), "{said}");
    assert!(asked.try_iter().all(|asked| asked.line.starts_with("POST ")));
}

#[test]
fn the_file_of_a_former_key_is_deleted() {
    let (url, _asked) = mock_server(|_| ("202 Accepted", String::new()));
    let out = tempfile::tempdir().unwrap();
    let site = site_with_notifications(&url, out.path());
    site.write("site-files/99999999.txt", "99999999");
    deploy(&site, &[]);
    let config = site.read("site.toml");
    site.write("site.toml", config.replace("a1b2c3d4e5", "f6a7b8c9d0"));
    deploy(&site, &[]);
    let names = ["99999999.txt", "f6a7b8c9d0.txt", "a1b2c3d4e5.txt"];
    let public = names.map(|name| site.path("public").join(name).is_file());
    assert_eq!(public, [true, true, false]);
}

#[test]
fn a_target_argument_is_the_site_target_by_default() {
    let (url, asked) = mock_server(|_| ("202 Accepted", String::new()));
    let out = tempfile::tempdir().unwrap();
    let site = site_with_notifications(&url, out.path());
    let to = format!("folder:{}", out.path().display());
    let config = site.read("site.toml");
    site.write("site.toml", config.replace(&format!("to = \"{to}\"\n"), ""));
    assert_eq!(deploy(&site, &["--to", &to])["told"], 5);
    assert_eq!(asked.try_iter().count(), 5);
}

#[test]
fn an_unresponsive_hub_is_asked_only_once() {
    let out = tempfile::tempdir().unwrap();
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let site = site_with_notifications(&url, out.path());
    let config = format!(
        "base_url = \"https://walks.example\"\n[deploy]\nto = \"folder:{}\"\n[deploy.notify]\nwebsub = [\"{url}/hub\"]\n",
        out.path().display()
    );
    site.write("site.toml", config);
    let report = deploy(&site, &[]);
    assert_eq!(report["warnings"].as_array().unwrap().len(), 1, "{report}");
}

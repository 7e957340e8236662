//! The content API of each show of a network, and keys that are limited to a show.

use feedwright::state::{Scope, Window};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::served::{Reply, Served, serve};
use crate::support::small_site::{SmallSite, feedwright, site};

fn served() -> Served {
    serve(
        site()
            .with("shows/walks/channel.md", "+++\ntitle = \"Walks\"\n+++\nAbout walks.\n")
            .with(
                "shows/walks/items/pier.md",
                "+++\nid = \"pier\"\ntitle = \"A pier\"\nslug = \"pier\"\n+++\nThe pier.\n",
            )
            .with("shows/tides/channel.md", "+++\ntitle = \"Tides\"\n+++\n")
            .with("shows/tides/show.toml", "path = \"/sea/\"\n")
            .with(
                "shows/tides/items/pier.md",
                "+++\nid = \"ebb\"\ntitle = \"Ebb\"\nslug = \"pier\"\n+++\nThe pier at ebb.\n",
            ),
    )
}

/// Sends a request with the server's key, or with another one.
fn call(served: &Served, method: &str, path: &str, body: &Value, key: Option<&str>) -> Reply {
    let key = key.map_or_else(|| served.key(&Scope::ALL, Window::default()), str::to_owned);
    let authorization = format!("Bearer {key}");
    served.send(method, path, &[("authorization", &authorization)], body.to_string().as_bytes())
}

fn ids(feed: &Value) -> Vec<&str> {
    let items = feed["items"].as_array().unwrap().iter();
    let mut ids: Vec<&str> = items.map(|item| item["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn the_api_of_a_show_has_only_what_belongs_to_the_show() {
    let served = served();
    let get = |path: &str| call(&served, "GET", path, &json!({}), None);
    let whole = get("/api/v1/feed/").ok();
    assert!(ids(&whole).contains(&"pier") && ids(&whole).contains(&"ebb"), "{whole}");
    let walks = get("/walks/api/v1/feed/").ok();
    assert_eq!((ids(&walks), &walks["title"]), (vec!["pier"], &json!("Walks")));
    let item = get("/walks/api/v1/items/pier/").ok();
    assert_eq!(item["items"][0]["url"], json!(format!("{}/walks/i/pier/", served.url)));
    // The same segment is another item in another show.
    assert_eq!(ids(&get("/sea/api/v1/items/pier/").ok()), ["ebb"]);
    assert_eq!(ids(&get("/api/v1/items/ebb/").ok()), ["ebb"]);
    assert_eq!(get("/walks/api/v1/items/ebb/").status, 404);
    let found = get("/walks/api/v1/search/?q=pier").ok();
    assert_eq!(ids(&found), ["pier"]);
    assert_eq!(ids(&get("/sea/api/v1/search/?q=pier").ok()), ["ebb"]);
    get("/walks/api/v1/site-files/").error(404);
    // The description has the show's address and operations.
    let described = get("/sea/api/v1/openapi.json").ok();
    assert_eq!(described["servers"][0]["url"], json!(format!("{}/sea/api/v1", served.url)));
    let has = |path: &str| described["paths"].get(path).is_some();
    assert!(has("/items/") && !has("/site-files/"));
    assert_eq!(get("/tides/api/v1/feed/").status, 404);
    let moved = get("/walks/api/v1/feed");
    assert_eq!((moved.status, moved.header("location")), (308, Some("/walks/api/v1/feed/")));
}

#[test]
fn writes_change_the_files_of_the_show() {
    let served = served();
    let made = call(&served, "POST", "/walks/api/v1/items/", &json!({"title": "New walk"}), None);
    let id = made.ok()["id"].as_str().unwrap().to_owned();
    let files = served.files();
    assert!(files.contains_key("shows/walks/items/new-walk.md"), "{:?}", files.keys());
    let path = format!("/walks/api/v1/items/{id}/");
    call(&served, "PUT", &path, &json!({"title": "A longer walk"}), None).ok();
    assert!(text(&served, "shows/walks/items/new-walk.md").contains("A longer walk"));
    call(&served, "PUT", "/sea/api/v1/channels/primary/", &json!({"title": "High tides"}), None)
        .ok();
    assert_eq!(text(&served, "shows/tides/channel.md"), "+++\ntitle = \"High tides\"\n+++\n");
    served.site.remove("shows/tides/channel.md");
    call(&served, "PUT", "/sea/api/v1/channels/primary/", &json!({"title": "Ebb"}), None).ok();
    assert!(text(&served, "shows/tides/channel.md").contains("Ebb"));
    call(&served, "PUT", &format!("/sea/api/v1/items/{id}/"), &json!({"title": "x"}), None)
        .error(404);
    let page = json!({"title": "Hosts", "slug": "hosts", "content_markdown": "We"});
    let page = call(&served, "POST", "/walks/api/v1/pages/", &page, None).ok();
    let page = format!("/walks/api/v1/pages/{}/", page["id"].as_str().unwrap());
    assert!(text(&served, "shows/walks/pages/hosts.md").contains("We"));
    assert_eq!(served.get("/walks/hosts/").status, 200);
    call(&served, "DELETE", &page, &json!({}), None).ok();
    assert!(text(&served, "shows/walks/redirects.toml").contains("\"/hosts/\" = \"/\""));
    assert_eq!(served.get("/walks/hosts/").header("location"), Some("/walks/"));
    call(&served, "DELETE", &path, &json!({}), None).ok();
    assert!(!served.files().contains_key("shows/walks/items/new-walk.md"));
}

/// A show with a pattern of addresses, and one that is published as a separate site.
fn with_addresses() -> Served {
    let item = |id: &str| {
        format!("+++\nid = \"{id}\"\ntitle = \"A walk\"\ndate = 2025-02-03\n+++\nText.\n")
    };
    let settings = "[addresses]\nitems = \"/{year}/{slug}/\"\n";
    let in_folder = |site: SmallSite, name: &str, id: &str, settings: String| {
        site.with(&format!("shows/{name}/channel.md"), format!("+++\ntitle = \"{name}\"\n+++\n"))
            .with(&format!("shows/{name}/show.toml"), settings)
            .with(&format!("shows/{name}/items/{id}.md"), item(id))
    };
    let site = in_folder(site(), "walks", "w2", String::new());
    let site = in_folder(site, "notes", "n2", format!("path = \"/n/\"\n{settings}"));
    let far = format!("base_url = \"https://far.example\"\n{settings}");
    serve(in_folder(site, "far", "f2", far))
}

#[test]
fn the_network_states_the_addresses_of_its_shows() {
    let served = with_addresses();
    let feed = served.read("/feed/").ok();
    let found = served.read("/search/?q=walk").ok();
    for (id, mount, path) in [
        ("w2", "/walks", "/walks/i/a-walk-w2/"),
        ("n2", "/n", "/n/2025/n2/"),
        ("f2", "/far", "/far/2025/f2/"),
    ] {
        let alone = served.read(&format!("/items/{id}/")).ok();
        let of_show =
            call(&served, "GET", &format!("{mount}/api/v1/items/{id}/"), &json!({}), None);
        for answer in [&alone, &feed, &found, &of_show.ok()] {
            let mut items = answer["items"].as_array().unwrap().iter();
            let item = items.find(|item| item["id"] == id).unwrap();
            let url = |path: &str| json!(format!("{}{path}", served.url));
            let extension = &item["_service"];
            assert_eq!(item["url"], url(path), "{item}");
            assert_eq!(extension["web_url"], url(path));
            assert_eq!(extension["json_url"], url(&format!("{mount}/i/{id}/item.json")));
            assert_eq!(extension["rss_url"], url(&format!("{mount}/i/{id}/item.rss")));
        }
        assert_eq!(served.get(path).status, 200, "{path}");
        assert_eq!(served.get(&format!("{mount}/i/{id}/item.json")).status, 200);
    }
    let second = json!({"title": "Second", "content_markdown": "x"});
    call(&served, "POST", "/n/api/v1/items/", &second, None).ok();
    let page = call(&served, "GET", "/n/api/v1/feed/?limit=1", &json!({}), None).ok();
    let next = page["next_url"].as_str().unwrap().strip_prefix(&served.url).unwrap();
    assert_eq!(ids(&call(&served, "GET", next, &json!({}), None).ok()), ["n2"]);
}

#[test]
fn the_network_writes_the_files_of_its_shows() {
    let served = with_addresses();
    let before = served.files();
    let url = |path: &str| json!(format!("{}{path}", served.url));
    let named = served.put("/items/n2/", &json!({"title": "Night", "_service": {"slug": "night"}}));
    assert_eq!(named.ok()["url"], url("/n/2025/night/"));
    let dated = served.put("/items/n2/", &json!({"date_published": "2024-02-03T00:00:00Z"})).ok();
    assert_eq!(dated["url"], url("/n/2024/night/"));
    for former in ["/n/2025/n2/", "/n/2025/night/", "/n/i/n2/"] {
        let reply = served.get(former);
        assert_eq!(
            (reply.status, reply.header("location")),
            (301, Some("/n/2024/night/")),
            "{former}"
        );
    }
    served.put("/items/f2/", &json!({"_service": {"slug": "far"}})).ok();
    assert!(text(&served, "shows/far/items/f2.md").contains("\"/2025/f2/\""));
    let moved = served.get("/far/2025/f2/");
    assert_eq!((moved.status, moved.header("location")), (301, Some("/far/2025/far/")));
    let after = served.files();
    assert!(after.keys().eq(before.keys()), "{:?}", after.keys());
    // A translation belongs to the show of its original, which has one language.
    let translated = json!({"title": "x", "content_markdown": "x", "language": "de", "_service": {"translation_of": "w2"}});
    assert!(served.post("/items/", &translated).error(400).contains("one language"));
    served.delete("/items/w2/").ok();
    assert!(!served.files().contains_key("shows/walks/items/w2.md"));
    served.site.built();
}

#[test]
fn a_key_of_a_creation_belongs_to_its_show() {
    let served = served();
    let body = json!({"title": "Once", "content_markdown": "x"}).to_string();
    let authorization = format!("Bearer {}", served.key(&Scope::ALL, Window::default()));
    let headers = [("authorization", &*authorization), ("idempotency-key", "one")];
    let create = |path: &str| {
        let reply = served.send("POST", path, &headers, body.as_bytes());
        let replayed = reply.header("idempotency-replayed").is_some();
        (reply.ok()["id"].as_str().unwrap().to_owned(), replayed)
    };
    let paths = ["/walks/api/v1/items/", "/sea/api/v1/items/", "/api/v1/items/"];
    let first = paths.map(create);
    assert!(first.iter().all(|(_, replayed)| !replayed));
    for file in ["shows/walks/items/once.md", "shows/tides/items/once.md", "content/items/once.md"]
    {
        assert!(served.site.exists(file), "{file}");
    }
    assert_eq!(paths.map(create), first.map(|(id, _)| (id, true)));
}

#[test]
fn an_id_is_unique_across_all_shows() {
    let served = served();
    for path in ["/walks/api/v1/items/", "/sea/api/v1/items/", "/api/v1/items/"] {
        let body = json!({"id": "ebb", "title": "Again", "content_markdown": "x"});
        let error = call(&served, "POST", path, &body, None).error(409);
        assert!(error.contains("ebb is already taken"), "{path}: {error}");
    }
    served.site.built();
}

#[test]
fn a_key_of_a_show_has_only_scopes_of_shows() {
    let served = served();
    let create = |scopes: &[&str]| {
        let start = ["keys", "create", "--name", "k", "--show", "walks"];
        feedwright(&served.site, &[&start, scopes].concat())
    };
    let (code, _, told) = create(&["--scope", "content:read", "--scope", "calendar"]);
    assert_eq!(code, 2, "{told}");
    assert!(told.contains("calendar belongs to the whole site"), "{told}");
    assert_eq!(create(&["--scope", "content:read", "--scope", "content:write"]).0, 0);
}

#[test]
fn a_key_can_be_limited_to_a_show() {
    let served = served();
    let state = served.state();
    let scopes: &[Scope] = &Scope::ALL;
    let made =
        state.create_key_for(Some("tides"), ("t", scopes), Window::default(), Timestamp::now());
    let (key, secret) = made.unwrap();
    assert_eq!(key.show.as_deref(), Some("tides"));
    let get = |path: &str| call(&served, "GET", path, &json!({}), Some(secret.expose()));
    assert_eq!(ids(&get("/sea/api/v1/feed/").ok()), ["ebb"]);
    for path in ["/api/v1/feed/", "/walks/api/v1/feed/", "/calendar/v3/users/me/calendarList"] {
        let reply = get(path);
        assert_eq!(reply.status, 403, "{path}");
        assert!(reply.text().contains("limited to the show tides"), "{}", reply.text());
    }
}

fn text(served: &Served, file: &str) -> String {
    String::from_utf8(served.files()[file].clone()).unwrap()
}

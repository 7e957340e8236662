//! Whatever publishes writes a date if there is none: a button of the editor, an agent, a change of status through the API.
//! A draft has none, and `check` finds published items without one.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::lint::rules::{EPISODE_PATH, show};
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, feedwright, site};

const ITEM_PATH: &str = "content/items/fog.md";

/// The draft of an item in TOML or YAML, with more front matter.
fn draft_text(more: &str) -> String {
    format!(
        "---\nid: fog\nslug: fog\ntitle: Fog # of the sea\nstatus: unpublished\n{more}---\nGrey.\n"
    )
}

/// The date that a text has under a key.
fn date_of(text: &str, key: &str) -> Option<Timestamp> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix([':', ' ']))?;
    line.trim_start_matches([' ', '=']).trim().trim_matches(['"', '\'']).parse().ok()
}

fn is_recent(date: Option<Timestamp>) -> bool {
    date.is_some_and(|date| Timestamp::now().duration_since(date).as_secs().abs() < 100)
}

/// The text after these changes of fields in the editor.
fn edited(ada: &Person<'_>, path: &str, text: &str, changes: &Value) -> String {
    let changes = json!({ "path": path, "text": text, "changes": changes });
    let edited = ada.ask("edit", &changes).ok();
    format!("{}{}", edited["head"].as_str().unwrap(), edited["body"].as_str().unwrap())
}

#[test]
fn publishing_in_the_editor_sets_the_date() {
    let served = serve(site().with(ITEM_PATH, draft_text("")));
    let ada = person(&served);
    let no_status = json!([{ "keys": ["status"], "value": null }]);
    let page = "content/pages/fog.md";
    let of_page = "+++\nid = \"fog\"\ntitle = \"Fog\"\nstatus = \"unpublished\"\n+++\nGrey.\n";
    for (path, text) in [(ITEM_PATH, draft_text("")), (page, of_page.to_owned())] {
        let published = edited(&ada, path, &text, &no_status);
        assert!(is_recent(date_of(&published, "date_published")), "{published}");
        // Nothing else changes.
        let without_date = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with("date_published"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        let was: Vec<_> = text.lines().filter(|line| !line.starts_with("status")).collect();
        assert_eq!(without_date(&published), was);
    }
    for status in ["published", "unlisted"] {
        let change = json!([{ "keys": ["status"], "value": status }]);
        let published = edited(&ada, ITEM_PATH, &draft_text(""), &change);
        assert!(is_recent(date_of(&published, "date_published")), "{published}");
    }
    // From unlisted to published, too.
    let unlisted = draft_text("").replace("unpublished", "unlisted");
    let published = edited(&ada, ITEM_PATH, &unlisted, &no_status);
    assert!(is_recent(date_of(&published, "date_published")), "{published}");
    // A date that was chosen stays, under whatever key, and in the name of the file.
    for more in ["date_published: 2030-01-05T09:00:00Z\n", "date: 2030-01-05\n"] {
        let published = edited(&ada, ITEM_PATH, &draft_text(more), &no_status);
        assert_eq!(published, draft_text(more).replace("status: unpublished\n", ""));
    }
    let named = "content/items/2026-01-05-fog.md";
    let published = edited(&ada, named, &draft_text(""), &no_status);
    assert_eq!(date_of(&published, "date_published"), None);
    // Other changes write no date: another field, a draft that stays one, one that is taken back.
    let shown = "---\nid: fog\ntitle: Fog\n---\nGrey.\n";
    for (text, change) in [
        (draft_text("").as_str(), json!([{ "keys": ["title"], "value": "Mist" }])),
        (shown, json!([{ "keys": ["status"], "value": "unpublished" }])),
        (shown, json!([{ "keys": ["status"], "value": "unlisted" }])),
    ] {
        let text = edited(&ada, ITEM_PATH, text, &change);
        assert!(!text.contains("date"), "{text}");
    }
}

#[test]
fn the_date_uses_the_site_s_time_zone() {
    let served = serve(
        site()
            .with("site.toml", "base_url = \"https://a.example\"\ntimezone = \"Asia/Kolkata\"\n")
            .with(ITEM_PATH, draft_text("")),
    );
    let ada = person(&served);
    let change = json!([{ "keys": ["status"], "value": null }]);
    let published = edited(&ada, ITEM_PATH, &draft_text(""), &change);
    assert!(published.contains("+05:30"), "{published}");
    assert!(is_recent(date_of(&published, "date_published")), "{published}");
}

#[test]
fn publishing_an_unlisted_item_through_the_api_sets_its_date() {
    let unlisted = "+++\nid = \"fog\"\ntitle = \"Fog\"\nstatus = \"unlisted\"\n+++\nGrey.\n";
    let served = serve(site().with(ITEM_PATH, unlisted));
    let text = || served.site.read(ITEM_PATH);
    served.put("/items/fog/", &json!({ "status": "unlisted" })).ok();
    assert_eq!(text(), unlisted);
    served.put("/items/fog/", &json!({ "status": "published" })).ok();
    assert!(is_recent(date_of(&text(), "date_published")), "{}", text());
}

fn new_item(site: &SmallSite, arguments: &[&str]) -> (String, String) {
    let (code, stdout, fault) = feedwright(site, &[&["new", "item"], arguments].concat());
    assert_eq!(code, 0, "{fault}");
    let path = stdout.trim().to_owned();
    let text = site.read(&path);
    (path, text)
}

#[test]
fn new_items_have_a_date_and_new_drafts_have_none() {
    let site = site();
    for arguments in [&["Fog", "--draft"][..], &["--draft"], &["Fog", "--draft", "--folder"]] {
        let (path, text) = new_item(&site, arguments);
        assert!(!text.contains("date") && text.contains("status = \"unpublished\""), "{text}");
        // A day at the start of a file's name is a date, too.
        let name = path.strip_prefix("content/items/").unwrap();
        assert!(!name.starts_with("20"), "{path}");
    }
    let (_, text) = new_item(&site, &["Rain"]);
    assert!(is_recent(date_of(&text, "date_published")), "{text}");
}

/// The warnings of `check` about missing dates.
fn date_warnings(site: &SmallSite) -> Vec<Value> {
    let (_, stdout, fault) = feedwright(site, &["check", "--json"]);
    let report: Value = serde_json::from_str(&stdout).expect(&fault);
    let all = report["diagnostics"].as_array().unwrap().clone();
    let is_date = |one: &Value| {
        let rule = one["rule"].as_str().unwrap_or_default();
        ["item-date", "episode-date"].contains(&rule)
    };
    all.into_iter().filter(is_date).collect()
}

#[test]
fn published_items_of_every_kind_need_a_date() {
    let kinds = [
        ("article", "title = \"T\"\n", "Text.\n"),
        ("note", "", "Text.\n"),
        ("link", "title = \"T\"\nurl = \"https://b.example/\"\n", ""),
        ("photo", "attachment = { url = \"https://b.example/a.jpg\" }\n", ""),
        ("paper", "attachment = { url = \"https://b.example/a.pdf\" }\n", ""),
        (
            "episode",
            "title = \"T\"\nattachment = { url = \"https://b.example/a.mp3\", size_in_bytes = 1, duration_in_seconds = 1 }\n",
            "",
        ),
    ];
    for (kind, fields, body) in kinds {
        let with = |more: &str| {
            let text = format!("+++\nid = \"{kind}\"\n{fields}{more}+++\n{body}");
            show().with("content/items/b.md", text)
        };
        let found = date_warnings(&with(""));
        assert_eq!(found.len(), 1, "{kind}: {found:?}");
        assert_eq!(found[0]["file"], "content/items/b.md", "{kind}");
        for fine in [
            "date_published = 2026-01-05\n",
            "status = \"unpublished\"\n",
            "status = \"unlisted\"\n",
            "allow = [\"item-date\", \"episode-date\"]\n",
        ] {
            let found = date_warnings(&with(fine));
            assert!(found.is_empty(), "{kind} {fine}: {found:?}");
        }
    }
    // The day of a file's name is a date.
    let named = show().with("content/items/2026-01-05-b.md", "+++\nid = \"b\"\n+++\nText.\n");
    assert!(date_warnings(&named).is_empty());
    assert!(date_warnings(&show()).is_empty(), "{EPISODE_PATH} has one");
}

//! Webhooks that go out while a site is served: what each change tells, whichever way it was made.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::receiver::{Receiver, answering, receiver};
use crate::served::{Served, serve};
use crate::small_site::{SmallSite, site};

const TOML: &str = "base_url = \"https://walks.example\"\n";

/// A site with an item, and a webhook of the receiver.
fn told(receiver: &Receiver, more: &str) -> SmallSite {
    site()
        .with("site.toml", format!("{TOML}{}", receiver.webhook(more)))
        .with("content/items/a.md", "+++\nid = \"a\"\ntitle = \"Walk\"\n+++\nText.\n")
}

/// Serves it, when what was there before has been noted.
fn serving(site: SmallSite) -> Served {
    let served = serve(site);
    noted(&served);
    served
}

/// Waits until the ledger is there.
fn noted(served: &Served) {
    let file = served.site.path(".feedwright/state.sqlite");
    let latest = Instant::now() + Duration::from_secs(20);
    while Instant::now() < latest {
        let state = rusqlite::Connection::open(&file).unwrap();
        let sql = "SELECT count(*) FROM ledger_of_resources";
        if state.query_row(sql, (), |row| row.get(0)) == Ok(1) {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("nothing was noted");
}

#[test]
fn a_change_by_a_file_is_told_and_what_was_there_before_is_not() {
    let receiver = receiver();
    let served = serving(told(&receiver, ""));
    served.site.write("content/items/a.md", "+++\nid = \"a\"\ntitle = 'Walk'\n+++\nMore text.\n");
    receiver.wait_for(&["item.updated a body"]);
    let got = &receiver.got()[0];
    assert_eq!(got.path, "/hook");
    assert_eq!(
        got.json["data"],
        json!({
            "id": "a", "title": "Walk", "url": "https://walks.example/i/walk-a/", "status": "published",
            "public": true, "file": "content/items/a.md", "changed": ["body"],
        })
    );
    assert_eq!(got.header("content-type"), Some("application/json"));
}

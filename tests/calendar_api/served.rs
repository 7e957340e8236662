//! A served site with calendars, and calls of the calendar API.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;

use feedwright::state::{Scope, Window};
use serde_json::Value;

use crate::support::served::{KEY, Reply, Served, serve};
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

/// A site with a primary calendar `shows` in Berlin.
pub fn shows() -> SmallSite {
    site()
        .with(
            "content/calendars/shows/calendar.toml",
            "summary = \"Shows\"\ndescription = \"What is on\"\ntimeZone = \"Europe/Berlin\"\nprimary = true\n\
             defaultReminders = [{ method = \"popup\", minutes = 10 }]\n",
        )
        .with("content/calendars/mark/calendar.toml", "summary = \"Mark\"\n")
        .with("content/calendars/mark/mark.md", mark(0))
}

fn mark(count: u32) -> String {
    format!("+++\nid = \"mark\"\nsummary = \"{count}\"\nstart = \"2026-01-01\"\n+++\n")
}

/// The file of an event: front matter and body.
pub fn event(front: &str) -> String {
    format!("+++\n{front}\n+++\nText\n")
}

/// The served site.
pub struct CalendarServer {
    pub served: Served,
    marks: Cell<u32>,
}

/// Serves a site that [`shows`] began.
pub fn calendars(site: SmallSite) -> CalendarServer {
    CalendarServer { served: serve(site), marks: Cell::new(0) }
}

impl CalendarServer {
    /// Calls the API with a key.
    pub fn get_as(&self, key: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
        let key = format!("Bearer {key}");
        let mut all = vec![("authorization", key.as_str())];
        all.extend_from_slice(headers);
        self.served.send("GET", &format!("/calendar/v3{path}"), &all, b"")
    }

    /// Calls the API with the key of all scopes.
    pub fn get(&self, path: &str) -> Reply {
        self.get_as(KEY, path, &[])
    }

    /// The events list of `shows`.
    pub fn events(&self, query: &str) -> Reply {
        self.get(&format!("/calendars/shows/events?{query}"))
    }

    /// The ids of the events list, of one page.
    pub fn ids(&self, query: &str) -> Vec<String> {
        ids(&self.events(query).ok())
    }

    /// Every entry of a list in pages, and its sync token.
    pub fn all(&self, query: &str) -> (Vec<Value>, String) {
        let (mut items, mut page) = (Vec::new(), String::new());
        for _ in 0..10_000 {
            let answer = self.events(&format!("{query}{page}")).ok();
            items.extend(answer["items"].as_array().unwrap().iter().cloned());
            let tokens = (answer.get("nextPageToken"), answer.get("nextSyncToken"));
            match tokens {
                (Some(next), None) => page = format!("&pageToken={}", next.as_str().unwrap()),
                (None, Some(sync)) => return (items, sync.as_str().unwrap().to_owned()),
                other => panic!("{other:?}"),
            }
        }
        panic!("{query}: the pages do not end");
    }

    /// The error of a call of the events list: its reason and message.
    pub fn fault(&self, query: &str, status: u16) -> (String, String) {
        fault(&self.events(query), status)
    }

    /// A key's secret.
    pub fn key(&self, scopes: &[Scope]) -> String {
        self.served.key(scopes, Window::default())
    }

    /// Saves a file of `shows`, and waits until the server has seen it.
    pub fn save(&self, name: &str, text: &str) {
        self.edit(name, Some(text));
        self.wait_until_served();
    }

    /// Removes a file of `shows`, and waits until the server has seen it.
    pub fn remove(&self, name: &str) {
        self.edit(name, None);
        self.wait_until_served();
    }

    /// Saves or removes a file of `shows` in one step.
    pub fn edit(&self, name: &str, text: Option<&str>) {
        edit(&self.served.site, &format!("content/calendars/shows/{name}"), text);
    }

    /// Waits until the server has seen all that was saved before.
    pub fn wait_until_served(&self) {
        self.marks.set(self.marks.get() + 1);
        let count = self.marks.get();
        edit(&self.served.site, "content/calendars/mark/mark.md", Some(&mark(count)));
        wait::until(|| {
            let found = self.get("/calendars/mark/events/mark").ok();
            found["summary"].as_str() == Some(count.to_string().as_str())
        });
    }

    /// Ends the server, lets something happen to the files, and serves them again.
    pub fn restarted(self, meanwhile: impl FnOnce(&SmallSite)) -> Self {
        meanwhile(&self.served.site);
        Self { served: self.served.restarted(), marks: self.marks }
    }
}

/// Saves as careful editors do, so that no half of a file is ever seen.
pub fn edit(site: &SmallSite, path: &str, text: Option<&str>) {
    match text {
        Some(text) => {
            site.write("saving", text);
            fs::rename(site.path("saving"), site.path(path)).unwrap();
        }
        None => site.remove(path),
    }
}

/// The ids of a list.
pub fn ids(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// Ids with their status.
pub fn statuses(items: &[Value]) -> BTreeMap<String, String> {
    let pair = |item: &Value| {
        let text = |name: &str| item[name].as_str().unwrap().to_owned();
        (text("id"), text("status"))
    };
    items.iter().map(pair).collect()
}

/// The reason and the message of an error, which has to have the form of this API.
pub fn fault(reply: &Reply, status: u16) -> (String, String) {
    assert_eq!(reply.status, status, "{}", reply.text());
    let error = &reply.json()["error"];
    assert_eq!(error["code"], status, "{error}");
    assert!(error["status"].is_string(), "{error}");
    let cause = &error["errors"][0];
    assert_eq!(cause["domain"], "global");
    assert_eq!(cause["message"], error["message"]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&cause["reason"]), text(&cause["message"]))
}

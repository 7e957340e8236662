//! Sample messages of all types, for developers of receivers.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::message::{Facts, posted, with_facts};
use super::payload::{
    Build, CalendarData, ChannelData, Deploy, Entry, EventData, NavigationData, SiteFileData, Test,
    ThemeData,
};
use super::resource::NAVIGATION;
use model::{Config, Status};
use state::{Message, MessageState};

/// 2026-03-01T10:00:00Z in seconds since 1970.
const TIME: i64 = 1_772_359_200;

/// Returns a sample message of a type for a webhook of this site. The message is marked as a test.
pub fn sample(kind: &str, config: &Config) -> Value {
    let (of, what) = kind.split_once('.').unwrap_or_default();
    let time = Timestamp::from_second(TIME).unwrap_or_default();
    let (data, changed) = data(of, what, config, time);
    let facts = Facts {
        object: object(of, what, &data),
        previous_status: previous_status(of, what),
        site: config.url("/"),
    };
    let data = with_facts(&data, facts);
    let message = Message {
        number: 0,
        id: "msg_4k2q7v9m0xw8r3t6y1zb5c".to_owned(),
        endpoint: String::new(),
        kind: kind.to_owned(),
        resource: String::new(),
        time,
        data,
        changed: changed.filter(|_| what == "updated").map(str::to_owned),
        causation: None,
        correlation: None,
        depth: 0,
        state: MessageState::Waiting,
        attempts: 0,
        next: time,
        answer: None,
        ended: None,
    };
    json!(posted(&message, true))
}

/// Returns the object in a sample message: the data without internal fields. Items and pages get an
/// example body.
fn object(of: &str, what: &str, data: &str) -> Option<Value> {
    let mut object: Value = serde_json::from_str(data).ok()?;
    let is_entry = matches!(of, "item" | "page") && what != "navigation_updated";
    if is_entry && what != "deleted" {
        object["content_html"] = "<p>Out at low tide.</p>".into();
        object["content_text"] = "Out at low tide.".into();
    }
    let fields = object.as_object_mut()?;
    for own in ["public", "file"] {
        fields.remove(own);
    }
    Some(object)
}

fn previous_status(of: &str, what: &str) -> Option<&'static str> {
    if !matches!(of, "item" | "page") {
        return None;
    }
    match what {
        "published" => Some(Status::Unpublished.as_str()),
        "updated" | "unlisted" | "unpublished" | "deleted" => Some(Status::Published.as_str()),
        _ => None,
    }
}

/// Returns the data of a sample message, and the parts that change in an update.
fn data(of: &str, what: &str, config: &Config, time: Timestamp) -> (String, Option<&'static str>) {
    let public = matches!(what, "updated" | "published" | "unlisted");
    let status = match (public, what) {
        (true, "unlisted") => Status::Unlisted,
        (true, _) => Status::Published,
        (false, _) => Status::Unpublished,
    };
    let entry = |id: &str, title: &str, path: &str, file: &str| Entry {
        id: id.to_owned(),
        title: title.to_owned(),
        url: config.url(path),
        status: status.as_str().to_owned(),
        public,
        date_published: Some(time),
        file: file.to_owned(),
        changed: None,
    };
    match of {
        "item" => {
            let path = "/i/a-walk-by-the-sea-walk-1/";
            let item = entry("walk-1", "A walk by the sea", path, "content/items/walk.md");
            (text(&item), Some("body tags"))
        }
        "page" if what == "navigation_updated" => {
            let navigation = NavigationData {
                id: NAVIGATION.to_owned(),
                page_ids: vec!["about".to_owned(), "contact".to_owned()],
            };
            (text(&navigation), None)
        }
        "theme" => {
            let theme = ThemeData {
                id: "default".to_owned(),
                name: "Default".to_owned(),
                package_id: "feedwright.default".to_owned(),
                version: "1.0.0".to_owned(),
            };
            (text(&theme), None)
        }
        "page" => {
            let page = entry("about", "About", "/about/", "content/pages/about.md");
            (text(&page), Some("title"))
        }
        "site_file" => {
            let file = SiteFileData {
                id: "a23z0dgqegh".to_owned(),
                filename: "humans.txt".to_owned(),
                url: config.url("/humans.txt"),
                content_type: "text/plain".to_owned(),
                public,
                file: "site-files/humans.txt".to_owned(),
                changed: None,
            };
            (text(&file), Some("template"))
        }
        "event" => {
            let event = EventData {
                id: "walk-in-may".to_owned(),
                calendar: "walks".to_owned(),
                title: "A walk in May".to_owned(),
                status: "confirmed".to_owned(),
                public,
                file: "content/calendars/walks/walk-in-may.md".to_owned(),
                changed: None,
            };
            (text(&event), Some("start"))
        }
        "calendar" => {
            let calendar = CalendarData {
                id: "walks".to_owned(),
                title: "Walks".to_owned(),
                public,
                file: "content/calendars/walks/calendar.toml".to_owned(),
                changed: None,
            };
            (text(&calendar), Some("summary"))
        }
        "channel" => {
            let channel = ChannelData {
                id: "primary".to_owned(),
                title: "Walks".to_owned(),
                url: config.url("/"),
                public,
                file: "content/channel.md".to_owned(),
                changed: None,
            };
            (text(&channel), Some("title"))
        }
        "build" => {
            let build =
                Build { url: config.url("/"), items: 12, files: 80, written: 5, removed: 0 };
            (text(&build), None)
        }
        "deploy" => {
            let deploy = Deploy { url: config.url("/"), put: 5, deleted: 0 };
            (text(&deploy), None)
        }
        _ => {
            let test = Test { url: config.url("/"), webhook: "walks".to_owned() };
            (text(&test), None)
        }
    }
}

fn text(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default()
}

//! The dataset `site`: tables of what the site is now.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use feedwright::project;
use feedwright::state::{JournalEntry, State};
use feedwright::stats::{Episodes, import};
use feedwright::tables::{SiteTables, open_warehouse};
use jiff::Timestamp;
use rusqlite::Connection;
use rusqlite::types::Value;
use warehouse::engine::LiveTables;
use warehouse::store::Kind;
use warehouse::{Control, Reason, Store, TableId, Type};

use crate::support::{self, NOW, Site, Work};

/// A row by its columns.
type Row = BTreeMap<String, Value>;

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

/// A site with something in every table.
fn rich_site() -> Site {
    Site::fixture("small-site")
        .write("content/calendars/shows/calendar.toml", "timeZone = \"Europe/Berlin\"\n")
        .write(
            "content/calendars/shows/weekly.md",
            "+++\nid = \"weekly\"\nsummary = \"Weekly\"\nstart = 2026-03-05T20:00:00\nend = 2026-03-05T21:00:00\n\
             recurrence = [\"RRULE:FREQ=WEEKLY;COUNT=5\"]\nattendees = [{ email = \"cy@cy.example\", responseStatus = \"accepted\" }]\n\
             [live]\nenclosure = { url = \"https://live.example/\", type = \"audio/mpeg\" }\n+++\nCome *in*.\n",
        )
        .write(
            "content/calendars/shows/later.md",
            "+++\nrecurringEventId = \"weekly\"\noriginalStartTime = 2026-03-12T20:00:00\nstart = 2026-03-13T20:00:00\nend = 2026-03-13T22:00:00\n+++\n",
        )
        .write(
            "content/calendars/own/day.md",
            "+++\nid = \"day\"\nsummary = \"A day\"\nstart = 2026-05-01\nend = 2026-05-03\nvisibility = \"private\"\nstatus = \"cancelled\"\n+++\n",
        )
        .write("site-files/humans.txt.draft", "Ada\n")
        .write(
            "content/channel.md",
            "+++\ntitle = \"Show\"\nlanguage = \"en\"\n[podcast]\npeople = [{ name = \"Ada\" }]\n+++\n",
        )
}

struct Tables {
    site: project::Site,
    state: State,
    store: Store,
    folder: Site,
}

fn tables(site: Site) -> Tables {
    let read = project::read(&support::options(site.root(), site.root()), &|| ());
    let state = State::open(site.root()).unwrap();
    Tables {
        site: read.0.unwrap(),
        state,
        store: open_warehouse(site.root()).unwrap(),
        folder: site,
    }
}

impl Tables {
    fn live(&self) -> SiteTables<'_> {
        SiteTables {
            snapshot: &self.site.snapshot,
            state: &self.state,
            store: &self.store,
            root: self.folder.root(),
            now: now(),
        }
    }

    /// All rows of a table, with the columns of it that were asked for.
    fn rows(&self, table: &str, columns: &[&str]) -> Vec<Row> {
        let asked: BTreeSet<String> = columns.iter().map(|&name| name.to_owned()).collect();
        self.filled_rows(table, &asked, &Control::default()).unwrap()
    }

    fn filled_rows(
        &self,
        table: &str,
        asked: &BTreeSet<String>,
        control: &Control,
    ) -> Result<Vec<Row>, warehouse::Fault> {
        let connection = Connection::open_in_memory().unwrap();
        let table = TableId::parse(table).unwrap();
        let sql = "temp.\"a \"\"table\"\"\"";
        self.live().fill(&connection, sql, &table, asked, control)?;
        let mut statement = connection.prepare(&format!("SELECT * FROM {sql}")).unwrap();
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let rows = statement.query_map([], |row| {
            let cells = names.iter().enumerate();
            cells.map(|(at, name)| Ok((name.clone(), row.get(at)?))).collect()
        });
        Ok(rows.unwrap().map(Result::unwrap).collect())
    }

    fn every_column(&self, table: &str) -> BTreeSet<String> {
        let found = self.live().find(&TableId::parse(table).unwrap()).unwrap();
        found.fields.into_iter().map(|field| field.name).collect()
    }

    /// The row whose column is this text.
    fn one(&self, table: &str, column: &str, is: &str) -> Row {
        let all = self.every_column(table);
        let rows = self.filled_rows(table, &all, &Control::default()).unwrap();
        let found = rows.into_iter().find(|row| row[column] == text(is));
        found.unwrap_or_else(|| panic!("no {column} of {table} is {is}"))
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn instant(text: &str) -> Value {
    Value::Integer(text.parse::<Timestamp>().unwrap().as_microsecond())
}

/// Whether SQLite keeps a value of this type so.
fn is_storable(of: &Type, value: &Value) -> bool {
    match (of, value) {
        (_, Value::Null) => true,
        (Type::String, Value::Text(_))
        | (Type::Bytes, Value::Blob(_))
        | (Type::Integer | Type::Timestamp, Value::Integer(_))
        | (Type::Boolean, Value::Integer(0 | 1)) => true,
        (Type::Float, Value::Real(number)) => number.is_finite(),
        (Type::Date, Value::Text(text)) => text.parse::<jiff::civil::Date>().is_ok(),
        (Type::Array(_) | Type::Struct(_), Value::Text(text)) => {
            is_storable_json(of, &serde_json::from_str(text).unwrap())
        }
        _ => false,
    }
}

fn is_storable_json(of: &Type, value: &serde_json::Value) -> bool {
    match of {
        Type::Array(element) => {
            let list = value.as_array();
            list.is_some_and(|list| list.iter().all(|one| is_storable_json(element, one)))
        }
        Type::Struct(fields) => value.as_object().is_some_and(|members| {
            let mut fields = fields.iter();
            members.len() == fields.len()
                && fields.all(|field| is_storable_json(&field.of, &members[&field.name]))
        }),
        Type::String => value.is_string() || value.is_null(),
        Type::Boolean => value.is_boolean() || value.is_null(),
        other => panic!("no element of a live table is {other}"),
    }
}

/// Somebody listens to the episode.
fn import_listener_log(tables: &Tables) {
    let episodes = Episodes::of(&tables.site.snapshot, tables.folder.root());
    let path = &episodes.find("episode0001").unwrap().files[0].path;
    let line = format!(
        "203.0.113.7 - - [08/Mar/2026:23:30:00 -0100] \"GET {path} HTTP/1.1\" 200 9000000 \"-\" \"Overcast/3.0 (+http://overcast.fm/; iOS podcast app)\"\n"
    );
    let control = Control::default();
    import(&tables.store, "access.log", line.as_bytes(), None, &episodes, &control).unwrap();
}

#[test]
fn downloads_are_counted_from_imported_logs() {
    let tables = tables(rich_site());
    assert_eq!(tables.rows("downloads", &[]).len(), 0);
    import_listener_log(&tables);
    let row = tables.one("downloads", "item_id", "episode0001");
    assert_eq!(row["title"], text("An episode"));
    assert_eq!(row["app"], text("Overcast"));
    assert_eq!(row["date"], text("2026-03-09"));
    assert_eq!(row["time"], instant("2026-03-09T00:30:00Z"));
    let request = tables.one("requests", "log", "access.log");
    assert_eq!((&request["status"], &request["method"]), (&Value::Integer(200), &text("GET")));
    assert_eq!(request["listener"], row["listener"]);
}

#[test]
fn every_value_has_the_type_of_its_column() {
    let tables = tables(rich_site());
    tables.state.append(&journal_entry("items.create", "hello")).unwrap();
    import_listener_log(&tables);
    let all = tables.live().all();
    assert_eq!(all.len(), 10);
    for table in all {
        let name = table.name.table.as_str();
        assert_eq!(table.kind, Kind::Live);
        assert!(table.facts.description.is_some());
        let columns = tables.every_column(name);
        assert_eq!(columns.len(), table.fields.len(), "{name}: two columns of one name");
        let rows = tables.filled_rows(name, &columns, &Control::default()).unwrap();
        assert!(!rows.is_empty(), "{name}");
        for field in &table.fields {
            assert!(field.description.is_some(), "{name}.{}", field.name);
            for value in rows.iter().map(|row| &row[&field.name]) {
                let is_never_null = field.is_required || matches!(field.of, Type::Array(_));
                assert!(is_storable(&field.of, value), "{name}.{}: {value:?}", field.name);
                assert!(!is_never_null || *value != Value::Null, "{name}.{}", field.name);
            }
        }
    }
}

#[test]
fn only_requested_columns_are_filled() {
    let tables = tables(rich_site());
    let count = tables.site.snapshot.entries.len();
    let rows = tables.rows("items", &["title"]);
    assert_eq!(rows.len(), count);
    for row in rows {
        for (name, value) in row {
            assert_eq!(value == Value::Null, name != "title", "{name}");
        }
    }
    assert_eq!(tables.rows("items", &[]).len(), count, "rows without a column");
}

#[test]
fn an_item_has_all_values_of_its_file() {
    let tables = tables(rich_site());
    let row = tables.one("items", "id", "episode0001");
    for (column, value) in [
        ("title", text("An episode")),
        ("slug", text("an-episode")),
        ("path", text("/i/an-episode/")),
        ("aliases", text("[\"pilot\"]")),
        ("tags", text("[\"First Tag\",\"Show\"]")),
        ("status", text("published")),
        ("is_public", Value::Integer(1)),
        ("date_published", instant("2026-03-06T10:00:00Z")),
        ("file", text("content/items/episode/index.md")),
        ("attachment_category", text("audio")),
        ("season", Value::Integer(2)),
        ("season_name", text("The second")),
        ("episode", Value::Real(3.0)),
        ("episode_type", text("full")),
        ("explicit", Value::Integer(1)),
        ("has_transcript", Value::Integer(1)),
        ("chapter_count", Value::Integer(3)),
        ("content_text", text("Show notes with a link.")),
        ("word_count", Value::Integer(5)),
        ("external_url", Value::Null),
        ("url", row["web_url"].clone()),
    ] {
        assert_eq!(row[column], value, "{column}");
    }
}

#[test]
fn an_item_has_its_series_and_its_part() {
    let item = |series: &str| format!("+++\ntitle = \"Part\"\nseries = {series}\n+++\n");
    let site = rich_site()
        .write("content/items/one.md", &item("{ name = \"Boats\", part = 2 }"))
        .write("content/items/two.md", &item("\"Boats\""));
    let tables = tables(site);
    let rows = tables.rows("items", &["file", "series", "series_part"]);
    let of = |file: &str| rows.iter().find(|row| row["file"] == text(file)).unwrap();
    let one = of("content/items/one.md");
    assert_eq!((&one["series"], &one["series_part"]), (&text("Boats"), &Value::Integer(2)));
    let two = of("content/items/two.md");
    assert_eq!((&two["series"], &two["series_part"]), (&text("Boats"), &Value::Null));
    let none = of("content/items/hello.md");
    assert_eq!((&none["series"], &none["series_part"]), (&Value::Null, &Value::Null));
}

#[test]
fn unpublished_items_are_included_with_their_status() {
    let tables = tables(rich_site());
    let status = |row: &Row| (row["status"].clone(), row["is_public"].clone());
    let rows = tables.rows("items", &["id", "status", "is_public", "date_published"]);
    let statuses: BTreeSet<String> = rows.iter().map(|row| format!("{:?}", status(row))).collect();
    assert_eq!(statuses.len(), 4, "published, unlisted, unpublished, and what waits: {statuses:?}");
    let waits = rows.iter().filter(|row| status(row) == (text("published"), Value::Integer(0)));
    for row in waits {
        let Value::Integer(date) = row["date_published"] else {
            panic!("{row:?}");
        };
        assert!(date > now().as_microsecond());
    }
    let pages = tables.rows("pages", &["slug", "status"]);
    assert!(pages.iter().any(|page| page["status"] == text("unpublished")));
    assert_eq!(pages.last().unwrap()["slug"], text("404"));
}

#[test]
fn chapters_end_at_the_start_of_the_next() {
    let tables = tables(rich_site());
    let rows = tables.rows("chapters", &["number", "start_seconds", "end_seconds", "toc"]);
    let real = |value: &Value| match value {
        Value::Real(number) => *number,
        other => panic!("{other:?}"),
    };
    assert_eq!(real(&rows[0]["end_seconds"]), 0.5);
    assert!(real(&rows[1]["end_seconds"]) > 0.8, "past the silent one, to the end of the medium");
    assert_eq!(rows[2]["toc"], Value::Integer(0));
}

#[test]
fn people_are_hosts_by_default() {
    let tables = tables(rich_site());
    let row = tables.one("people", "name", "Ada");
    assert_eq!(row["item_id"], Value::Null);
    assert_eq!((&row["role"], &row["role_group"]), (&text("host"), &text("cast")));
    let guest = tables.one("people", "name", "Cy Guest");
    assert_eq!((&guest["role"], &guest["number"]), (&text("guest"), &Value::Integer(2)));
}

#[test]
fn events_are_included_as_written_and_expanded() {
    let tables = tables(rich_site());
    let series = tables.one("events", "id", "weekly");
    for (column, value) in [
        ("calendar", text("shows")),
        ("is_recurring", Value::Integer(1)),
        ("recurrence", text("[\"RRULE:FREQ=WEEKLY;COUNT=5\"]")),
        ("start_time", instant("2026-03-05T19:00:00Z")),
        ("time_zone", text("Europe/Berlin")),
        ("is_live_show", Value::Integer(1)),
        ("recurring_event_id", Value::Null),
        ("start_date", Value::Null),
    ] {
        assert_eq!(series[column], value, "{column}");
    }
    let moved = tables.one("events", "id", "weekly_20260312T190000Z");
    assert_eq!(moved["recurring_event_id"], text("weekly"));
    assert_eq!(moved["summary"], text("Weekly"));
    assert_eq!(moved["original_start_time"], instant("2026-03-12T19:00:00Z"));
    assert_eq!(moved["start_time"], instant("2026-03-13T19:00:00Z"));
    let day = tables.one("events", "id", "day");
    assert_eq!((&day["start_date"], &day["end_date"]), (&text("2026-05-01"), &text("2026-05-03")));
    assert_eq!((&day["status"], &day["visibility"]), (&text("cancelled"), &text("private")));

    let rows = tables.rows("occurrences", &["id", "start_time"]);
    let of_series = rows.iter().filter(|row| format!("{:?}", row["id"]).contains("weekly"));
    assert_eq!(of_series.count(), 5);
}

#[test]
fn endless_event_series_are_limited() {
    let site = Site::empty().write(
        "content/calendars/c/often.md",
        "+++\nsummary = \"Often\"\nstart = 2026-01-01T00:00:00\nend = 2026-01-01T00:00:01\nrecurrence = [\"RRULE:FREQ=MINUTELY\"]\n+++\n",
    );
    assert_eq!(tables(site).rows("occurrences", &["id"]).len(), 10_000);
}

#[test]
fn site_files_include_drafts_and_generated_files() {
    let tables = tables(rich_site());
    let robots = tables.one("site_files", "filename", "robots.txt");
    assert_eq!((&robots["id"], &robots["mode"]), (&text("system-robots"), &text("generated")));
    let draft = tables.one("site_files", "filename", "humans.txt");
    assert_eq!((&draft["is_draft"], &draft["draft_content"]), (&Value::Integer(1), &text("Ada\n")));
    assert_eq!(draft["published_content"], Value::Null);
}

fn journal_entry(operation: &str, subject: &str) -> JournalEntry {
    JournalEntry {
        time: now(),
        operation: operation.into(),
        subject: subject.into(),
        path: None,
        key_id: "environment".into(),
        causation: Some("because".into()),
        correlation: None,
    }
}

#[test]
fn the_journal_lists_writes_in_order() {
    let tables = tables(Site::empty());
    for subject in ["a", "b"] {
        tables.state.append(&journal_entry("items.update", subject)).unwrap();
    }
    let rows = tables.rows("journal", &["number", "subject", "key_name", "time"]);
    let subjects: Vec<&Value> = rows.iter().map(|row| &row["subject"]).collect();
    assert_eq!(subjects, [&text("a"), &text("b")]);
    assert_eq!(rows[1]["number"], Value::Integer(2));
    assert_eq!(rows[1]["key_name"], text("environment"));
    assert_eq!(rows[1]["time"], instant(NOW));
}

#[test]
fn unknown_tables_and_cancelled_work_are_errors() {
    let tables = tables(rich_site());
    let none = tables.filled_rows("Items", &BTreeSet::new(), &Control::default());
    assert_eq!(none.unwrap_err().reason, Reason::NotFound);
    let control = Control::new(Some(Duration::ZERO));
    let ended = tables.filled_rows("items", &BTreeSet::new(), &control);
    assert_eq!(ended.unwrap_err().reason, Reason::Timeout);
}

#[test]
fn ten_thousand_items_are_fast() {
    let mut site = Site::empty();
    for number in 0..10_000 {
        site = site.write(
            &format!("content/items/{number}.md"),
            &format!("+++\nid = \"item{number}\"\ntitle = \"Item {number}\"\ntags = [\"a\", \"b\"]\n+++\nText.\n"),
        );
    }
    let tables = tables(site);
    let work = Work::begin();
    let rows = tables.rows("items", &["id", "title", "status", "date_published", "tags"]);
    assert_eq!(rows.len(), 10_000);
    // A quarter of it where nothing is optimized and the rows are not read back.
    let took = work.so_far();
    assert!(took < Duration::from_secs(2), "{took:?}");
}

/// The documentation of a table. If its columns are the first columns of `site.events`, a link to that table.
fn documentation(table: &warehouse::store::Table, events: &warehouse::store::Table) -> String {
    let about = table.facts.description.as_deref().unwrap_or_default();
    let mut text = format!("### `{}`\n\n{about}\n\n", table.name);
    let is_shorter = table.fields.len() < events.fields.len();
    if is_shorter && events.fields.starts_with(&table.fields) {
        let (first, last) = (&table.fields[0].name, &table.fields[table.fields.len() - 1].name);
        let link = "[`site.events`](#site-events)";
        text.push_str(&format!("Its columns are `{first}` to `{last}` of {link}.\n"));
        return text;
    }
    text.push_str("| column | type | |\n| --- | --- | --- |\n");
    for field in &table.fields {
        let of =
            if field.is_required { format!("{} NOT NULL", field.of) } else { field.of.to_string() };
        let about = field.description.as_deref().unwrap_or_default();
        text.push_str(&format!("| `{}` | `{of}` | {about} |\n", field.name));
    }
    text
}

/// The functions of each group, as the Page has them.
fn functions() -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for function in warehouse::sql::functions::names() {
        match groups.last_mut() {
            Some((group, names)) if *group == function.group => names.push(function.name),
            _ => groups.push((function.group, vec![function.name])),
        }
    }
    let mut told = "| group | functions |\n| --- | --- |\n".to_owned();
    for (group, mut names) in groups {
        names.sort_unstable();
        names.dedup();
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        told.push_str(&format!("| {group} | {} |\n", names.join(", ")));
    }
    told
}

#[test]
fn the_documentation_covers_every_table_and_function() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("content/pages/warehouse.md")).unwrap();
    let tables = tables(Site::empty());
    let all = tables.live().all();
    let events = all.iter().find(|table| table.name.to_string() == "site.events").unwrap();
    let all: Vec<String> = all.iter().map(|table| documentation(table, events)).collect();
    for part in [all.join("\n"), functions()] {
        assert!(page.contains(&part), "content/pages/warehouse.md has to hold:\n{part}");
    }
}

#[test]
fn items_and_pages_of_a_site_in_several_languages_state_their_language() {
    let of = |config: &str| {
        let site = Site::empty()
            .write("site.toml", config)
            .write("content/items/walk.md", "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\n");
        let tables = tables(site);
        let language = |table: &str, id: &str| tables.one(table, "id", id)["language"].clone();
        (language("items", "walk"), language("pages", "system-404"))
    };
    let config = "base_url = \"https://example.com\"\n";
    assert_eq!(of(config), (Value::Null, Value::Null));
    let languages = format!("{config}[languages]\ndefault = \"en\"\nothers = [\"de\"]\n");
    assert_eq!(of(&languages), (text("en"), text("en")));
}

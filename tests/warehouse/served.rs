//! A served site, and calls of the warehouse API.

use feedwright::state::{Scope, Window};
use feedwright::tables::open_warehouse;
use jiff::Timestamp;
use rusqlite::types::Value as Kept;
use serde_json::{Value, json};
use warehouse::store::{self, Disposition, TableWriter, Target};
use warehouse::{Control, Field, Store, TableName};

use crate::support::served::{KEY, Reply, Served, serve};
use crate::support::small_site::site;
use crate::support::wait;

/// The project of the tests, below the API's own path.
pub const PROJECT: &str = "/warehouse/v2/projects/show";

/// A served site.
pub struct Warehouse {
    pub served: Served,
}

/// Serves a small site.
pub fn warehouse() -> Warehouse {
    Warehouse {
        served: serve(
            site()
                .item("+++\nid = \"one\"\ntitle = \"One\"\n+++\nText\n")
                .with("content/items/two.md", "+++\nid = \"two\"\ntitle = \"Two\"\n+++\nText\n"),
        ),
    }
}

impl Warehouse {
    /// Sends a request with a key and other headers.
    pub fn send_as(
        &self,
        key: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let key = format!("Bearer {key}");
        let mut all = vec![("authorization", key.as_str())];
        all.extend_from_slice(headers);
        self.served.send(method, path, &all, body)
    }

    /// Calls an operation below the project, with the key of all scopes.
    pub fn call(&self, method: &str, path: &str, body: &Value) -> Reply {
        self.call_as(KEY, method, path, body)
    }

    /// Calls an operation below the project with a key.
    pub fn call_as(&self, key: &str, method: &str, path: &str, body: &Value) -> Reply {
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let headers = [("content-type", "application/json")];
        let path = format!("{PROJECT}{path}");
        self.send_as(key, method, &path, &headers, body.as_bytes())
    }

    /// Reads a resource below the project.
    pub fn get(&self, path: &str) -> Reply {
        self.call("GET", path, &Value::Null)
    }

    /// Posts a body below the project.
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, body)
    }

    /// A key's secret.
    pub fn key(&self, scopes: &[Scope]) -> String {
        self.served.key(scopes, Window::default())
    }

    /// The tables that are kept.
    pub fn store(&self) -> Store {
        open_warehouse(self.served.site.root()).unwrap()
    }

    /// Makes a dataset.
    pub fn dataset(&self, id: &str) {
        let reference = json!({ "datasetReference": { "datasetId": id } });
        self.post("/datasets", &reference).ok();
    }

    /// Makes a table, filled with these rows, in a dataset that is there.
    pub fn table(&self, dataset: &str, table: &str, fields: &[Field], rows: &[Vec<Kept>]) {
        let name = TableName::parse(dataset, table).unwrap();
        let target = Target::new(name, Disposition::Empty);
        let written =
            self.store().write(&target.table.dataset, &Control::default(), |transaction| {
                let now = Timestamp::now();
                let filling = TableWriter::begin(transaction, "main", &target, fields, now)?;
                let mut statement = filling.statement(transaction)?;
                for row in rows {
                    store::insert(&mut statement, row)?;
                }
                drop(statement);
                filling.finish(transaction, rows.len() as u64, now)
            });
        written.unwrap();
    }

    /// Starts a job and waits until it has ended.
    pub fn job(&self, job: &Value) -> Value {
        let started = self.post("/jobs", job).ok();
        self.ended(started["jobReference"]["jobId"].as_str().unwrap())
    }

    /// The Job with this id, when it has ended.
    pub fn ended(&self, id: &str) -> Value {
        wait::some(|| {
            let job = self.get(&format!("/jobs/{id}")).ok();
            (job["status"]["state"] == "DONE").then_some(job)
        })
    }

    /// The files in the spool folder.
    pub fn spooled(&self) -> Vec<String> {
        let folder = self.served.site.path(".feedwright/warehouse/spool");
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Ends the server and serves the same folder again.
    pub fn restarted(self) -> Self {
        Self { served: self.served.restarted() }
    }
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

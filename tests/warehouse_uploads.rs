//! Data that come with a job of the warehouse.

use serde_json::{Value, json};

use crate::served::{KEY, Reply};
use crate::warehouse_served::{Warehouse, fault, warehouse};

const UPLOAD: &str = "/upload/warehouse/v2/projects/show/jobs";

/// A load job into `logs.plays`.
fn load(id: &str) -> Value {
    json!({
        "jobReference": { "projectId": "show", "jobId": id },
        "configuration": { "load": {
            "destinationTable": { "projectId": "show", "datasetId": "logs", "tableId": "plays" },
            "sourceFormat": "CSV",
            "schema": { "fields": [{ "name": "episode", "type": "STRING" }, { "name": "count", "type": "INTEGER" }] },
        } },
    })
}

/// A body of these parts, each its headers and its bytes.
fn related(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (headers, bytes) in parts {
        body.extend_from_slice(format!("--line\r\n{headers}\r\n\r\n").as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--line--\r\n");
    body
}

fn send(warehouse: &Warehouse, content_type: &str, body: &[u8]) -> Reply {
    let headers = [("content-type", content_type)];
    let path = format!("{UPLOAD}?uploadType=multipart");
    warehouse.send_as(KEY, "POST", &path, &headers, body)
}

fn send_parts(warehouse: &Warehouse, parts: &[(&str, &[u8])]) -> Reply {
    send(
        warehouse,
        "multipart/related; boundary=line",
        &related(parts),
    )
}

const JSON: &str = "Content-Type: application/json";
const CSV: &str = "Content-Type: text/csv";

#[test]
fn a_body_that_is_not_a_configuration_and_data_starts_nothing() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let job = load("mine").to_string();
    let job = job.as_bytes();
    let long = vec![b' '; 1024 * 1024 + 1];
    let query = json!({ "configuration": { "query": { "query": "SELECT 1" } } }).to_string();
    for (parts, status) in [
        (&[][..], 400),
        (&[(JSON, job)], 400),
        (&[(JSON, job), (CSV, b"a,1\n"), (CSV, b"b,2\n")], 400),
        (&[(CSV, job), (CSV, b"a,1\n")], 400),
        (&[(JSON, b"{"), (CSV, b"a,1\n")], 400),
        (&[(JSON, b"[]"), (CSV, b"a,1\n")], 400),
        (&[(JSON, b""), (CSV, b"a,1\n")], 400),
        (&[(JSON, &long), (CSV, b"a,1\n")], 413),
        (&[(JSON, query.as_bytes()), (CSV, b"a,1\n")], 400),
        (
            &[(JSON, job), ("Content-Transfer-Encoding: base64", b"YSwx")],
            400,
        ),
    ] {
        fault(&send_parts(&warehouse, parts), status);
    }
    let whole = related(&[(JSON, job), (CSV, b"a,1\n")]);
    for wrong in [
        "",
        "application/json",
        "multipart/related",
        "multipart/related; boundary=other",
        "multipart/form-data; boundary=line",
    ] {
        assert_eq!(
            fault(&send(&warehouse, wrong, &whole), 400).0,
            "invalid",
            "{wrong}"
        );
    }
    let last = whole.len() - "\r\n--line--\r\n".len();
    for end in [0, 10, last - 3, last, last + 4, last + 9] {
        fault(
            &send(
                &warehouse,
                "multipart/related; boundary=line",
                &whole[..end],
            ),
            400,
        );
    }
    assert_eq!(warehouse.get("/jobs?allUsers=true").ok()["jobs"], json!([]));
    assert_eq!(warehouse.get("/datasets/logs/tables").ok()["totalItems"], 0);
    assert_eq!(warehouse.spooled(), [""; 0]);
}

#[test]
fn a_connection_that_breaks_off_starts_nothing() {
    let warehouse = warehouse();
    let whole = related(&[(JSON, load("mine").to_string().as_bytes()), (CSV, b"a,1\n")]);
    let request = format!(
        "POST {UPLOAD} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {KEY}\r\nContent-Type: multipart/related; boundary=line\r\nContent-Length: {}\r\n\r\n",
        whole.len() + 100
    );
    let address = warehouse.served.url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    std::io::Write::write_all(&mut stream, &[request.as_bytes(), &whole].concat()).unwrap();
    drop(stream);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(warehouse.get("/jobs/mine").status, 404);
    assert_eq!(warehouse.spooled(), [""; 0]);
}

#[test]
fn ways_to_upload_that_are_none_are_told() {
    let warehouse = warehouse();
    let call =
        |method: &str, path: &str, body: &[u8]| warehouse.send_as(KEY, method, path, &[], body);
    for (method, path, status) in [
        ("POST", format!("{UPLOAD}?uploadType=media"), 400),
        ("GET", format!("{UPLOAD}?uploadType=multipart"), 405),
        ("PUT", format!("{UPLOAD}?uploadType=resumable"), 405),
        (
            "POST",
            "/upload/warehouse/v2/projects/show/tables".into(),
            404,
        ),
        ("PUT", format!("{UPLOAD}?upload_id=../../state"), 404),
        ("PUT", format!("{UPLOAD}?upload_id={}", "0".repeat(32)), 404),
    ] {
        fault(&call(method, &path, b"{}"), status);
    }
}

//! Data that come with a job of the warehouse.

use serde_json::{Value, json};

use crate::support::served::{KEY, Reply};
use crate::support::wait;
use crate::warehouse::served::{Warehouse, fault, warehouse};

const UPLOAD: &str = "/upload/warehouse/v2/projects/show/jobs";

/// A load job into `logs.plays`.
fn load_job(id: &str) -> Value {
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
fn multipart_body(parts: &[(&str, &[u8])]) -> Vec<u8> {
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
    send(warehouse, "multipart/related; boundary=line", &multipart_body(parts))
}

const JSON: &str = "Content-Type: application/json";
const CSV: &str = "Content-Type: text/csv";

/// The rows of `logs.plays`, each as its cells.
fn rows(warehouse: &Warehouse) -> Vec<Value> {
    let data = warehouse.get("/datasets/logs/tables/plays/data").ok();
    let rows = data["rows"].as_array().unwrap().iter();
    rows.map(|row| json!([row["f"][0]["v"], row["f"][1]["v"]])).collect()
}

#[test]
fn configuration_and_data_can_be_one_request() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    for (at, content_type) in [
        "multipart/related; boundary=line",
        "multipart/related; boundary=\"line\"; type=\"application/json\"",
        "Multipart/Related;Boundary=line",
    ]
    .into_iter()
    .enumerate()
    {
        let id = format!("load{at}");
        let job = load_job(&id).to_string();
        let data = format!("a,{at}\r\n--lin,5\r\n");
        let body = multipart_body(&[
            ("content-TYPE: application/JSON; charset=UTF-8", job.as_bytes()),
            (CSV, data.as_bytes()),
        ]);
        let started = send(&warehouse, content_type, &body).ok();
        assert_eq!(started["jobReference"]["jobId"], id);
        assert_eq!(started["configuration"]["jobType"], "LOAD");
        let ended = warehouse.ended(&id);
        assert_eq!(ended["status"].get("errorResult"), None, "{ended}");
        assert_eq!(ended["statistics"]["load"]["outputRows"], "2");
    }
    assert_eq!(rows(&warehouse).len(), 6);
    assert_eq!(warehouse.spooled(), [""; 0]);
    let again =
        multipart_body(&[(JSON, load_job("load0").to_string().as_bytes()), (CSV, b"x,1\n")]);
    let again = send(&warehouse, "multipart/related; boundary=line", &again);
    assert_eq!(fault(&again, 409).0, "duplicate");
    assert_eq!(rows(&warehouse).len(), 6);
    assert_eq!(warehouse.spooled(), [""; 0]);
}

#[test]
fn a_load_that_fails_leaves_nothing_behind() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let parts: [(&str, &[u8]); 2] =
        [(JSON, &load_job("bad").to_string().into_bytes()), (CSV, b"a,1\nb,many\n")];
    send_parts(&warehouse, &parts).ok();
    let ended = warehouse.ended("bad");
    assert_eq!(ended["status"]["errorResult"]["reason"], "invalid");
    assert_eq!(warehouse.get("/datasets/logs/tables").ok()["totalItems"], 0);
    assert_eq!(warehouse.spooled(), [""; 0]);
}

/// Begins an upload in pieces, and answers the address for them, below the server.
fn begin_upload(warehouse: &Warehouse, job: &Value, headers: &[(&str, &str)]) -> String {
    let path = format!("{UPLOAD}?uploadType=resumable");
    let reply = warehouse.send_as(KEY, "POST", &path, headers, job.to_string().as_bytes());
    assert_eq!(reply.status, 200, "{}", reply.text());
    let address = reply.header("location").unwrap();
    address.strip_prefix(&warehouse.served.url).unwrap().to_owned()
}

/// Sends a piece with this `Content-Range`.
fn send_chunk(warehouse: &Warehouse, address: &str, range: &str, bytes: &[u8]) -> Reply {
    warehouse.send_as(KEY, "PUT", address, &[("content-range", range)], bytes)
}

/// Asserts that more is wanted, and how much is there.
fn assert_incomplete(reply: &Reply, range: Option<&str>) {
    assert_eq!(reply.status, 308, "{}", reply.text());
    assert_eq!(reply.header("range"), range);
}

#[test]
fn a_chunked_upload_continues_after_a_restart() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let address = begin_upload(&warehouse, &load_job("slow"), &[("x-upload-content-length", "12")]);
    assert_incomplete(&send_chunk(&warehouse, &address, "bytes */12", b""), None);
    assert_incomplete(
        &send_chunk(&warehouse, &address, "bytes 0-3/12", b"a,1\n"),
        Some("bytes=0-3"),
    );
    // A piece that comes again, with more behind it, and one that leaves something out.
    assert_incomplete(
        &send_chunk(&warehouse, &address, "bytes 2-5/12", b"1\nb,"),
        Some("bytes=0-5"),
    );
    assert_incomplete(
        &send_chunk(&warehouse, &address, "bytes 8-11/12", b"c,3\n"),
        Some("bytes=0-5"),
    );
    let warehouse = warehouse.restarted();
    assert_incomplete(&send_chunk(&warehouse, &address, "bytes */*", b""), Some("bytes=0-5"));
    let last =
        |warehouse: &Warehouse| send_chunk(warehouse, &address, "bytes 6-11/12", b"2\nc,3\n").ok();
    assert_eq!(last(&warehouse)["jobReference"]["jobId"], "slow");
    assert_eq!(warehouse.ended("slow")["statistics"]["load"]["outputRows"], "3");
    // Who did not hear the answer asks again.
    assert_eq!(last(&warehouse)["status"]["state"], "DONE");
    assert_eq!(rows(&warehouse), [json!(["a", "1"]), json!(["b", "2"]), json!(["c", "3"])]);
}

#[test]
fn an_upload_of_unknown_length_ends_with_its_last_chunk() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let mut job = load_job("");
    job["jobReference"].as_object_mut().unwrap().remove("jobId");
    let address = begin_upload(&warehouse, &job, &[]);
    assert_incomplete(
        &send_chunk(&warehouse, &address, "bytes 0-3/*", b"a,1\n"),
        Some("bytes=0-3"),
    );
    let job = send_chunk(&warehouse, &address, "bytes */4", b"").ok();
    warehouse.ended(job["jobReference"]["jobId"].as_str().unwrap());
    assert_eq!(rows(&warehouse), [json!(["a", "1"])]);

    let address = begin_upload(&warehouse, &load_job("whole"), &[]);
    warehouse.send_as(KEY, "PUT", &address, &[], b"b,2\n").ok();
    warehouse.ended("whole");
    assert_eq!(rows(&warehouse).len(), 2);
}

#[test]
fn invalid_chunks_are_refused_and_the_upload_continues() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let address = begin_upload(&warehouse, &load_job("slow"), &[("x-upload-content-length", "8")]);
    assert_incomplete(
        &send_chunk(&warehouse, &address, "bytes 0-3/8", b"a,1\n"),
        Some("bytes=0-3"),
    );
    for (range, bytes) in [
        ("bytes 4-7/9", &b"b,2\n"[..]),
        ("bytes 4-5/8", b"b,2\n"),
        ("bytes 4-8/*", b"b,2\n!"),
        ("bytes 7-4/8", b"b,2\n"),
        ("lines 4-7/8", b"b,2\n"),
        ("bytes */9", b""),
    ] {
        assert_eq!(
            fault(&send_chunk(&warehouse, &address, range, bytes), 400).0,
            "invalid",
            "{range}"
        );
    }
    assert_incomplete(&send_chunk(&warehouse, &address, "bytes */8", b""), Some("bytes=0-3"));
    let other = warehouse.key(&[feedwright::state::Scope::WAREHOUSE]);
    let reply =
        warehouse.send_as(&other, "PUT", &address, &[("content-range", "bytes 4-7/8")], b"b,2\n");
    assert_eq!(fault(&reply, 404).0, "notFound");
    send_chunk(&warehouse, &address, "bytes 4-7/8", b"b,2\n").ok();
    warehouse.ended("slow");
    assert_eq!(rows(&warehouse).len(), 2);
}

#[test]
fn an_abandoned_upload_is_deleted() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let address = begin_upload(&warehouse, &load_job("slow"), &[]);
    assert_incomplete(
        &send_chunk(&warehouse, &address, "bytes 0-3/*", b"a,1\n"),
        Some("bytes=0-3"),
    );
    assert_eq!(warehouse.spooled().len(), 2);
    assert_eq!(warehouse.send_as(KEY, "DELETE", &address, &[], b"").status, 204);
    assert_eq!(fault(&send_chunk(&warehouse, &address, "bytes */*", b""), 404).0, "notFound");
    assert_eq!(warehouse.spooled(), [""; 0]);
    let path = format!("{UPLOAD}?uploadType=resumable");
    let long = [("x-upload-content-length", "99999999999999")];
    let job = load_job("long").to_string();
    let reply = warehouse.send_as(KEY, "POST", &path, &long, job.as_bytes());
    assert_eq!(fault(&reply, 413).0, "uploadTooLarge");
}

#[test]
fn an_invalid_multipart_body_starts_no_job() {
    let warehouse = warehouse();
    warehouse.dataset("logs");
    let job = load_job("mine").to_string();
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
        (&[(JSON, job), ("Content-Transfer-Encoding: base64", b"YSwx")], 400),
    ] {
        fault(&send_parts(&warehouse, parts), status);
    }
    let whole = multipart_body(&[(JSON, job), (CSV, b"a,1\n")]);
    for wrong in [
        "", "application/json", "multipart/related", "multipart/related; boundary=other",
        "multipart/form-data; boundary=line",
    ] {
        assert_eq!(fault(&send(&warehouse, wrong, &whole), 400).0, "invalid", "{wrong}");
    }
    let last = whole.len() - "\r\n--line--\r\n".len();
    for end in [0, 10, last - 3, last, last + 4, last + 9] {
        fault(&send(&warehouse, "multipart/related; boundary=line", &whole[..end]), 400);
    }
    assert_eq!(warehouse.get("/jobs?allUsers=true").ok()["jobs"], json!([]));
    assert_eq!(warehouse.get("/datasets/logs/tables").ok()["totalItems"], 0);
    assert_eq!(warehouse.spooled(), [""; 0]);
}

#[test]
fn an_interrupted_connection_starts_no_job() {
    let warehouse = warehouse();
    let whole = multipart_body(&[(JSON, load_job("mine").to_string().as_bytes()), (CSV, b"a,1\n")]);
    let request = format!(
        "POST {UPLOAD} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {KEY}\r\nContent-Type: multipart/related; boundary=line\r\nContent-Length: {}\r\n\r\n",
        whole.len() + 100
    );
    let address = warehouse.served.url.strip_prefix("http://").unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    std::io::Write::write_all(&mut stream, &[request.as_bytes(), &whole].concat()).unwrap();
    // The server ends the connection when it is done with the request.
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    stream.set_read_timeout(Some(wait::MAX_WAIT)).unwrap();
    let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
    assert_eq!(warehouse.get("/jobs/mine").status, 404);
    assert_eq!(warehouse.spooled(), [""; 0]);
}

#[test]
fn unknown_upload_types_are_errors() {
    let warehouse = warehouse();
    let call =
        |method: &str, path: &str, body: &[u8]| warehouse.send_as(KEY, method, path, &[], body);
    for (method, path, status) in [
        ("POST", format!("{UPLOAD}?uploadType=media"), 400),
        ("GET", format!("{UPLOAD}?uploadType=multipart"), 405),
        ("PUT", format!("{UPLOAD}?uploadType=resumable"), 405),
        ("POST", "/upload/warehouse/v2/projects/show/tables".into(), 404),
        ("PUT", format!("{UPLOAD}?upload_id=../../state"), 404),
        ("PUT", format!("{UPLOAD}?upload_id={}", "0".repeat(32)), 404),
    ] {
        fault(&call(method, &path, b"{}"), status);
    }
}

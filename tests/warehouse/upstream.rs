//! Calls of the warehouse API that are sent on to a service elsewhere.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use feedwright::project::Options;
use feedwright::state::{Scope, Window};
use serde_json::{Value, json};

use crate::support::program;
use crate::support::served::{KEY, Reply, Served, serve, serve_for};
use crate::support::small_site::site;
use crate::support::wait;

/// A token of the service.
const TOKEN: &str = "Bearer ya29.of-the-service";

/// What the service was sent.
#[derive(Debug)]
struct ReceivedRequest {
    line: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// Whether the body came to its end.
    is_whole: bool,
}

impl ReceivedRequest {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A service that answers every request with these bytes.
struct FakeService {
    url: String,
    seen: Receiver<ReceivedRequest>,
}

fn service(answer: impl Into<Vec<u8>>) -> FakeService {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (tell, seen) = channel();
    let answer = answer.into();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            handle_request(stream, &answer, &tell);
        }
    });
    FakeService { url, seen }
}

/// Takes one request of a connection and closes it.
fn handle_request(mut stream: TcpStream, answer: &[u8], tell: &Sender<ReceivedRequest>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_owned()),
        }
    }
    let headers = lines[1..].iter().map(|line| {
        let (name, value) = line.split_once(':').unwrap();
        (name.to_ascii_lowercase(), value.trim().to_owned())
    });
    let mut seen = ReceivedRequest {
        line: lines[0].clone(),
        headers: headers.collect(),
        body: Vec::new(),
        is_whole: true,
    };
    if let Some(length) = seen.header("content-length") {
        let mut body = vec![0; length.parse().unwrap()];
        seen.is_whole = reader.read_exact(&mut body).is_ok();
        seen.body = body;
    } else if seen.header("transfer-encoding").is_some() {
        seen.is_whole = read_chunks(&mut reader, &mut seen.body);
    }
    tell.send(seen).unwrap();
    let _ = stream.write_all(answer);
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> bool {
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return false;
        }
        let size = usize::from_str_radix(line.trim(), 16).unwrap();
        let mut chunk = vec![0; size + 2];
        if reader.read_exact(&mut chunk).is_err() {
            return false;
        }
        body.extend_from_slice(&chunk[..size]);
        if size == 0 {
            return true;
        }
    }
}

fn answer(head: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// A site whose jobs go on to this address.
fn serve_with_upstream(upstream: &str) -> Served {
    let toml =
        format!("base_url = \"https://example.com\"\n[warehouse]\nupstream = \"{upstream}\"\n");
    serve(site().with("site.toml", toml))
}

fn get(served: &Served, path: &str, authorization: &str) -> Reply {
    served.send("GET", path, &[("authorization", authorization)], b"")
}

#[test]
fn a_call_is_forwarded_unchanged_and_its_answer_returned() {
    let head = "409 Conflict\r\nContent-Type: application/json; charset=UTF-8\r\nETag: \"one\"\r\nConnection: close\r\nSet-Cookie: a=b\r\nStrict-Transport-Security: max-age=9";
    let service = service(answer(head, "{\"error\": {\"code\": 409}}"));
    let served = serve_with_upstream(&service.url);
    let reply = served.send(
        "POST",
        "/warehouse/v2/projects/p%3Aq/jobs?prettyPrint=false",
        &[
            ("authorization", TOKEN),
            ("content-type", "application/json"),
            ("accept-encoding", "gzip"),
            ("x-goog-api-client", "gl-python/3.11"),
            ("cookie", "own=1"),
            ("te", "trailers"),
        ],
        b"{\"configuration\": {}}",
    );
    assert_eq!(reply.status, 409);
    assert_eq!(reply.json()["error"]["code"], 409);
    assert_eq!(reply.header("etag"), Some("\"one\""));
    assert_eq!(reply.header("content-type"), Some("application/json; charset=UTF-8"));
    for gone in ["set-cookie", "strict-transport-security"] {
        assert_eq!(reply.header(gone), None, "{gone}");
    }
    let seen = service.seen.recv().unwrap();
    assert_eq!(seen.line, "POST /bigquery/v2/projects/p%3Aq/jobs?prettyPrint=false HTTP/1.1");
    assert_eq!(seen.body, b"{\"configuration\": {}}");
    assert_eq!(seen.header("host"), service.url.strip_prefix("http://"));
    for (name, value) in [
        ("authorization", Some(TOKEN)),
        ("content-type", Some("application/json")),
        ("accept-encoding", Some("gzip")),
        ("x-goog-api-client", Some("gl-python/3.11")),
        ("cookie", None),
        ("te", None),
    ] {
        assert_eq!(seen.header(name), value, "{name}");
    }
}

#[test]
fn a_key_of_the_site_is_never_forwarded() {
    let service = service(answer("200 OK", "{}"));
    let served = serve_with_upstream(&service.url);
    let later =
        Window { not_before: Some("2999-01-01T00:00:00Z".parse().unwrap()), ..Window::default() };
    let later = served.key(&Scope::ALL, later);
    let path = "/warehouse/v2/projects/p/datasets";
    let key = format!("Bearer {KEY}");
    assert_eq!(get(&served, path, &key).ok()["kind"], "warehouse#datasetList");
    for refused in
        [&format!("Bearer {later}"), "Bearer fw_that-was-rotated-long-ago", "Basic YTpi", "Bearer "]
    {
        let reply = get(&served, path, refused);
        assert_eq!(reply.status, 401, "{refused}");
        assert!(reply.header("www-authenticate").is_some());
    }
    assert_eq!(served.get(path).status, 401);
    assert!(service.seen.try_recv().is_err(), "something was sent on");
}

#[test]
fn without_an_upstream_a_foreign_token_is_refused() {
    let served = serve(site());
    assert_eq!(get(&served, "/warehouse/v2/projects/p/datasets", TOKEN).status, 401);
}

#[test]
fn only_api_paths_are_forwarded() {
    let service = service(answer("200 OK", "{}"));
    let served = serve_with_upstream(&service.url);
    for path in ["/warehouse/v2/..%2F..%2Fadmin", "/bigquery/v2/%2e%2e/x", "/warehouse/v2"] {
        assert_eq!(get(&served, path, TOKEN).status, 404, "{path}");
    }
    for path in ["/api/v1/feed/", "/warehouse/v3/projects", "/"] {
        get(&served, path, TOKEN);
    }
    assert!(service.seen.try_recv().is_err());
}

#[test]
fn data_of_any_size_is_streamed() {
    let service = service(answer("200 OK", "{\"kind\": \"warehouse#job\"}"));
    let served = serve_with_upstream(&service.url);
    let data: Vec<u8> = (0..24 * 1024 * 1024_u32).map(|n| (n % 251) as u8).collect();
    let reply = served.send(
        "POST",
        "/upload/warehouse/v2/projects/p/jobs?uploadType=multipart",
        &[("authorization", TOKEN), ("content-type", "multipart/related; boundary=b")],
        &data,
    );
    assert_eq!(reply.ok()["kind"], "warehouse#job");
    let seen = service.seen.recv().unwrap();
    assert_eq!(seen.line, "POST /upload/bigquery/v2/projects/p/jobs?uploadType=multipart HTTP/1.1");
    assert!(seen.is_whole && seen.body == data);
}

#[test]
fn a_local_upload_continues_locally() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let location = format!("{url}/upload/v9/projects/p/jobs?upload_id=7");
    let (tell, seen) = channel();
    std::thread::spawn(move || {
        let begun = answer(&format!("200 OK\r\nLocation: {location}"), "");
        let more = answer("308 Resume Incomplete\r\nRange: bytes=0-3", "");
        for answer in [begun, more] {
            handle_request(listener.accept().unwrap().0, &answer, &tell);
        }
    });
    let served = serve_with_upstream(&format!("{url}/v9"));
    let begun = served.send(
        "POST",
        "/upload/bigquery/v2/projects/p/jobs?uploadType=resumable",
        &[("authorization", TOKEN)],
        b"{}",
    );
    let here = begun.header("location").unwrap();
    let path = here.strip_prefix(&served.url).unwrap();
    assert_eq!(path, "/upload/bigquery/v2/projects/p/jobs?upload_id=7");
    let headers = [("authorization", TOKEN), ("content-range", "bytes 0-3/*")];
    let reply = served.send("PUT", path, &headers, b"data");
    assert_eq!((reply.status, reply.header("range")), (308, Some("bytes=0-3")));
    seen.recv().unwrap();
    let put = seen.recv().unwrap();
    assert_eq!(put.line, "PUT /upload/v9/projects/p/jobs?upload_id=7 HTTP/1.1");
    assert_eq!(
        (put.header("content-range"), put.body.as_slice()),
        (Some("bytes 0-3/*"), &b"data"[..])
    );
}

#[test]
fn an_interrupted_body_is_interrupted_upstream_too() {
    let service = service(answer("200 OK", "{}"));
    let served = serve_with_upstream(&service.url);
    for head in ["Content-Length: 100000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nffff\r\n"] {
        let address = served.url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!(
            "POST /upload/warehouse/v2/projects/p/jobs HTTP/1.1\r\nHost: {address}\r\nAuthorization: {TOKEN}\r\n{head}part of it"
        );
        stream.write_all(request.as_bytes()).unwrap();
        drop(stream);
        let seen = service.seen.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(!seen.is_whole, "{head}");
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = service(answer("200 OK", "{}"));
    let head = format!("302 Found\r\nLocation: {}/bigquery/v2/projects/p/jobs", elsewhere.url);
    let service = service(answer(&head, ""));
    let served = serve_with_upstream(&service.url);
    let reply = get(&served, "/bigquery/v2/projects/p/jobs", TOKEN);
    assert_eq!(reply.status, 302);
    assert!(elsewhere.seen.try_recv().is_err());
}

/// The message of an error in the API's form.
fn failure(reply: &Reply, status: u16, reason: &str) -> String {
    assert_eq!(reply.status, status, "{}", reply.text());
    let error = &reply.json()["error"];
    assert_eq!(error["code"], status);
    assert_eq!(error["errors"][0]["reason"], reason);
    error["message"].as_str().unwrap().to_owned()
}

#[test]
fn an_upstream_failure_is_a_gateway_error() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let garbage = service("no HTTP at all\r\n\r\n");
    let silent = service("");
    for upstream in [&nobody, &garbage.url, &silent.url] {
        let served = serve_with_upstream(upstream);
        let reply = get(&served, "/warehouse/v2/projects/p/jobs", TOKEN);
        let message = failure(&reply, 502, "backendError");
        assert!(message.contains("warehouse.upstream"), "{message}");
        assert!(!message.contains("ya29"), "{message}");
    }
    let short = service("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort");
    let served = serve_with_upstream(&short.url);
    let request = format!(
        "GET /warehouse/v2/projects HTTP/1.1\r\nHost: {}\r\nAuthorization: {TOKEN}\r\nConnection: close\r\n\r\n",
        served.url.strip_prefix("http://").unwrap()
    );
    let raw = served.raw(request.as_bytes()).to_ascii_lowercase();
    let is_whole = raw.split_once("\r\n\r\n").is_some_and(|(_, body)| body.len() >= 100);
    assert!(!is_whole && !raw.ends_with("0\r\n\r\n"), "{raw}");
}

#[test]
fn another_feedwright_can_be_upstream() {
    let other = site();
    let options = Options::new(other.root());
    let there = serve_for(other, options, "the-token-there");
    let here = serve_with_upstream(&format!("{}/warehouse/v2", there.url));
    let token = "Bearer the-token-there";
    let made: Value = json!({ "datasetReference": { "datasetId": "audience" } });
    let path = "/bigquery/v2/projects/p/datasets";
    let reply = here.send("POST", path, &[("authorization", token)], made.to_string().as_bytes());
    assert_eq!(reply.ok()["datasetReference"]["datasetId"], "audience");
    let names = |served: &Served, authorization: &str| -> Vec<String> {
        let list = get(served, path, authorization).ok();
        let list = list["datasets"].as_array().cloned().unwrap_or_default();
        let name = |one: &Value| one["datasetReference"]["datasetId"].as_str().unwrap().to_owned();
        list.iter().map(name).collect()
    };
    assert_eq!(names(&here, token), ["audience", "site"]);
    assert_eq!(names(&there, token), ["audience", "site"]);
    assert_eq!(names(&here, &format!("Bearer {KEY}")), ["site"]);
}

/// An address that leads to another: what connects here is passed on there.
fn start_proxy(to: &str) -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (accepting, to) = (listener.try_clone().unwrap(), to.to_owned());
    std::thread::spawn(move || {
        for from in accepting.incoming().map_while(Result::ok) {
            let there = TcpStream::connect(to.strip_prefix("http://").unwrap()).unwrap();
            let pass = |mut from: TcpStream, mut to: TcpStream| {
                std::thread::spawn(move || {
                    let _ = std::io::copy(&mut from, &mut to);
                    let _ = to.shutdown(std::net::Shutdown::Write);
                });
            };
            pass(from.try_clone().unwrap(), there.try_clone().unwrap());
            pass(there, from);
        }
    });
    (listener, url)
}

#[test]
fn a_server_cannot_be_its_own_upstream() {
    let served = serve(site());
    let path = "/warehouse/v2/projects/p/datasets";
    let name = |url: &str| {
        let toml =
            format!("base_url = \"https://example.com\"\n[warehouse]\nupstream = \"{url}\"\n");
        served.site.write("site.toml", toml);
        wait::some(|| Some(get(&served, path, TOKEN)).filter(|reply| reply.status != 401))
    };
    let own = served.url.replace("127.0.0.1", "localhost");
    for url in [&served.url, &format!("{own}/warehouse/v2")] {
        let message = failure(&name(url), 508, "backendError");
        assert!(message.contains("is this server"), "{url}: {message}");
    }
    // By another name it is found out on the way back, at once and not after a thousand rounds.
    let (_listener, other) = start_proxy(&served.url);
    served.site.write("site.toml", "base_url = \"https://example.com\"\n");
    wait::until(|| get(&served, path, TOKEN).status == 401);
    let message = failure(&name(&format!("{other}/warehouse/v2")), 508, "backendError");
    assert!(message.contains("sends it back"), "{message}");
}

#[test]
fn serve_refuses_itself_as_upstream() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    for name in ["127.0.0.1", "localhost", "[::1]"] {
        let site = site().with(
            "site.toml",
            format!("base_url = \"https://example.com\"\n[warehouse]\nupstream = \"http://{name}:{port}\"\n"),
        );
        let output = program::command()
            .args(["serve", "--addr", &format!("127.0.0.1:{port}"), "--site"])
            .arg(site.root())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("warehouse.upstream"), "{said}");
        assert!(said.contains("site.toml:3:1"), "{said}");
        assert!(!said.contains("try --addr"), "{said}");
    }
}

/// Runs `feedwright warehouse push` of a table of this site.
fn push(served: &Served, table: &str, token: &str) -> std::process::Output {
    program::command()
        .args(["warehouse", "push", table, "--to", "example.com:p.podcast.there", "--json"])
        .current_dir(served.site.root())
        .env("FEEDWRIGHT_WAREHOUSE_TOKEN", token)
        .output()
        .unwrap()
}

fn decompress_rows(bytes: &[u8]) -> Vec<Value> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A service that takes an upload, and answers these jobs one after the other.
fn start_upload_service(jobs: Vec<Value>) -> FakeService {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let location = format!("{url}/upload/bigquery/v2/projects/p/jobs?upload_id=7");
    let (tell, seen) = channel();
    std::thread::spawn(move || {
        let begun = answer(&format!("200 OK\r\nLocation: {location}"), "");
        let jobs = jobs.iter().map(|job| answer("200 OK", &job.to_string()));
        for answer in [begun].into_iter().chain(jobs) {
            handle_request(listener.accept().unwrap().0, &answer, &tell);
        }
    });
    FakeService { url, seen }
}

fn job(state: &str) -> Value {
    json!({
        "jobReference": { "projectId": "p", "jobId": "j 1", "location": "EU" },
        "status": { "state": state },
        "statistics": { "load": { "outputRows": "1" } },
    })
}

#[test]
fn a_site_table_is_pushed_and_its_job_awaited() {
    let service =
        start_upload_service(vec![job("PENDING"), job("RUNNING"), job("RUNNING"), job("DONE")]);
    let served = serve_with_upstream(&service.url);
    served.site.write(
        "content/items/a.md",
        "+++\nid = \"one\"\ntitle = \"One\"\ntags = [\"a\"]\ndate_published = \"2026-03-01T10:00:00.25Z\"\n+++\nText.\n",
    );
    let output = push(&served, "items", "the-token");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 rows") && said.matches("RUNNING").count() == 1, "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report, json!({ "job": "j 1", "rows": 1, "table": "example.com:p.podcast.there" }));

    let begin = service.seen.recv().unwrap();
    let project = "example%2Ecom%3Ap";
    assert_eq!(
        begin.line,
        format!("POST /upload/bigquery/v2/projects/{project}/jobs?uploadType=resumable HTTP/1.1")
    );
    assert_eq!(begin.header("authorization"), Some("Bearer the-token"));
    let configuration: Value = serde_json::from_slice(&begin.body).unwrap();
    let load = &configuration["configuration"]["load"];
    assert_eq!(load["writeDisposition"], "WRITE_TRUNCATE");
    assert_eq!(load["destinationTable"]["projectId"], "example.com:p");
    let fields = load["schema"]["fields"].as_array().unwrap();
    let tags = fields.iter().find(|field| field["name"] == "tags").unwrap();
    assert_eq!((&tags["type"], &tags["mode"]), (&json!("STRING"), &json!("REPEATED")));

    let put = service.seen.recv().unwrap();
    assert!(put.line.starts_with("PUT ") && put.is_whole);
    let rows = decompress_rows(&put.body);
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["id"], &rows[0]["tags"]), (&json!("one"), &json!(["a"])));
    assert_eq!(rows[0]["date_published"], "2026-03-01 10:00:00.25 UTC");

    let look = service.seen.recv().unwrap();
    assert_eq!(
        look.line,
        format!("GET /bigquery/v2/projects/{project}/jobs/j%201?location=EU HTTP/1.1")
    );
    assert!(!served.site.exists(".feedwright/warehouse/exports/push"), "what was sent is gone");
}

#[test]
fn an_impossible_push_is_an_error_with_a_reason() {
    let mut failed = job("DONE");
    failed["status"]["errorResult"] = json!({ "reason": "invalid", "message": "no such column" });
    let failing = start_upload_service(vec![failed]);
    let refusing = service(answer("403 Forbidden", "{\"error\": {\"message\": \"not you\"}}"));
    let elsewhere = service(answer("200 OK\r\nLocation: http://127.0.0.9/x", ""));
    for (upstream, table, token, code, words) in [
        (&failing.url, "items", "t", 1, "no such column"),
        (&refusing.url, "items", "t", 1, "403: not you"),
        (&elsewhere.url, "items", "t", 1, "is on another host"),
        (&refusing.url, "nothing", "t", 1, "table not found: site.nothing"),
        (&refusing.url, "shop.sales", "t", 1, "dataset not found: shop"),
        (&refusing.url, "a.b.c", "t", 2, "invalid table name"),
        (&refusing.url, "items", "", 2, "FEEDWRIGHT_WAREHOUSE_TOKEN"),
    ] {
        let output = push(&serve_with_upstream(upstream), table, token);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{table}: {said}");
        assert!(said.contains(words), "{table}: {said}");
    }
    let output = push(&serve(site()), "items", "t");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("upstream = "));
}

#[test]
fn a_table_is_pushed_to_another_feedwright() {
    let other = site();
    let options = Options::new(other.root());
    let there = serve_for(other, options, "the-token-there");
    let token = "Bearer the-token-there";
    let headers = [("authorization", token)];
    let made = json!({ "datasetReference": { "datasetId": "podcast" } }).to_string();
    let datasets = "/warehouse/v2/projects/p/datasets";
    there.send("POST", datasets, &headers, made.as_bytes()).ok();
    let here = serve_with_upstream(&there.url);
    for (file, id) in [("a", "one"), ("b", "two")] {
        let text = format!("+++\nid = \"{id}\"\ntitle = \"Title\"\n+++\nText, \"quoted\".\n");
        here.site.write(&format!("content/items/{file}.md"), text);
        let output = push(&here, "items", "the-token-there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let rows = get(&there, &format!("{datasets}/podcast/tables/there/data"), token).ok();
    assert_eq!(rows["totalRows"], "2", "the second push replaces the first");
    let table = get(&there, &format!("{datasets}/podcast/tables/there"), token).ok();
    assert_eq!(table["schema"]["fields"][0]["name"], "id");
}

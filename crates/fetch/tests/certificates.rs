//! The certificates of HTTPS servers. The fixtures are certificates for `localhost` from 2020 to
//! 2049, for `localhost` until 2021, and for another host, all issued by `root.pem`.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use fetch::{Client, Kind, Options, read_pem};
use jiff::Timestamp;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::options;
use crate::server::{Server, response};

const ROOT: &[u8] = include_bytes!("fixtures/root.pem");
const VALID: &[u8] = include_bytes!("fixtures/localhost.pem");
const EXPIRED: &[u8] = include_bytes!("fixtures/expired.pem");
const OTHER: &[u8] = include_bytes!("fixtures/other.pem");

/// Starts an HTTPS server with a certificate and its key. Returns its URL.
fn start(pem: &[u8]) -> String {
    let chain = CertificateDer::pem_slice_iter(pem).map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_slice(pem).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = Arc::new(config.with_single_cert(chain, key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let tls = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(tls, stream);
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(&response("200 OK", &[], b"here"));
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
    format!("https://localhost:{port}/")
}

fn client(roots: &[u8]) -> Client {
    Client::new(Options { roots: read_pem(roots), retries: 0, ..options() })
}

#[test]
fn the_end_of_a_valid_certificate_is_returned() {
    let url = start(VALID);
    let client = client(ROOT);
    assert_eq!(client.get(&url).unwrap().bytes(10).unwrap(), b"here");
    let certificate = client.certificate(&url).unwrap();
    let time = |text: &str| text.parse::<Timestamp>().unwrap();
    let end = certificate.ends_before(time("2049-06-01T00:00:00Z"));
    assert_eq!(end, Some(time("2049-01-01T00:00:00Z")));
    assert_eq!(certificate.ends_before(time("2048-12-31T00:00:00Z")), None);
    assert!(certificate.starts_after(time("2019-12-31T00:00:00Z")));
    assert!(!certificate.starts_after(time("2020-01-02T00:00:00Z")));
}

#[test]
fn an_invalid_certificate_is_an_error_with_the_reason() {
    let reasons = [
        (EXPIRED, ROOT, "its certificate expired on 2021-01-01"),
        (OTHER, ROOT, "its certificate is for another host name"),
        (VALID, OTHER, "not issued by a known authority"),
        (VALID, b"", "not issued by a known authority"),
    ];
    for (pem, roots, reason) in reasons {
        let url = start(pem);
        let client = client(roots);
        for fault in [client.certificate(&url).unwrap_err(), client.get(&url).unwrap_err()] {
            assert_eq!(fault.kind, Kind::Certificate, "{fault}");
            assert!(fault.message.contains(reason), "{fault}");
        }
    }
}

#[test]
fn a_silent_server_times_out() {
    let silent = Server::start_silent().replace("http:", "https:");
    let fault = client(ROOT).certificate(&silent).unwrap_err();
    assert_eq!(fault.kind, Kind::Stalled, "{fault}");
}

#[test]
fn too_many_header_fields_are_an_error() {
    let long = "x".repeat(1 << 20);
    let server = Server::start(move |_, _| response("200 OK", &[("x-long", &long)], b"here"));
    let fault = client(ROOT).get(&server.url("/")).unwrap_err();
    assert_eq!(fault.kind, Kind::Large, "{fault}");
}

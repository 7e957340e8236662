//! Decides which requests the server answers. A request must be intended for this server, and must
//! not be sent by a page of another site.
//!
//! A page of another site can make a browser send requests to a server on the user's machine. It
//! can also make its own host name resolve to that machine (DNS rebinding). The `Origin` header
//! (RFC 6454, section 7) reveals requests from other pages, and the `Host` header (RFC 9110,
//! section 7.2) reveals rebinding.

use std::net::{IpAddr, SocketAddr};

use warp::http::{Method, StatusCode};

use super::http::Request;
use super::refusal::Refusal;
use model::Upstream;
use model::url::host;

/// The host names at which this server accepts requests.
#[derive(Debug, Clone)]
pub struct Hosts {
    /// Whether the server listens only on a loopback address.
    loopback: bool,
    /// The port on the loopback addresses, if the server listens there.
    port: Option<u16>,
    /// The host of `--base-url` in lower case, with its port if it has one.
    own: String,
}

impl Hosts {
    /// Returns the host names of a server at `addr` whose site has this `base_url`.
    pub fn new(addr: SocketAddr, base_url: &str) -> Self {
        Self {
            loopback: addr.ip().is_loopback(),
            port: (addr.ip().is_loopback() || addr.ip().is_unspecified()).then(|| addr.port()),
            own: host(base_url).to_ascii_lowercase(),
        }
    }

    /// Whether a service is this server. Compares only host names and ports, without DNS lookups.
    pub fn is_own_upstream(&self, upstream: &Upstream) -> bool {
        let is_local = self.port.is_some_and(|port| upstream.is_local(port));
        is_local || upstream.host().eq_ignore_ascii_case(&self.own)
    }

    /// Whether a host is the host of `--base-url`. Ignores the port, because a tunnel may use
    /// another port.
    pub fn is_own(&self, host: &str) -> bool {
        without_port(host).eq_ignore_ascii_case(without_port(&self.own))
    }

    /// Refuses requests for other hosts, and requests that pages of other sites sent.
    /// `is_for_an_api` is false for public paths.
    pub fn check(&self, request: &Request, is_for_an_api: bool) -> Result<(), Refusal> {
        let mut hosts = request.headers.get_all("host").iter();
        let (Some(Ok(host)), None) = (hosts.next().map(|host| host.to_str()), hosts.next()) else {
            let words = "a request must have exactly one Host header";
            return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
        };
        if !self.is_allowed_host(host) {
            let words = "the Host header of the request is not a name of this server";
            return Err(Refusal::new(StatusCode::FORBIDDEN, words));
        }
        let Some(origin) = request.headers.get("origin") else {
            return Ok(());
        };
        // A page of another site may request public documents, because the browser does not let the
        // page read the response.
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        if reads && !is_for_an_api {
            return Ok(());
        }
        let own = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .is_some_and(|(_, origin)| origin.eq_ignore_ascii_case(host));
        if own {
            Ok(())
        } else {
            let words = "requests from pages of another site are refused";
            Err(Refusal::new(StatusCode::FORBIDDEN, words))
        }
    }

    /// Whether a `Host` belongs to this server. IP addresses are always accepted: an attacker can
    /// point a host name at this machine, but not an IP address.
    fn is_allowed_host(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        if host == self.own {
            return true;
        }
        let name = without_port(&host);
        if name == "localhost" || name.ends_with(".localhost") {
            return true;
        }
        let address = name.trim_start_matches('[').trim_end_matches(']');
        address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback() || !self.loopback)
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http;

    #[test]
    fn a_request_names_one_host() {
        let hosts = Hosts::new("127.0.0.1:8080".parse().unwrap(), "http://127.0.0.1:8080");
        let status = |names: &[&str]| {
            let mut request = Request {
                method: Method::GET,
                path: "/".into(),
                show: None,
                query: String::new(),
                headers: warp::http::HeaderMap::new(),
                body: http::BodyStream::empty(),
                peer: None,
            };
            for name in names {
                request.headers.append("host", name.parse().unwrap());
            }
            hosts.check(&request, false).map_err(|refusal| refusal.status)
        };
        assert_eq!(status(&["localhost:8080"]), Ok(()));
        assert_eq!(status(&["evil.example"]), Err(StatusCode::FORBIDDEN));
        for names in [&[][..], &["localhost", "evil.example"], &["localhost", "localhost"]] {
            assert_eq!(status(names), Err(StatusCode::BAD_REQUEST), "{names:?}");
        }
    }

    #[test]
    fn a_local_server_accepts_only_its_own_names() {
        let hosts = Hosts::new("127.0.0.1:8080".parse().unwrap(), "http://127.0.0.1:8080");
        for (host, known) in [
            ("127.0.0.1:8080", true),
            ("localhost:8080", true),
            ("LOCALHOST", true),
            ("site.localhost:8080", true),
            ("[::1]:8080", true),
            ("192.168.1.7:8080", false),
            ("evil.example", false),
            ("localhost.evil.example:8080", false),
            ("127.0.0.1.evil.example", false),
            ("", false),
        ] {
            assert_eq!(hosts.is_allowed_host(host), known, "{host}");
        }
    }

    #[test]
    fn a_host_is_recognized_by_name_without_port() {
        let hosts = Hosts::new("0.0.0.0:80".parse().unwrap(), "https://Preview.example");
        for (host, is_own) in [
            ("preview.example", true),
            ("PREVIEW.example:9", true),
            ("x.preview.example", false),
            ("localhost", false),
            ("127.0.0.1", false),
        ] {
            assert_eq!(hosts.is_own(host), is_own, "{host}");
        }
        let hosts = Hosts::new("[::1]:80".parse().unwrap(), "http://[::1]:80");
        assert!(hosts.is_own("[::1]:9") && !hosts.is_own("[::2]:80"));
    }

    #[test]
    fn an_upstream_with_any_name_of_this_server_is_rejected() {
        let hosts = Hosts::new("127.0.0.1:8080".parse().unwrap(), "https://Preview.example");
        for (address, own) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost:8080/warehouse/v2", true),
            ("http://[::1]:8080", true),
            ("https://preview.example/warehouse/v2", true),
            ("http://localhost:8081", false),
            ("http://localhost", false),
            ("https://localhost:8080", false),
            ("https://warehouse.example", false),
        ] {
            let upstream = Upstream::parse(address).unwrap();
            assert_eq!(hosts.is_own_upstream(&upstream), own, "{address}");
        }
        let elsewhere = Hosts::new("192.168.1.7:8080".parse().unwrap(), "http://192.168.1.7:8080");
        let local = Upstream::parse("http://localhost:8080").unwrap();
        assert!(!elsewhere.is_own_upstream(&local));
        let everywhere = Hosts::new("0.0.0.0:80".parse().unwrap(), "http://localhost");
        assert!(everywhere.is_own_upstream(&Upstream::parse("http://127.0.0.1").unwrap()));
    }

    #[test]
    fn a_network_server_accepts_addresses_and_its_own_name() {
        let hosts = Hosts::new("0.0.0.0:8080".parse().unwrap(), "http://Preview.example:8080");
        for (host, known) in [
            ("192.168.1.7:8080", true),
            ("[fe80::1]:8080", true),
            ("preview.example:8080", true),
            ("evil.example:8080", false),
        ] {
            assert_eq!(hosts.is_allowed_host(host), known, "{host}");
        }
    }
}

//! Separates the site's pages from the editor by two host names of this machine: one for the site,
//! and one for people who sign in.
//!
//! A browser isolates origins with different host names: `localhost` and `127.0.0.1` share no
//! scripts, storage or cookies. So the scripts of the site's pages, of its theme and of third
//! parties cannot access the session of a signed-in user. On the sign-in host, pages of the site
//! never run scripts.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpListener;
use warp::http::StatusCode;
use warp::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue, LOCATION};

use super::http::{self, Request, Response, set};
use model::url::{encode_path, host};

/// The content security policy for pages of the site on the sign-in host: the pages can be viewed,
/// but run no scripts.
const POLICY: &str = "sandbox allow-same-origin allow-popups";

/// Both host names, as written in a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostNames {
    site: &'static str,
    people: &'static str,
}

impl HostNames {
    /// Returns the host names for a site with this `base_url`. Returns `None` unless its host is a
    /// loopback host that has a second name.
    pub fn of(base_url: &str) -> Option<Self> {
        let (site, people) = match split(host(base_url)).0 {
            _ if !base_url.starts_with("http://") => return None,
            "127.0.0.1" => ("127.0.0.1", "localhost"),
            "[::1]" => ("[::1]", "localhost"),
            "localhost" => ("localhost", "127.0.0.1"),
            _ => return None,
        };
        Some(Self { site, people })
    }

    /// Returns the sign-in host that corresponds to a host of the site, or `None` for any other
    /// host.
    pub fn people_host(self, host: &str) -> Option<String> {
        other(host, self.site, self.people)
    }

    /// Returns the host of the site that corresponds to a sign-in host, or `None` for any other
    /// host.
    pub fn site_host(self, host: &str) -> Option<String> {
        other(host, self.people, self.site)
    }

    /// If a browser opens a page of the site on the sign-in host, redirects it to the host of the
    /// site. Returns `None` for any other request.
    pub fn redirect_to_site(self, request: &Request, base_path: &str) -> Option<Response> {
        let host = self.site_host(request.header("host")?)?;
        if request.header("sec-fetch-dest") != Some("document") {
            return None;
        }
        let path = request.decoded_path()?;
        let to = format!("http://{host}{base_path}{}", encode_path(&path));
        let mut response = http::text(StatusCode::FOUND, "the site has its own host name");
        set(&mut response, LOCATION, &request.with_query(to));
        set(&mut response, CACHE_CONTROL, "no-store");
        Some(response)
    }

    /// Disables scripts in a page of the site that was requested on the sign-in host.
    pub fn disable_scripts(self, host: Option<&str>, response: &mut Response) {
        if host.is_some_and(|host| self.site_host(host).is_some()) {
            // Media responses already have a stricter policy.
            let policy = HeaderValue::from_static(POLICY);
            let headers = response.headers_mut();
            headers.entry(CONTENT_SECURITY_POLICY).or_insert(policy);
        }
    }
}

/// Also listens on the other loopback address, because `localhost` may resolve to either address.
/// Returns an error if another program uses the other address, because that program would then
/// receive requests to the second host name.
pub async fn listen_other_loopback(addr: SocketAddr) -> Result<Option<TcpListener>, io::Error> {
    let other: IpAddr = match addr.ip() {
        IpAddr::V4(ip) if ip.is_loopback() => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_loopback() => Ipv4Addr::LOCALHOST.into(),
        _ => return Ok(None),
    };
    match TcpListener::bind(SocketAddr::new(other, addr.port())).await {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        // The machine has no such address, so no program listens there.
        Err(_) => Ok(None),
    }
}

fn other(host: &str, from: &str, to: &str) -> Option<String> {
    let (name, port) = split(host);
    let is_from = name.eq_ignore_ascii_case(from);
    is_from.then(|| format!("{to}{port}"))
}

/// Splits a host into its name and its port. The port includes the colon.
fn split(host: &str) -> (&str, &str) {
    let at = host.rfind(':').filter(|at| !host[*at..].contains(']'));
    host.split_at(at.unwrap_or(host.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_and_the_editor_have_separate_host_names() {
        for (base_url, site, people) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080", "localhost:8080"),
            ("http://[::1]:8080/walks", "[::1]:8080", "localhost:8080"),
            ("http://localhost", "localhost", "127.0.0.1"),
        ] {
            let names = HostNames::of(base_url).unwrap();
            assert_eq!(names.people_host(site).as_deref(), Some(people));
            assert_eq!(names.site_host(people).as_deref(), Some(site));
            assert_eq!((names.people_host(people), names.site_host(site)), (None, None));
            assert_eq!(names.site_host("walks.example"), None);
        }
        // A tunnel may use another port.
        let names = HostNames::of("http://127.0.0.1:8080").unwrap();
        assert_eq!(names.people_host("127.0.0.1:9"), Some("localhost:9".into()));
        for without in ["http://192.168.1.7:8080", "https://localhost", "https://walks.example"] {
            assert_eq!(HostNames::of(without), None, "{without}");
        }
    }

    #[tokio::test]
    async fn a_host_name_of_another_program_is_not_used() {
        let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = SocketAddr::new(Ipv6Addr::LOCALHOST.into(), taken.local_addr().unwrap().port());
        assert!(listen_other_loopback(addr).await.is_err());
        drop(taken);
        assert!(listen_other_loopback(addr).await.is_ok());
        assert!(listen_other_loopback("0.0.0.0:1".parse().unwrap()).await.unwrap().is_none());
    }
}

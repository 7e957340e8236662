//! Another warehouse service, to which jobs are forwarded.

use super::url;

/// The address of the service's API. The paths of its operations begin with `/projects`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Upstream {
    /// Scheme and host: `https://warehouse.example`.
    origin: String,
    /// Path of the API, without a trailing slash: `/bigquery/v2`.
    path: String,
}

impl Upstream {
    /// Path of the API that existing clients use if they only know the host.
    const DEFAULT_PATH: &str = "/bigquery/v2";

    /// Parses an address: scheme and host, and the path of the API if it differs from
    /// `/bigquery/v2`. The error says what to write instead. Tokens are sent to this address, so
    /// plain HTTP is allowed for this machine only.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if !url::is_http(text) {
            return Err("write the full URL, starting with https://");
        }
        let text = text.trim_end_matches('/');
        if text.contains(['?', '#', '@', '%', '\\']) || !text.is_ascii() {
            return Err(
                "write scheme, host and path only: https://warehouse.example or https://warehouse.example/bigquery/v2",
            );
        }
        let host = url::host(text);
        if host.is_empty() {
            return Err("add a host: https://warehouse.example");
        }
        if !url::is_https(text) && !url::is_loopback(host) {
            return Err("write https://: access tokens are sent to this address");
        }
        let at = text.len() - text.split_once("://").map_or(0, |(_, rest)| rest.len());
        let (origin, path) = text.split_at(at + host.len());
        if path.split('/').any(|part| matches!(part, "." | "..")) {
            return Err("write the path without . and .. parts");
        }
        Ok(Self {
            origin: origin.to_owned(),
            path: match path {
                "" => Self::DEFAULT_PATH.to_owned(),
                path => path.to_owned(),
            },
        })
    }

    /// Returns the address of an operation. `path` begins with a slash, and is percent-encoded.
    /// `before` precedes the path of the API: it is `/upload` for an operation that uploads data,
    /// and otherwise empty.
    pub fn url(&self, before: &str, path: &str) -> String {
        format!("{}{before}{}{path}", self.origin, self.path)
    }

    /// Returns the host, with the port if the address contains one.
    pub fn host(&self) -> &str {
        url::host(&self.origin)
    }

    /// Returns whether the address uses plain HTTP and refers to `port` on this machine.
    pub fn is_local(&self, port: u16) -> bool {
        let own = url::host(&self.origin);
        let named = own.rsplit_once(':').map(|(_, port)| port.parse());
        let at = match named {
            Some(Ok(named)) => named,
            _ => 80,
        };
        !url::is_https(&self.origin) && url::is_loopback(own) && at == port
    }

    /// Returns whether an address has the same host as this service.
    pub fn is_same_host(&self, address: &str) -> bool {
        let rest = address.strip_prefix(&self.origin);
        rest.is_some_and(|rest| rest.starts_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_custom_or_default_path() {
        for (text, get, upload) in [
            (
                "https://warehouse.example",
                "https://warehouse.example/bigquery/v2/projects",
                "https://warehouse.example/upload/bigquery/v2/projects",
            ),
            (
                "HTTPS://warehouse.example:8443/warehouse/v2/",
                "HTTPS://warehouse.example:8443/warehouse/v2/projects",
                "HTTPS://warehouse.example:8443/upload/warehouse/v2/projects",
            ),
            (
                "http://[::1]:8080",
                "http://[::1]:8080/bigquery/v2/projects",
                "http://[::1]:8080/upload/bigquery/v2/projects",
            ),
        ] {
            let upstream = Upstream::parse(text).unwrap();
            assert_eq!(upstream.url("", "/projects"), get);
            assert_eq!(upstream.url("/upload", "/projects"), upload);
        }
    }

    #[test]
    fn tokens_are_not_sent_unencrypted() {
        for host in ["localhost:1", "127.0.0.1", "127.9.9.9:80", "[::1]", "LocalHost"] {
            assert!(Upstream::parse(&format!("http://{host}")).is_ok(), "{host}");
        }
        for text in [
            "", "warehouse.example", "ftp://warehouse.example", "http://warehouse.example",
            "http://127.0.0.1.example", "http://localhost.example",
            "http://127.0.0.1@warehouse.example", "https://user:word@warehouse.example",
            "https://warehouse.example?a=b", "https://warehouse.example/#a",
            "https://warehouse.example/a/../b", "http://[::1", "https://wärehouse.example",
            "https://ware house.example",
        ] {
            assert!(Upstream::parse(text).is_err(), "{text}");
        }
    }
}

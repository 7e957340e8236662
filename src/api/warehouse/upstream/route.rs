//! Maps paths of this server to addresses of the service.

use crate::{BASE, CLIENTS_BASE};
use model::Upstream;
use server::http::{Request, decode_path};

/// The possible path prefixes before the API's base path. Prefixes other than `""` are for uploads.
const PATH_PREFIXES: [&str; 3] = ["", "/upload", "/resumable/upload"];

/// A path at this server, and its counterpart at the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The base path at this server: `/upload/warehouse/v2`.
    local_base: String,
    /// The base address at the service: `https://warehouse.example/upload/bigquery/v2`.
    upstream_base: String,
    /// The rest of the path, with the query.
    rest: String,
}

impl Route {
    /// Returns the route of a request. Returns None for a path outside the API or with dot
    /// segments.
    pub fn of(upstream: &Upstream, request: &Request) -> Option<Self> {
        decode_path(&request.path)?;
        let bases = PATH_PREFIXES.map(|before| [BASE, CLIENTS_BASE].map(|base| (before, base)));
        bases.as_flattened().iter().find_map(|(before, base)| {
            let local_base = format!("{before}{base}");
            let rest = request.path.strip_prefix(&local_base)?;
            rest.starts_with('/').then(|| Self {
                rest: request.with_query(rest.to_owned()),
                upstream_base: upstream.url(before, ""),
                local_base,
            })
        })
    }

    /// Returns the address at the service.
    pub fn address(&self) -> String {
        format!("{}{}", self.upstream_base, self.rest)
    }

    /// Maps an address of the service, such as an upload address, to this server. `host` is the
    /// host name that the client uses. Returns None for an address that is not below the route's
    /// base address.
    pub fn local_location(&self, location: &str, host: &str) -> Option<String> {
        let rest = location.strip_prefix(&self.upstream_base)?;
        let is_below = rest.starts_with(['/', '?']);
        is_below.then(|| format!("http://{host}{}{rest}", self.local_base))
    }
}

#[cfg(test)]
mod tests {
    use warp::http::{HeaderMap, Method};

    use super::*;
    use server::http::BodyStream;

    fn route(path: &str, query: &str) -> Option<Route> {
        let upstream = Upstream::parse("https://warehouse.example/v9").unwrap();
        let request = Request {
            method: Method::GET,
            path: path.into(),
            show: None,
            query: query.into(),
            headers: HeaderMap::new(),
            body: BodyStream::empty(),
            peer: None,
        };
        Route::of(&upstream, &request)
    }

    #[test]
    fn a_path_is_kept_below_the_service_address() {
        for (path, query, address) in [
            ("/warehouse/v2/projects/p/jobs", "", "/v9/projects/p/jobs"),
            ("/bigquery/v2/projects/p/jobs", "a=b&c", "/v9/projects/p/jobs?a=b&c"),
            ("/upload/bigquery/v2/projects/p%3Ap/jobs", "", "/upload/v9/projects/p%3Ap/jobs"),
            ("/resumable/upload/warehouse/v2/x", "", "/resumable/upload/v9/x"),
        ] {
            let route = route(path, query).unwrap();
            assert_eq!(route.address(), format!("https://warehouse.example{address}"));
        }
        for path in [
            "/warehouse/v2", "/warehouse/v21/projects", "/warehouse/v2/../../x",
            "/warehouse/v2/%2e%2e/x", "/warehouse/v2/a%2Fb",
        ] {
            assert_eq!(route(path, ""), None, "{path}");
        }
    }

    #[test]
    fn an_upload_address_maps_back_to_this_server() {
        let route = route("/upload/warehouse/v2/projects/p/jobs", "").unwrap();
        let local_location = |location| route.local_location(location, "localhost:8080");
        assert_eq!(
            local_location("https://warehouse.example/upload/v9/projects/p/jobs?upload_id=1")
                .as_deref(),
            Some("http://localhost:8080/upload/warehouse/v2/projects/p/jobs?upload_id=1")
        );
        assert_eq!(local_location("https://warehouse.example/upload/v91/projects"), None);
        assert_eq!(local_location("https://elsewhere.example/upload/v9/projects"), None);
    }
}

//! Routes a request to its function: finds the operation in an API's table, reads the body, and
//! runs the function on a thread that may block.

use bytes::Bytes;
use warp::http::{Method, StatusCode};

use super::ApiError;
use server::App;
use server::access::AuthFailure;
use server::http::{BodyError, BodyStream, Request, read_body};
use state::Key;

/// The error message for an operation that panicked.
pub const FAILED: &str = "the server failed";

/// The error message for a write that panicked.
pub const WRITE_FAILED: &str = "the server failed; it is unknown whether anything was written";

/// The path parameters of a request: the name and the value of each placeholder in the pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathNames(pub Vec<(&'static str, String)>);

impl PathNames {
    /// Matches a path against a pattern such as `items/{itemId}`. A path parameter is never empty.
    fn of(pattern: &'static str, path: &str) -> Option<Self> {
        let mut names = Vec::new();
        let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
        loop {
            let (wanted, given) = match (wanted.next(), given.next()) {
                (None, None) => return Some(Self(names)),
                (wanted, given) => (wanted?, given?),
            };
            match wanted.strip_prefix('{').and_then(|place| place.strip_suffix('}')) {
                Some(place) if !given.is_empty() => names.push((place, given.to_owned())),
                None if wanted == given => {}
                _ => return None,
            }
        }
    }

    /// Returns the value of a placeholder, or an empty string if the pattern does not contain it.
    pub fn get(&self, place: &str) -> &str {
        let named = self.0.iter().find(|(own, _)| *own == place);
        named.map_or("", |(_, name)| name)
    }
}

/// Finds the operation for a method and a percent-decoded path. `table` contains methods, patterns
/// and operations. A pattern without placeholders takes precedence (OpenAPI 3.1.1, section
/// 4.8.8.2). If the path accepts only other methods, the error is the value of `Allow`. If the path
/// does not exist, the error is None.
pub fn find<T>(
    table: impl Iterator<Item = (&'static str, &'static str, T)>,
    method: &Method,
    path: &str,
) -> Result<(T, PathNames), Option<String>> {
    let matching = table.filter_map(|(method, pattern, operation)| {
        Some((method, operation, PathNames::of(pattern, path)?))
    });
    let mut matching: Vec<(&str, T, PathNames)> = matching.collect();
    if matching.iter().any(|(.., names)| names.0.is_empty()) {
        matching.retain(|(.., names)| names.0.is_empty());
    }
    // HEAD is GET without a response body.
    let method = if method == Method::HEAD { "GET" } else { method.as_str() };
    if let Some(at) = matching.iter().position(|(own, ..)| *own == method) {
        let (_, operation, names) = matching.swap_remove(at);
        return Ok((operation, names));
    }
    let methods = matching.iter().map(|(own, ..)| if *own == "GET" { "GET, HEAD" } else { own });
    let allow: Vec<&str> = methods.collect();
    Err((!allow.is_empty()).then(|| allow.join(", ")))
}

/// Runs blocking work on a separate thread. `failure` is the error message if the work panics.
pub async fn blocking<T: Send + 'static>(
    failure: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| ApiError::failed(failure))
}

/// Reads a body of at most `most` MiB.
pub async fn read_mebibytes(body: BodyStream, most: usize) -> Result<Bytes, ApiError> {
    read_body(body, most * 1024 * 1024).await.map_err(|error| match error {
        BodyError::TooLarge => {
            let message = format!("the body is larger than {most} MiB");
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message)
        }
        error => error.into(),
    })
}

/// Returns the key of a request if the key is valid. If the keys cannot be read, the error is a
/// 500, even if they are only locked by another program.
pub fn key_of(app: &App, request: &Request) -> Result<Key, ApiError> {
    app.key_of(request).map_err(|refused| match refused {
        AuthFailure::Failed(error) => ApiError::failed(error),
        refused => refused.into(),
    })
}

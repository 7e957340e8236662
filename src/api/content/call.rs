//! A call to an operation, and its answer.

use std::sync::Arc;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use warp::http::StatusCode;
use warp::http::header::HeaderName;

use super::{Operation, input};
use api_shared::{ApiError, Finder, PathNames, Writer, Writing, of_show};
use model::trace_header;
use server::http::Request;
use server::{App, Moment};
use state::Key;

/// The parts of a request that are read before its body.
pub struct CallHead {
    pub key_id: String,
    /// The header `Service-Causation-Id`.
    pub causation: Option<String>,
    /// The header `Service-Correlation-Id`.
    pub correlation: Option<String>,
    /// The header `Idempotency-Key`.
    pub idempotency_key: Option<String>,
}

impl CallHead {
    /// Checks the key, its scope and the headers of a request for an operation.
    pub fn read(app: &App, operation: &Operation, request: &Request) -> Result<Self, ApiError> {
        let key_id = key_of(app, operation, request)?.id;
        let (causation, correlation) =
            if operation.writes { trace_ids(app, request)? } else { (None, None) };
        Ok(Self {
            key_id,
            causation,
            correlation,
            idempotency_key: if operation.idempotent {
                printable_header(request, "Idempotency-Key")?
            } else {
                None
            },
        })
    }
}

/// Returns the causation and correlation ids from the headers of a write.
pub fn trace_ids(
    app: &App,
    request: &Request,
) -> Result<(Option<String>, Option<String>), ApiError> {
    let moment = app.live.now();
    let namespace = &moment.site.snapshot.config.namespace;
    let sent = |name| printable_header(request, &trace_header(namespace, name));
    Ok((sent("Causation")?, sent("Correlation")?))
}

/// Returns the valid key of a request. The key must have the operation's scope.
fn key_of(app: &App, operation: &Operation, request: &Request) -> Result<Key, ApiError> {
    let key = app.key_of(request)?;
    if key.allows(operation.scope) {
        Ok(key)
    } else {
        Err(ApiError::new(
            StatusCode::FORBIDDEN,
            format!("this key lacks the scope {}", operation.scope.as_str()),
        ))
    }
}

/// Returns whether an id from a trace header is 1 to 128 printable ASCII characters.
pub fn is_trace(id: &[u8]) -> bool {
    (1..=128).contains(&id.len()) && id.iter().all(|byte| (0x20..=0x7e).contains(byte))
}

/// Returns the value of a header with 1 to 128 printable ASCII characters, or None if the header is
/// missing.
fn printable_header(request: &Request, name: &str) -> Result<Option<String>, ApiError> {
    let mut values = request.headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let bytes = value.as_bytes();
    let fits = is_trace(bytes) && values.next().is_none();
    match value.to_str() {
        Ok(text) if fits => Ok(Some(text.to_owned())),
        _ => Err(ApiError::bad(format!(
            "{name}: must be sent only once, with 1 to 128 printable ASCII characters"
        ))),
    }
}

/// A call to an operation, with everything that the operation's function needs.
pub struct ContentCall<'a> {
    pub app: &'a App,
    /// The full-text search of the site.
    pub finder: &'a Finder,
    pub operation: &'static Operation,
    /// The name of the show whose API was called.
    pub show: Option<String>,
    /// The parts of the request that were read before its body.
    pub head: CallHead,
    pub names: PathNames,
    /// The query string, without `?`.
    pub query: String,
    pub body: Bytes,
}

impl ContentCall<'_> {
    /// Returns the value of the path parameter, or an empty string if the path has no parameter.
    pub fn id(&self) -> &str {
        self.names.0.first().map_or("", |(_, id)| id)
    }

    /// Returns the newest [`Moment`], which includes everything that has been saved so far.
    pub fn moment(&self) -> Result<Arc<Moment>, ApiError> {
        of_show(&self.app.live.newest(), self.show.as_deref())
    }

    /// Acquires the write lock and prepares the write that the call requests.
    pub fn begin_writing(&self) -> Result<Writing<'_>, ApiError> {
        Writing::begin(self.app, self.writer()).in_show(self.show.as_deref())
    }

    /// Prepares a dry run of the write. A dry run needs no write lock, so another write can run at
    /// the same time.
    pub fn only_look(&self) -> Result<Writing<'_>, ApiError> {
        let newest = self.app.live.newest();
        Writing::only_look(self.app, newest, self.writer()).in_show(self.show.as_deref())
    }

    fn writer(&self) -> Writer {
        Writer {
            operation: self.operation.id.to_owned(),
            key_id: self.head.key_id.clone(),
            causation: self.head.causation.clone(),
            correlation: self.head.correlation.clone(),
        }
    }

    /// Parses the body. The error names the invalid field.
    pub fn input<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        let namespace = &self.app.live.now().site.snapshot.config.namespace;
        input::body(self.operation, &self.body, namespace)
    }

    /// Parses the query. The error names the invalid parameter.
    pub fn parameters<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        input::query(&self.query)
    }
}

/// The successful answer of an operation.
pub struct Answer {
    pub status: StatusCode,
    /// The JSON body.
    pub body: Vec<u8>,
    /// Headers in addition to the headers of every answer.
    pub headers: Vec<(HeaderName, String)>,
}

impl Answer {
    /// Returns an answer with status 200 and this body.
    pub fn ok(body: &impl Serialize) -> Result<Self, ApiError> {
        Self::with(StatusCode::OK, body)
    }

    /// Returns an answer with status 201 and this body.
    pub fn created(body: &impl Serialize) -> Result<Self, ApiError> {
        Self::with(StatusCode::CREATED, body)
    }

    fn with(status: StatusCode, body: &impl Serialize) -> Result<Self, ApiError> {
        Ok(Self {
            status,
            body: serde_json::to_vec(body).map_err(ApiError::failed)?,
            headers: Vec::new(),
        })
    }
}

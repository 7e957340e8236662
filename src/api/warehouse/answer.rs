//! What every answer needs: the caller, the body, and the format that the client wants.

use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use serde_json::{Map, Value};
use tokio::task::spawn_blocking;
use warp::http::header::{CACHE_CONTROL, ETAG};
use warp::http::{HeaderMap, StatusCode};

use super::Scheduler;
use super::access::Access;
use super::call::{Reply, WarehouseCall};
use super::error::Refusal;
use super::operation::PathNames;
use super::parameters::Parameters;
use crate::api::shared::Selection;
use crate::server::App;
use crate::server::http::{self, BodyError, BodyStream, Request, Response, in_room_of};
use crate::server::http::{read_body, read_body_and, set};

/// Most bytes of the body of a call, also when it is unpacked: 10 MiB.
pub const LONGEST_BODY: usize = 10 * 1024 * 1024;

/// Members of bodies that are objects.
const OBJECTS: [&str; 9] = [
    "configuration",
    "datasetReference",
    "defaultDataset",
    "formatOptions",
    "jobReference",
    "labels",
    "schema",
    "tableReference",
    "view",
];

/// Makes the call of a request if its key may use the warehouse. The body is not read yet.
pub async fn read_call(
    app: Arc<App>,
    jobs: Scheduler,
    request: Request,
    names: PathNames,
) -> Result<(WarehouseCall, BodyStream), Refusal> {
    let parameters = Parameters::parse(&request.query)?;
    blocking(move || {
        let key = app.key_of(&request)?;
        let call = WarehouseCall {
            moment: app.live.newest(),
            access: Access::of(&key)?,
            app,
            jobs,
            key,
            names,
            parameters,
            headers: request.headers,
            body: Map::new(),
        };
        Ok((call, request.body))
    })
    .await?
}

/// Runs work that blocks.
pub async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let done = spawn_blocking(work).await;
    done.map_err(|_| Refusal::failed("the server failed"))
}

/// Reads a body of at most so many bytes, and decompresses it if necessary.
pub async fn plain_body(
    headers: &HeaderMap,
    stream: BodyStream,
    most: usize,
) -> Result<Bytes, Refusal> {
    let is_packed = is_packed(headers)?;
    let bytes = if is_packed {
        read_body_and(stream, most, most).await
    } else {
        read_body(stream, most).await
    };
    let bytes = bytes.map_err(|error| match error {
        BodyError::TooLarge => too_large(most),
        other => other.into(),
    })?;
    if is_packed { unpacked(&bytes, most).map(|plain| in_room_of(bytes, plain)) } else { Ok(bytes) }
}

/// Reads a JSON object. No bytes are an empty object.
pub fn object(bytes: &[u8]) -> Result<Map<String, Value>, Refusal> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    let wrong = |why: String| Refusal::new(StatusCode::BAD_REQUEST, "parseError", why);
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(members)) => {
            let is_wrong = |name: &&str| {
                let member = members.get(*name);
                member.is_some_and(|member| !member.is_object() && !member.is_null())
            };
            match OBJECTS.into_iter().find(is_wrong) {
                Some(name) => Err(Refusal::invalid(name, "it has to be an object")),
                None => Ok(members),
            }
        }
        Ok(_) => Err(wrong("the body has to be a JSON object".into())),
        Err(error) => Err(wrong(format!("the body is no JSON: {error}"))),
    }
}

fn too_large(most: usize) -> Refusal {
    Refusal::too_large(format!("this body has at most {most} bytes"))
}

fn is_packed(headers: &HeaderMap) -> Result<bool, Refusal> {
    let Some(coding) = headers.get("content-encoding") else {
        return Ok(false);
    };
    match coding.to_str().unwrap_or_default().to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(false),
        "gzip" | "x-gzip" => Ok(true),
        other => {
            let mut refusal = Refusal::bad_header(
                "Content-Encoding",
                format!("it is gzip or nothing, not {other:?}"),
            );
            refusal.status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            Err(refusal)
        }
    }
}

fn unpacked(bytes: &Bytes, most: usize) -> Result<Vec<u8>, Refusal> {
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(&bytes[..])
        .take(most as u64 + 1)
        .read_to_end(&mut unpacked)
        .map_err(|error| Refusal::bad(format!("the body is no gzip: {error}")))?;
    if unpacked.len() > most { Err(too_large(most)) } else { Ok(unpacked) }
}

/// The format of answers that a client wants.
pub struct AnswerFormat {
    fields: Option<Selection>,
    is_pretty: bool,
}

impl AnswerFormat {
    /// Reads `fields`, `prettyPrint` and `alt`.
    pub fn of(parameters: &Parameters) -> Result<Self, Refusal> {
        if let Some(other) = parameters.text("alt").filter(|alt| *alt != "json") {
            let message = format!("answers are json, not {other:?}");
            return Err(Refusal::invalid("alt", message));
        }
        let fields = parameters.text("fields").map(Selection::parse).transpose();
        Ok(Self {
            fields: fields.map_err(|why| Refusal::invalid("fields", why))?,
            is_pretty: parameters.flag("prettyPrint")?,
        })
    }

    /// The response to a call. A read is answered with 304 if the client has the answer already.
    pub fn response(&self, call: &WarehouseCall, is_read: bool, reply: Reply) -> Response {
        let Some(mut body) = reply.body else {
            return http::bytes(reply.status, JSON, "");
        };
        let etag = body["etag"].as_str().unwrap_or_default().to_owned();
        let is_known = is_read && !etag.is_empty() && call.knows(&etag);
        if let Some(fields) = &self.fields {
            fields.keep(&mut body);
        }
        let (status, text) = match (is_known, self.is_pretty) {
            (true, _) => (StatusCode::NOT_MODIFIED, String::new()),
            (false, true) => (reply.status, format!("{body:#}\n")),
            (false, false) => (reply.status, body.to_string()),
        };
        let mut response = http::bytes(status, JSON, text);
        set(&mut response, CACHE_CONTROL, "private, no-store");
        if !etag.is_empty() {
            let etag = etag.trim_matches('"');
            set(&mut response, ETAG, &format!("\"{etag}\""));
        }
        response
    }
}

/// Published clients compare it letter by letter.
const JSON: &str = "application/json; charset=utf-8";

//! The steps that all calls share: checking the key, reading the request body, and formatting the
//! answer.

use std::io::Read;
use std::sync::Arc;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use serde_json::{Map, Value};
use warp::http::header::{CACHE_CONTROL, ETAG};
use warp::http::{HeaderMap, StatusCode};

use super::Scheduler;
use super::access::Access;
use super::call::{Reply, WarehouseCall};
use super::parameters::Parameters;
use crate::error;
use api_shared::{AnswerFormat, ApiError, FAILED, PathNames, blocking, key_of};
use server::App;
use server::http::{self, BodyError, BodyStream, Request, Response, bind_to_body};
use server::http::{read_body, read_body_reserving, set};

/// Maximum size of a request body, before and after decompression, in bytes: 10 MiB.
pub const MAX_BODY: usize = 10 * 1024 * 1024;

/// Members of request bodies that must be objects.
const OBJECTS: [&str; 9] = [
    "configuration", "datasetReference", "defaultDataset", "formatOptions", "jobReference",
    "labels", "schema", "tableReference", "view",
];

/// Creates the call for a request, if the request's key may use the warehouse. Does not read the
/// body.
pub async fn read_call(
    app: Arc<App>,
    jobs: Scheduler,
    request: Request,
    names: PathNames,
) -> Result<(WarehouseCall, BodyStream), ApiError> {
    let parameters = Parameters::parse(&request.query)?;
    blocking(FAILED, move || {
        let key = key_of(&app, &request)?;
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

/// Reads a request body of at most `max_bytes` bytes, and decompresses it if necessary.
pub async fn plain_body(
    headers: &HeaderMap,
    stream: BodyStream,
    max_bytes: usize,
) -> Result<Bytes, ApiError> {
    let is_compressed = is_compressed(headers)?;
    let bytes = if is_compressed {
        read_body_reserving(stream, max_bytes, max_bytes).await
    } else {
        read_body(stream, max_bytes).await
    };
    let bytes = bytes.map_err(|error| match error {
        BodyError::TooLarge => too_large(max_bytes),
        other => other.into(),
    })?;
    if is_compressed {
        decompressed(&bytes, max_bytes).map(|plain| bind_to_body(bytes, plain))
    } else {
        Ok(bytes)
    }
}

/// Parses a JSON object. An empty body is an empty object.
pub fn object(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    if bytes.trim_ascii().is_empty() {
        return Ok(Map::new());
    }
    let rejection = |why: String| ApiError::bad(why).with_reason("parseError");
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(members)) => {
            let is_wrong = |name: &&str| {
                let member = members.get(*name);
                member.is_some_and(|member| !member.is_object() && !member.is_null())
            };
            match OBJECTS.into_iter().find(is_wrong) {
                Some(name) => Err(ApiError::invalid(name, "must be an object")),
                None => Ok(members),
            }
        }
        Ok(_) => Err(rejection("the body must be a JSON object".into())),
        Err(error) => Err(rejection(format!("the body is not valid JSON: {error}"))),
    }
}

fn too_large(max_bytes: usize) -> ApiError {
    error::too_large(format!("the body must be at most {max_bytes} bytes"))
}

fn is_compressed(headers: &HeaderMap) -> Result<bool, ApiError> {
    let Some(coding) = headers.get("content-encoding") else {
        return Ok(false);
    };
    match coding.to_str().unwrap_or_default().to_ascii_lowercase().as_str() {
        "" | "identity" => Ok(false),
        "gzip" | "x-gzip" => Ok(true),
        other => {
            let mut refusal = error::bad_header(
                "Content-Encoding",
                format!("must be gzip or identity, not {other:?}"),
            );
            refusal.status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            Err(refusal)
        }
    }
}

fn decompressed(bytes: &Bytes, max_bytes: usize) -> Result<Vec<u8>, ApiError> {
    let mut decompressed = Vec::new();
    MultiGzDecoder::new(&bytes[..])
        .take(max_bytes as u64 + 1)
        .read_to_end(&mut decompressed)
        .map_err(|error| ApiError::bad(format!("the body is not valid gzip: {error}")))?;
    if decompressed.len() > max_bytes { Err(too_large(max_bytes)) } else { Ok(decompressed) }
}

/// Reads the parameters `alt`, `fields` and `prettyPrint`.
pub fn format_of(parameters: &Parameters) -> Result<AnswerFormat, ApiError> {
    let format =
        AnswerFormat::of(parameters.text("alt"))?.with_fields(parameters.text("fields"))?;
    Ok(format.pretty(parameters.flag("prettyPrint")?))
}

/// Creates the response to a call. The response to a read is a 304 if the client already has the
/// current state.
pub fn response(
    format: &AnswerFormat,
    call: &WarehouseCall,
    is_read: bool,
    reply: Reply,
) -> Response {
    let Some(body) = reply.body else {
        return http::bytes(reply.status, JSON, "");
    };
    let etag = body["etag"].as_str().unwrap_or_default().to_owned();
    let is_known = is_read && !etag.is_empty() && call.matches_etag(&etag);
    let (status, text) = match is_known {
        true => (StatusCode::NOT_MODIFIED, String::new()),
        false => (reply.status, format.text(body)),
    };
    let mut response = http::bytes(status, JSON, text);
    set(&mut response, CACHE_CONTROL, "private, no-store");
    if !etag.is_empty() {
        let etag = etag.trim_matches('"');
        set(&mut response, ETAG, &format!("\"{etag}\""));
    }
    response
}

/// BigQuery clients compare this value literally.
const JSON: &str = "application/json; charset=utf-8";

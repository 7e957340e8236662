//! Media uploads. A client requests an upload address and then sends the file to it, without a key.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use futures_util::StreamExt;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use warp::http::{Method, StatusCode};

use super::operation::{Operation, schema};
use super::{Answer, ContentCall, call};
use api_shared::{ApiError, WRITE_FAILED, Writer, Writing, blocking, words_and_extension};
use edit::transaction::IncomingFile;
use model::{Category, ContentFolder, SitePath};
use server::App;
use server::http::{Request, Response, private_json};
use source::reference::publish;
use state::{Transfer, Upload};

/// The prefix of upload paths. The upload's token follows it.
pub const UPLOADS: &str = "/media-upload/";

/// How long an upload address is valid.
const WINDOW: SignedDuration = SignedDuration::from_mins(15);

/// Maximum size of a file whose size the client did not state, in bytes: 4 GiB.
const MAX: u64 = 4 * 1024 * 1024 * 1024;

pub const OPERATIONS: &[Operation] = &[Operation {
    id: "createPresignedUrl",
    method: "POST",
    path: "/media_files/presigned_urls/",
    tag: "Media",
    summary: "Prepare an upload",
    description: "Returns the URL for an upload. Send the bytes of the file to `presigned_url` with `PUT`, once, within 15 minutes, without a key. The file is then available at `media_url`. Trace headers of this request also apply to the upload.",
    body: Some(schema::<UploadInput>),
    status: 201,
    errors: &[400, 404],
    ..Operation::writes(prepare, schema::<UploadOutput>)
}];

/// File to be uploaded.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{
    "category": "image",
    "full_local_file_path": "/home/ada/harbour.jpg",
    "size": 48_213,
    "type": "image/jpeg",
}]))]
struct UploadInput {
    /// Kind of file.
    category: MediaCategory,
    /// Path or name of the file on the client. Its last part, of at most 255 characters, determines
    /// the name on the site.
    #[schemars(length(min = 1, max = 4096), regex(pattern = FILE_PATH))]
    full_local_file_path: String,
    /// Id of the item that the file belongs to. Optional only for an image.
    #[serde(default)]
    item_id: Option<String>,
    /// Size in bytes.
    #[serde(default)]
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_i64))]
    size: Option<u64>,
    /// Media type.
    #[serde(default, rename = "type")]
    #[schemars(length(min = 1, max = 255))]
    media_type: Option<String>,
}

/// The pattern of a path whose last part is a file name with an extension.
const FILE_PATH: &str = concat!(
    r"^([^\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]*[/\\])?",
    r"[^/\\\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]{0,244}\.[A-Za-z0-9]{1,10}$"
);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum MediaCategory {
    Image,
    Audio,
    Video,
    Document,
}

/// Address for the upload, and the future address of the file.
#[derive(Debug, Serialize, JsonSchema)]
struct UploadOutput {
    /// Address that accepts the bytes with `PUT`.
    presigned_url: String,
    /// Address of the file on the site.
    media_url: String,
}

fn prepare(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: UploadInput = call.input()?;
    let moment = call.moment()?;
    let snapshot = &moment.site.snapshot;
    let item_id = match (&input.item_id, input.category) {
        (Some(key), _) => Some(super::items::find(snapshot, key)?.item.id.clone()),
        (None, MediaCategory::Image) => None,
        (None, _) => {
            return Err(ApiError::bad("item_id: is required unless the category is image"));
        }
    };
    let path = name(&snapshot.config.content, &input)?;
    let upload = Upload {
        category: category(input.category),
        item_id,
        size: input.size,
        media_type: input.media_type,
        expires: Timestamp::now() + WINDOW,
        path,
    };
    let state = &call.app.state;
    let token = state.prepare_upload(&upload, Timestamp::now())?;
    let trace_ids = trace_query(&call.head);
    let public = publish(upload.path).path;
    Answer::created(&UploadOutput {
        presigned_url: format!(
            "{}{trace_ids}",
            snapshot.config.root_url(&format!("{UPLOADS}{}", token.expose()))
        ),
        media_url: snapshot.config.media_url(&public),
    })
}

/// The query parameters that contain the trace ids in an upload address.
const TRACE_PARAMETERS: [&str; 2] = ["causation", "correlation"];

/// Returns the query of an upload address: the trace ids of the request that prepares the upload.
fn trace_query(head: &call::CallHead) -> String {
    let ids = TRACE_PARAMETERS.into_iter().zip([&head.causation, &head.correlation]);
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, id) in ids {
        if let Some(id) = id {
            query.append_pair(name, id);
        }
    }
    match query.finish() {
        query if query.is_empty() => query,
        query => format!("?{query}"),
    }
}

/// Returns the trace ids of an upload. The upload's own headers take precedence over the request
/// that prepared the upload.
fn upload_traces(app: &App, request: &Request) -> Result<Traces, ApiError> {
    let (causation, correlation) = call::trace_ids(app, request)?;
    let prepared = |name: &str| {
        let mut pairs = form_urlencoded::parse(request.query.as_bytes());
        let (_, id) = pairs.find(|(own, _)| own == name)?;
        call::is_trace(id.as_bytes()).then(|| id.into_owned())
    };
    let [first, second] = TRACE_PARAMETERS.map(prepared);
    Ok((causation.or(first), correlation.or(second)))
}

fn category(category: MediaCategory) -> Category {
    match category {
        MediaCategory::Image => Category::Image,
        MediaCategory::Audio => Category::Audio,
        MediaCategory::Video => Category::Video,
        MediaCategory::Document => Category::Document,
    }
}

/// Returns the file's path on the site. The file name consists of words from the client's file
/// name, a random number, and the extension. The extension must match the category and the media
/// type.
fn name(content: &ContentFolder, input: &UploadInput) -> Result<SitePath, ApiError> {
    let (words, extension) = words_and_extension(&input.full_local_file_path)
        .map_err(|why| ApiError::bad(format!("full_local_file_path: {why}")))?;
    let own = media_facts::media_type(Path::new(&format!("x.{extension}")));
    let wanted = category(input.category);
    if wanted != Category::Document && Category::of_media_type(&own) != wanted {
        return Err(ApiError::bad(format!(
            "category: does not match the file; .{extension} files have the media type {own}"
        )));
    }
    if let Some(sent) = &input.media_type
        && !is_same_type(sent, &own)
    {
        return Err(ApiError::bad(format!(
            "type: .{extension} files have the media type {own}, not {sent}"
        )));
    }
    let random = getrandom::u32().map_err(ApiError::failed)?;
    let file = format!("media/{words}-{random:08x}.{extension}");
    SitePath::new(content.join(&file))
        .ok_or_else(|| ApiError::bad("full_local_file_path: invalid file name"))
}

/// Returns whether two media types are equivalent. Ignores parameters and the obsolete prefix `x-`.
fn is_same_type(sent: &str, own: &str) -> bool {
    let essence = |text: &str| {
        let text = text.split(';').next().unwrap_or_default().trim();
        text.to_ascii_lowercase().replace("/x-", "/")
    };
    let (sent, own) = (essence(sent), essence(own));
    let alias = |a: &str, b: &str| {
        matches!(
            (a, b),
            ("audio/mp3", "audio/mpeg")
                | ("audio/opus", "audio/ogg")
                | ("audio/m4a", "audio/mp4")
                | ("image/jpg", "image/jpeg")
                | ("audio/wave", "audio/wav")
        )
    };
    sent == own || alias(&sent, &own) || alias(&own, &sent)
}

pub async fn upload(app: Arc<App>, request: Request) -> Result<Response, ApiError> {
    if request.method != Method::PUT {
        let message = "this path supports only PUT".to_owned();
        return Err(ApiError { message, ..ApiError::method_not_allowed("PUT") });
    }
    let token = request.path.strip_prefix(UPLOADS).unwrap_or_default();
    let transfer = app.state.take_upload(token, Timestamp::now())?.ok_or_else(|| {
        ApiError::bad(
            "this upload URL is unknown, already used or older than 15 minutes; request a new one",
        )
    })?;
    check_head(transfer.upload(), &request)?;
    let trace_ids = upload_traces(&app, &request)?;
    let root = app.live.root().to_path_buf();
    let file = receive(&root, transfer.upload(), request).await?;
    blocking(WRITE_FAILED, move || finish(&app, transfer, file, trace_ids)).await??;
    Ok(private_json(StatusCode::OK, &serde_json::json!({})))
}

/// Checks that the request's headers match the size and media type stated when the upload was
/// prepared.
fn check_head(upload: &Upload, request: &Request) -> Result<(), ApiError> {
    let length = request.header("content-length").and_then(|text| text.parse::<u64>().ok());
    if let (Some(size), Some(length)) = (upload.size, length)
        && size != length
    {
        return Err(wrong_size(size, length));
    }
    let own = media_facts::media_type(Path::new(upload.path.as_str()));
    match request.header("content-type") {
        Some(sent)
            if !is_same_type(sent, upload.media_type.as_deref().unwrap_or(&own))
                && !matches!(
                    sent,
                    "application/octet-stream" | "application/x-www-form-urlencoded"
                ) =>
        {
            Err(ApiError::bad(format!("Content-Type: must be {own}, not {sent}")))
        }
        _ => Ok(()),
    }
}

fn wrong_size(announced_size: u64, received: u64) -> ApiError {
    ApiError::bad(format!("size: expected {announced_size} bytes, but received {received}"))
}

/// Writes the received bytes to a temporary file next to the file's final path.
async fn receive(root: &Path, upload: &Upload, request: Request) -> Result<IncomingFile, ApiError> {
    let mut file = IncomingFile::next_to(&upload.path.on_disk(root))?;
    let limit = upload.size.unwrap_or(MAX);
    let (mut body, mut received) = (request.body, 0_u64);
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(|_| ApiError::bad("the upload was interrupted"))?;
        received += chunk.len() as u64;
        if received > limit {
            return Err(wrong_size(limit, received));
        }
        // A chunk has only a few kilobytes and goes to the disk cache, so the write does not block
        // for long.
        file.write_all(&chunk)?;
    }
    match upload.size {
        Some(size) if size != received => Err(wrong_size(size, received)),
        _ => Ok(file),
    }
}

/// The trace ids of an upload: the id of the causing event, and the id of the workflow.
type Traces = (Option<String>, Option<String>);

/// Moves the file to its final path and publishes it. If an earlier, interrupted request already
/// moved the same file there, keeps that file.
fn finish(
    app: &App,
    transfer: Transfer,
    file: IncomingFile,
    trace_ids: Traces,
) -> Result<(), ApiError> {
    file.flush_to_disk()?;
    let upload = transfer.upload();
    let (causation, correlation) = trace_ids;
    let by = Writer {
        operation: "uploadMedia".to_owned(),
        key_id: "upload".to_owned(),
        causation,
        correlation,
    };
    let writing = Writing::begin(app, by);
    match file.is_there()? {
        Some(true) => {}
        Some(false) => {
            return Err(ApiError::conflict(format!(
                "{} already exists with different content; request a new upload URL",
                upload.path
            )));
        }
        None => {
            let item = upload.item_id.as_ref().map(ToString::to_string);
            let subject = item.unwrap_or_else(|| upload.path.to_string());
            writing.keep(&subject, &upload.path, file)?;
        }
    }
    // The file is already published. If the completion cannot be recorded, the client can upload
    // the same bytes again.
    let _ = transfer.complete();
    Ok(())
}

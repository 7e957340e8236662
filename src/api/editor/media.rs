//! Media uploads, and media files for the editor's page. An upload consists of pieces. If the
//! browser, the server or the connection fails, the upload resumes where it stopped. A complete
//! upload is moved into the site. The page also loads the media files of a document from here,
//! because the media files of a draft are not published.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::json;
use warp::http::StatusCode;
use warp::http::header::{CONTENT_SECURITY_POLICY, HeaderName, X_CONTENT_TYPE_OPTIONS};
use xxhash_rust::xxh3::xxh3_128;

use super::Answer;
use super::EDITOR;
use super::kind::FileKind;
use super::on_disk::begin;
use api_shared::{ApiError, check_inside_site, words_and_extension};
use edit::transaction::IncomingFile;
use local::make_folders;
use model::artwork::sizes;
use model::content_folder::{CALENDARS, ITEMS, MEDIA, PAGES};
use model::{Category, ContentFolder, SitePath, pictures};
use server::App;
use server::http::{Request, Response, set};
use server::sending;
use source::disk::{Disk, same_bytes};
use source::reference;

/// Maximum size of a piece, in bytes.
pub const MAX_PIECE: usize = 8 * 1024 * 1024;

/// The folder that collects the pieces, below the site's root.
const FOLDER: &str = ".feedwright/uploads";

/// How long an incomplete upload is kept.
const RETENTION: Duration = Duration::from_hours(7 * 24);

/// Maximum size of a file, in bytes: 16 GiB.
const MAX_FILE_SIZE: u64 = 16 * 1024 * 1024 * 1024;

/// Minimum width of a picture in a list, in pixels.
const SMALL: u32 = 96;

/// Receives the pieces of uploads. The mutex serializes writes.
#[derive(Default)]
pub struct Uploads(Mutex<()>);

/// A file to upload for a document with media, such as an item or page.
#[derive(Debug, Deserialize)]
pub struct AnnouncedFile {
    /// The path of the document that the file belongs to.
    path: String,
    /// The name of the file on the person's device.
    name: String,
    /// The size, in bytes.
    size: u64,
    /// The modification time on the device, in milliseconds since 1970. It distinguishes different
    /// files with the same name.
    #[serde(default)]
    modified: u64,
}

impl AnnouncedFile {
    /// Returns the id of the upload.
    fn id(&self) -> UploadId {
        let all = format!("{}\n{}\n{}\n{}", self.path, self.name, self.size, self.modified);
        UploadId { hash: xxh3_128(all.as_bytes()), size: self.size }
    }

    /// Returns the slug and the extension for the file's name in the site.
    fn parts(&self) -> Result<(String, String), ApiError> {
        let (words, extension) =
            words_and_extension(&self.name).map_err(|why| ApiError::bad(format!("name: {why}")))?;
        if ["md", "html", "htm", "toml", "mustache"].contains(&extension.as_str()) {
            return Err(ApiError::bad(format!(
                "name: .{extension} files cannot be uploaded as media: start a draft, and paste the text"
            )));
        }
        Ok((words, extension))
    }
}

/// Returns the folder for the media of a document: the document's own folder if it has one,
/// otherwise the media folder of the site or show.
pub fn folder_of(path: &str) -> Result<String, ApiError> {
    let (path, kind) = FileKind::at(path)?;
    if kind == FileKind::SiteFile {
        return Err(ApiError::bad("path: a site file cannot have media"));
    }
    let is_alone = |folder| ContentFolder::inner(folder, path.as_str()).is_some();
    let is_own = path.stem() == "index" || !(is_alone(ITEMS) || is_alone(CALENDARS));
    let own = path.parent().filter(|_| is_own);
    let content = ContentFolder::of(path.as_str());
    let own = own.filter(|folder| *folder != content.as_str() && *folder != content.join(PAGES));
    Ok(own.map_or_else(|| content.join(MEDIA), str::to_owned))
}

/// Returns the reference to a file in the folder for the media of a document.
pub fn reference_to(path: &SitePath) -> String {
    let is_shared = ContentFolder::inner(MEDIA, path.as_str()).is_some();
    match is_shared && path.parent().is_some_and(|folder| folder.ends_with("/media")) {
        true => reference::publish(path.clone()).path,
        false => path.file_name().to_owned(),
    }
}

/// The id of an upload: a hash of the announced file, and its announced size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct UploadId {
    hash: u128,
    /// The announced size, in bytes.
    size: u64,
}

impl UploadId {
    fn parse(text: &str) -> Option<Self> {
        let (hash, size) = text.split_once('-')?;
        let id = Self { hash: u128::from_str_radix(hash, 16).ok()?, size: size.parse().ok()? };
        (id.to_string() == text).then_some(id)
    }

    /// Returns the path of the file that collects the pieces.
    ///
    /// # Errors
    ///
    /// Returns an error if a symlink in the path points outside the site.
    fn part(self, root: &Path) -> Result<PathBuf, ApiError> {
        let path = SitePath::parse(&format!("{FOLDER}/{self}.part"));
        let path = path.ok_or_else(|| ApiError::failed("the path of the upload is invalid"))?;
        check_inside_site(root, &path)?;
        Ok(path.on_disk(root))
    }
}

impl fmt::Display for UploadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}-{}", self.hash, self.size)
    }
}

impl Uploads {
    /// Begins or resumes an upload. Returns the number of bytes received so far.
    pub fn begin(&self, app: &App, sent: &AnnouncedFile) -> Answer {
        folder_of(&sent.path)?;
        sent.parts()?;
        if sent.size > MAX_FILE_SIZE {
            return Err(ApiError::bad("size: must be at most 16 GiB"));
        }
        let (root, id) = (app.live.root(), sent.id());
        let part = id.part(root)?;
        let folder = root.join(FOLDER);
        make_folders(&folder)?;
        remove_expired(&folder, RETENTION);
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let file = OpenOptions::new().append(true).create(true).open(part)?;
        let received = file.metadata()?.len();
        Ok(json!({ "id": id.to_string(), "received": received, "piece": MAX_PIECE }))
    }

    /// Receives a piece. `place` is `ID/BYTE`: the id of the upload and the offset of the piece.
    /// Ignores a piece that does not begin where the received bytes end, so that no byte is written
    /// twice or skipped. Returns the number of bytes received so far.
    pub fn take(&self, app: &App, place: &str, bytes: &[u8]) -> Answer {
        let parsed = place.split_once('/').and_then(|(id, at)| Some((id, at.parse::<u64>().ok()?)));
        let (id, at) = parsed.ok_or_else(|| ApiError::bad("the path must be send/ID/BYTE"))?;
        let id = UploadId::parse(id)
            .ok_or_else(|| ApiError::not_found("upload not found: start it again"))?;
        if at.saturating_add(bytes.len() as u64) > id.size {
            return Err(ApiError::bad(format!(
                "size: this piece exceeds the announced {} bytes and was discarded",
                id.size
            )));
        }
        let part = id.part(app.live.root())?;
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let file = OpenOptions::new().append(true).open(part);
        let mut file = file.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ApiError::not_found("upload not found: start it again"),
            _ => error.into(),
        })?;
        let offset = file.metadata()?.len();
        if offset == at {
            append(&mut file, offset, bytes)?;
        }
        Ok(json!({ "received": file.metadata()?.len() }))
    }

    /// Moves a complete file into the site, and returns the reference to use in the document.
    pub fn keep(&self, app: &App, sent: &AnnouncedFile) -> Answer {
        let (folder, (stem, extension)) = (folder_of(&sent.path)?, sent.parts()?);
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let root = app.live.root();
        let part = sent.id().part(root)?;
        let received = fs::metadata(&part).map_or(0, |facts| facts.len());
        if received != sent.size {
            return Err(ApiError::conflict(format!(
                "only {} of {} bytes were received: send the rest",
                received, sent.size
            )));
        }
        let writing = begin(app, "uploadMedia", EDITOR);
        let same = SitePath::parse(&format!("{folder}/{stem}.{extension}"));
        let same = same.filter(|path| same_bytes(&part, &path.on_disk(root)).unwrap_or(false));
        let path = match same {
            Some(path) => {
                fs::remove_file(&part)?;
                path
            }
            None => {
                let path = writing.free_name(&folder, &stem, &extension)?;
                check_inside_site(root, &path)?;
                let file = IncomingFile::moved_from(&part, &path.on_disk(root))?;
                file.flush_to_disk()?;
                writing.keep(path.as_str(), &path, file)?;
                path
            }
        };
        let media_type = media_facts::media_type(Path::new(path.as_str()));
        Ok(json!({
            "path": path,
            "reference": reference_to(&path),
            "type": media_type,
            "problem": picture_problem(root, &path, &media_type),
        }))
    }
}

/// Returns why a picture cannot be shown or resized.
fn picture_problem(root: &Path, path: &SitePath, media_type: &str) -> Option<String> {
    let is_picture = Category::of_media_type(media_type) == Category::Image;
    let facts = Disk::new(root).media(path).ok().filter(|_| is_picture)?;
    let damage = facts.damage.as_ref().map(|damage| format!("it is {damage}"));
    damage.or_else(|| {
        facts.problems.iter().find_map(|one| one.strip_prefix("sizes: ")).map(str::to_owned)
    })
}

/// Appends bytes to a file. If the write fails, for example because the disk is full, restores the
/// previous length.
fn append(file: &mut File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    let written = file.write_all(bytes).and_then(|()| file.sync_data());
    if written.is_err() {
        file.set_len(offset)?;
    }
    written
}

/// Deletes the files of a folder that were not written for this long.
pub fn remove_expired(folder: &Path, retention: Duration) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_old = |file: &fs::DirEntry| {
        let changed = file.metadata().and_then(|facts| facts.modified());
        changed.is_ok_and(|time| {
            SystemTime::now().duration_since(time).is_ok_and(|age| age > retention)
        })
    };
    for file in files.filter(is_old) {
        let _ = fs::remove_file(file.path());
    }
}

fn not_found() -> ApiError {
    ApiError::not_found("media file not found")
}

/// Returns the path of the media file to which the document at `from` refers by this name.
pub fn locate(app: &App, from: &str, name: &str) -> Result<SitePath, ApiError> {
    let (from, _) = FileKind::at(from)?;
    let disk = Disk::new(app.live.root());
    let path = match name.strip_prefix("/media/") {
        Some(path) => reference::published_at(&disk, path),
        None => reference::locate(&disk, &from, name).ok(),
    };
    let is_medium = |path: &SitePath| {
        let media_type = media_facts::media_type(Path::new(path.as_str()));
        ContentFolder::split(path.as_str()).is_some()
            && !path.as_str().contains("/.")
            && !matches!(Category::of_media_type(&media_type), Category::Document)
    };
    path.filter(is_medium).ok_or_else(not_found)
}

/// Returns the media file that a document refers to. If the query has `small`, returns a small
/// version of a picture if there is one.
pub fn show(app: &App, request: &Request, from: &str) -> Result<Response, ApiError> {
    let pairs = || form_urlencoded::parse(request.query.as_bytes());
    let (_, name) = pairs().find(|(key, _)| key == "of").ok_or_else(not_found)?;
    let path = locate(app, from, &name)?;
    let (from, _) = FileKind::at(from)?;
    let media_type = media_facts::media_type(Path::new(path.as_str()));
    let is_small = pairs().any(|(key, _)| key == "small");
    let small = is_small.then(|| small(app, &from, &path)).flatten();
    let mut response = match small {
        Some((bytes, media_type)) => sending::bytes(request, StatusCode::OK, media_type, bytes),
        None => sending::file(request, app.live.root(), Path::new(path.as_str()), &media_type),
    };
    set(
        &mut response,
        CONTENT_SECURITY_POLICY,
        "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    );
    set(&mut response, X_CONTENT_TYPE_OPTIONS, "nosniff");
    // Browsers also send the cookie with requests from pages on other ports. This header prevents
    // such pages from using the file.
    let policy = HeaderName::from_static("cross-origin-resource-policy");
    set(&mut response, policy, "same-origin");
    Ok(response)
}

/// Returns the smallest published size of a picture that is wide enough for a list, with its media
/// type. Returns None if the picture has no sizes.
fn small(app: &App, from: &SitePath, path: &SitePath) -> Option<(Vec<u8>, &'static str)> {
    let moment = app.live.now();
    let snapshot = &moment.site.snapshot;
    let entry = snapshot.entries.iter().find(|entry| entry.item.source == *from)?;
    let file = entry.item.media.iter().find(|file| file.source == *path)?;
    let wide = sizes(file, &snapshot.config.images).into_iter();
    let size = wide.filter(|size| size.width >= SMALL).min_by_key(|size| size.width)?;
    let bytes = snapshot.pictures.as_ref()?.size(file, size).ok()?;
    Some((bytes, pictures::media_type(size.format)))
}

//! Site files in the editor. The author's text is saved as a draft, in a separate file next to the
//! published template. Publishing replaces the published template with the draft. A version covers
//! both files, so nothing is saved or published if one of them has changed since the browser loaded
//! it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::on_disk::{begin, changed, load_text, replace_step, version};
use super::{Answer, EDITOR};
use api_shared::{ApiError, SiteFileState, Step, Times, apply_toml, cannot_edit, is_any};
use model::{SiteFile, SitePath, Source};
use render::text::rfc3339;
use server::App;
use site::Snapshot;
use source::config;

/// A site file, and the version that the browser has loaded.
#[derive(Debug, Deserialize)]
pub struct SeenSiteFile {
    path: String,
    version: String,
}

/// A site file's settings, to be written to `site.toml`. If the version is missing, nothing is written, and the
/// answer contains the current version and the text of `site.toml` before and after the change.
#[derive(Debug, Deserialize)]
pub struct Settings {
    path: String,
    content_type: Option<String>,
    enabled: Option<bool>,
    version: Option<String>,
}

/// The published template and the draft of a site file, from the disk.
struct Texts {
    published: Option<String>,
    draft: Option<String>,
}

impl Texts {
    fn of(app: &App, state: &SiteFileState<'_>) -> Result<Self, ApiError> {
        Ok(Self {
            published: load_text(app, &state.published_path()?)?,
            draft: load_text(app, &state.draft_path()?)?,
        })
    }

    /// Returns the text that the editor shows. The text of a generated site file is empty.
    fn text(&self) -> &str {
        let text = self.draft.as_ref().or(self.published.as_ref());
        text.map_or("", String::as_str)
    }

    /// Returns a version that covers the published template and the draft.
    fn version(&self) -> String {
        let one = |text: &Option<String>| text.as_deref().map(version).unwrap_or_default();
        format!("{}-{}", one(&self.published), one(&self.draft))
    }
}

/// Returns all site files by name, including generated ones.
pub fn list(app: &App, snapshot: &Snapshot) -> Vec<Value> {
    let root = app.live.root();
    let shown = |state: &SiteFileState<'_>| {
        let files = [state.published, state.draft].into_iter().flatten();
        let changed = files.filter_map(|file| Times::changed(root, &file.source)).max();
        let status = match (state.published, state.draft) {
            _ if !state.config.enabled => "off",
            (None, None) => "generated",
            (None, Some(_)) => "draft",
            (Some(_), None) => "published",
            (Some(_), Some(_)) => "changed",
        };
        json!({
            "kind": "site-file",
            "path": state.draft_path().ok(),
            "title": state.filename,
            "status": status,
            "date": changed.map(rfc3339),
        })
    };
    SiteFileState::all(snapshot).iter().map(shown).collect()
}

/// Returns a site file from the disk. Omits its text if the browser already has this version.
pub fn open(app: &App, path: &SitePath, seen: Option<&str>) -> Answer {
    let moment = app.live.newest();
    let texts = Texts::of(app, &state(&moment.site.snapshot, path)?)?;
    if seen == Some(texts.version().as_str()) {
        return Ok(json!({ "version": seen }));
    }
    answer(app, path, &texts)
}

fn answer(app: &App, path: &SitePath, texts: &Texts) -> Answer {
    let mut text_json = text_json(app, path, texts.text());
    text_json["version"] = json!(texts.version());
    text_json["site_file"]["published"] = json!(texts.published);
    Ok(text_json)
}

fn state<'s>(snapshot: &'s Snapshot, path: &SitePath) -> Result<SiteFileState<'s>, ApiError> {
    let name = SiteFile::name_at(path).ok_or_else(|| ApiError::bad("path: not a site file"))?;
    Ok(SiteFileState::of(snapshot, name))
}

/// Returns a template, its rendered output and its problems.
pub fn text_json(app: &App, path: &SitePath, text: &str) -> Value {
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
    let state = SiteFileState::of(snapshot, SiteFile::name_at(path).unwrap_or_default());
    let is_generated = text.is_empty() && state.published.is_none();
    let generated = state.generated(&moment).filter(|_| is_generated);
    let rendered = generated.unwrap_or_else(|| state.render(&moment, state.content_type(), text));
    let (rendered, problems) = match rendered {
        Ok(rendered) => (Some(rendered), Vec::new()),
        Err(fault) => (None, vec![fault]),
    };
    json!({
        "path": state.draft_path().ok(),
        "kind": "site-file",
        "head": "",
        "body": text,
        "values": null,
        "problems": problems,
        "rendered": rendered,
        "site_file": {
            "filename": state.filename,
            "content_type": state.content_type(),
            "content_types": SiteFile::CONTENT_TYPES,
            "enabled": state.config.enabled,
            "is_generated": state.kind.is_some(),
        },
    })
}

/// Returns the path for a new site file. The file is created when the author saves it.
pub fn create(app: &App, name: &str) -> Answer {
    SiteFile::check_name(name).map_err(|why| ApiError::bad(format!("title: {why}")))?;
    let moment = app.live.newest();
    let state = SiteFileState::of(&moment.site.snapshot, name);
    state.check_is_new(app.live.root(), &moment.site)?;
    Ok(json!({ "path": state.draft_path()? }))
}

/// Saves the draft. If the draft equals the published template, removes the draft.
pub fn save(app: &App, path: &SitePath, text: &str, seen: Option<&str>) -> Answer {
    if text.len() > SiteFile::MAX_BYTES {
        let most = SiteFile::MAX_BYTES;
        return Err(ApiError::bad(format!(
            "text: has {} bytes; the maximum is {most}",
            text.len()
        )));
    }
    write(app, path, "saveFile", seen, |state, texts| {
        let draft = state.draft_path()?;
        let generated = state.kind.map(|_| String::new());
        let is_published =
            texts.published.as_ref().or(generated.as_ref()).is_some_and(|base| base == text);
        Ok(match (&texts.draft, is_published) {
            (None, true) => Vec::new(),
            (Some(_), true) => vec![Step::remove(&draft)],
            (None, false) => vec![Step::create(&draft, text, is_any)],
            (Some(current), false) => vec![replace_step(&draft, is_any, current, text)],
        })
    })
}

/// Replaces the published template with the draft. The draft must render to valid output.
pub fn publish(app: &App, request: &SeenSiteFile) -> Answer {
    let path =
        SitePath::parse(&request.path).ok_or_else(|| ApiError::bad("path: not a site file"))?;
    write(app, &path, "publishSiteFile", Some(&request.version), |state, texts| {
        let draft = texts
            .draft
            .as_ref()
            .ok_or_else(|| ApiError::bad("this site file has no draft to publish"))?;
        let rendered = state.render(&app.live.newest(), state.content_type(), draft);
        rendered.map_err(|fault| ApiError::bad(ApiError::from(fault).message))?;
        let place = state.published_path()?;
        let put = match &texts.published {
            Some(current) => replace_step(&place, is_any, current, draft),
            None => Step::create(&place, draft, is_any),
        };
        Ok(vec![put, Step::remove(&state.draft_path()?)])
    })
}

/// Writes to a site file if the browser has loaded its current version.
fn write<'a>(
    app: &'a App,
    path: &SitePath,
    operation: &str,
    seen: Option<&str>,
    steps: impl FnOnce(&SiteFileState<'_>, &Texts) -> Result<Vec<Step<'a>>, ApiError>,
) -> Answer {
    let writing = begin(app, operation, EDITOR);
    let state = state(&writing.before.site.snapshot, path)?;
    let texts = Texts::of(app, &state)?;
    if seen != Some(texts.version().as_str()) {
        return Err(changed());
    }
    let steps = steps(&state, &texts)?;
    if !steps.is_empty() {
        let subject = state.published_path()?;
        writing.write(subject.as_str(), Some(&subject), &steps)?;
    }
    answer(app, path, &Texts::of(app, &state)?)
}

/// Moves the template and the draft to the trash. A generated site file then has its default output
/// again, and a custom site file no longer exists.
pub fn remove(app: &App, path: &SitePath, seen: Option<&str>) -> Answer {
    let current = Texts::of(app, &state(&app.live.newest().site.snapshot, path)?)?.version();
    write(app, path, "removeFile", Some(seen.unwrap_or(&current)), |state, _| {
        let steps = state.removal_steps();
        match steps.is_empty() {
            true => Err(ApiError::not_found("path: file not found")),
            false => Ok(steps),
        }
    })
}

/// Returns the text of `site.toml` before and after a change of settings. If the request has a
/// version, writes the change instead.
pub fn settings(app: &App, request: &Settings) -> Answer {
    let none = || ApiError::bad("path: not a site file");
    let path = SitePath::parse(&request.path).ok_or_else(none)?;
    let content_type = request.content_type.as_deref().map(|name| {
        let known = SiteFile::parse_content_type(name);
        known.ok_or_else(|| {
            ApiError::bad(format!(
                "content_type: must be one of {}",
                SiteFile::CONTENT_TYPES.join(", ")
            ))
        })
    });
    let writing = begin(app, "configureSiteFile", EDITOR);
    let state = state(&writing.before.site.snapshot, &path)?;
    let changes = state.configuration(content_type.transpose()?, request.enabled);
    let site = SitePath::parse("site.toml").ok_or_else(none)?;
    let before = load_text(app, &site)?.unwrap_or_default();
    let source = Source { path: &site, text: &before };
    let after = apply_toml(source, &changes).map_err(cannot_edit)?;
    let Some(seen) = &request.version else {
        return Ok(json!({ "before": before, "after": after, "version": version(&before) }));
    };
    if *seen != version(&before) {
        return Err(ApiError::conflict(
            "site.toml has changed in the meantime; nothing was written: review the change again",
        ));
    }
    let step = replace_step(&site, config::check, &before, &after);
    writing.write(state.filename.as_str(), Some(&site), &[step])?;
    Ok(json!({}))
}

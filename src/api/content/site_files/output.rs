//! A Site File as the API shows it.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use api_shared::{SiteFileState, Times};
use model::{GeneratedKind, SiteFile};
use render::text;
use site::Snapshot;

/// A Site File.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SiteFileOutput {
    /// Its id.
    id: String,
    /// Its name at the site's root.
    filename: String,
    /// Its media type.
    content_type: &'static str,
    /// The draft's template; where there is no draft, what is published. Empty where it is generated.
    draft_content: String,
    /// The template that is published; none before it is, and where it is generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    published_content: Option<String>,
    /// Whether it is published.
    enabled: bool,
    /// Whether it is one of those that are generated until overridden.
    system: bool,
    /// What generates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["robots", "llms", "sitemap"]))]
    generator: Option<&'static str>,
    /// Whether it is generated now, or made from a template.
    #[schemars(extend("enum" = ["generated", "override"]))]
    mode: &'static str,
    /// Its public address.
    url: String,
    /// When its file was made (RFC 3339).
    date_created: String,
    /// When its template or draft was last changed (RFC 3339).
    date_modified: String,
    /// When its template was last published (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
}

impl SiteFileOutput {
    pub fn of(root: &Path, snapshot: &Snapshot, state: &SiteFileState<'_>) -> Self {
        let file = |file: &Arc<SiteFile>| file.source.on_disk(root);
        let files = [state.published, state.draft].into_iter().flatten();
        let times = Times::of_all(root, files.map(file));
        let published = state.published.and_then(|own| Times::of(&file(own)));
        let is_generated = state.kind.is_some() && state.published.is_none();
        Self {
            id: state.id(),
            content_type: state.content_type(),
            draft_content: match state.draft {
                Some(draft) => draft.template.clone(),
                None => state.base().unwrap_or_default().to_owned(),
            },
            published_content: state.published.map(|file| file.template.clone()),
            enabled: state.config.enabled,
            system: state.kind.is_some(),
            generator: state.kind.map(GeneratedKind::as_str),
            mode: if is_generated { "generated" } else { "override" },
            url: snapshot.config.url(&format!("/{}", state.filename)),
            date_created: text::rfc3339(times.created),
            date_modified: text::rfc3339(times.modified),
            date_published: published.map(|times| text::rfc3339(times.modified)),
            filename: state.filename.clone(),
        }
    }
}

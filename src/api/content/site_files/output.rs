//! A site file as returned by the API.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use api_shared::{SiteFileState, Times};
use model::{GeneratedKind, SiteFile};
use render::text;
use site::Snapshot;

/// Site File with its draft and its published template.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SiteFileOutput {
    /// Id of the Site File.
    id: String,
    /// Name at the site's root.
    filename: String,
    /// Media type.
    content_type: &'static str,
    /// Draft template. Without a draft, the published template. Empty for generated content.
    draft_content: String,
    /// Published template. Missing before the first publication, and for generated content.
    #[serde(skip_serializing_if = "Option::is_none")]
    published_content: Option<String>,
    /// Whether the Site File is published.
    enabled: bool,
    /// Whether feedwright generates the Site File unless a template overrides it.
    system: bool,
    /// Generator of the Site File.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["robots", "llms", "sitemap"]))]
    generator: Option<&'static str>,
    /// Whether the content is generated or made from a template.
    #[schemars(extend("enum" = ["generated", "override"]))]
    mode: &'static str,
    /// Public URL.
    url: String,
    /// Creation time of the file (RFC 3339).
    date_created: String,
    /// Time of the last change to the template or draft (RFC 3339).
    date_modified: String,
    /// Time when the template was last published (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
}

impl SiteFileOutput {
    pub fn of(root: &Path, snapshot: &Snapshot, state: &SiteFileState<'_>) -> Self {
        let file = |file: &Arc<SiteFile>| file.source.on_disk(root);
        let files = [state.published, state.draft].into_iter().flatten();
        let times = Times::from_files(root, files.map(file));
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

//! Redirects from the paths of content that moved or was deleted, in `content/redirects.toml`.

use front_matter::Change;

use api_shared::{ApiError, Step, Writing, apply_toml, cannot_edit};
use model::{SitePath, Source};
use source::fields::Reader;
use source::redirects;

/// Returns the step that adds redirects, given as the paths to redirect from and to, and removes
/// redirects from `used` paths. Paths that are already redirected stay. Returns None if nothing
/// changes.
pub fn step<'s>(
    writing: &Writing<'_>,
    added: impl Iterator<Item = (String, String)>,
    used: &[String],
) -> Result<Option<Step<'s>>, ApiError> {
    let content = &writing.before.site.snapshot.config.content;
    let file = SitePath::new(redirects::file(content))
        .ok_or_else(|| ApiError::failed("invalid path of redirects.toml"))?;
    let known = &writing.before.site.snapshot.redirects;
    let is_known = |path: &String| known.iter().any(|known| known.from == *path);
    let removed = used.iter().filter(|path| is_known(path)).map(|path| Change::remove(&[path]));
    let added = added.filter(|(from, _)| !is_known(from));
    let changes: Vec<Change> =
        removed.chain(added.map(|(from, to)| Change::set(&[&from], to))).collect();
    let check = |reader: &Reader<'_>| {
        let _ = redirects::read(reader);
    };
    if changes.is_empty() {
        return Ok(None);
    }
    if file.on_disk(writing.app.live.root()).exists() {
        return Ok(Some(Step::change_toml(&file, check, changes)));
    }
    let source = Source { path: &file, text: "# Redirects from former paths.\n" };
    let text = apply_toml(source, &changes).map_err(cannot_edit)?;
    Ok(Some(Step::create(&file, &text, check)))
}

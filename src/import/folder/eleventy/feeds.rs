//! Redirects for feeds from Eleventy's plug-in and from hand-written templates.

use super::project::Project;
use crate::folder::data;
use crate::folder::feeds::{Form, templates};
use crate::folder::front::{self, Fences};
use crate::folder::source::Source;
use crate::folder::tree::{Tree, ending, kind, split};

/// Adds a redirect for each feed.
pub fn redirect(tree: &mut Tree, project: &Project<'_>, source: &mut Source) {
    let rooted = |path: &str| format!("/{}", path.trim_start_matches('/'));
    if let Some(settings) = &project.settings {
        for path in settings.texts_at("outputPath") {
            let form = match path.ends_with(".json") {
                true => Form::Json,
                false => Form::Xml,
            };
            if path.starts_with('/') && path.contains('.') {
                source.add_redirect(path, form.of_site());
            }
        }
    }
    let is_left = |path: &str| {
        !path.starts_with(&project.folders.input)
            || project.folders.is_inside(path)
            || project.ignores(path).is_some()
    };
    for (path, form) in templates(tree, &is_left) {
        let whole = tree.text(&path).unwrap_or_default();
        let front = front::read(&whole, Fences::Named).ok();
        let permalink = front.and_then(|front| data::text_at(&front.fields, "permalink"));
        let inner = path.strip_prefix(&project.folders.input).unwrap_or(&path);
        let is_template = matches!(&*kind(inner), "njk" | "liquid" | "hbs");
        let public = match permalink {
            Some(permalink) if !permalink.contains(['{', '%']) => rooted(&permalink),
            Some(_) => continue,
            // Copied files keep their paths. A template without a `permalink` gets the path of a
            // page.
            None if is_template => format!("{}/", rooted(ending(inner).0)),
            None => rooted(inner),
        };
        if split(&public).1 != "false" {
            source.add_redirect(public, form.of_site());
        }
    }
}

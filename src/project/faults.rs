//! Finds faults that need the whole site: broken links, documents that fail to render, unknown
//! names in templates.

use std::path::Path;

use rayon::prelude::*;

use super::ai_faults::ai_faults;
use super::broken_links::broken_links;
use super::silenced_warnings::filter_silenced;
use super::tag_faults::tag_faults;
use super::translation_faults::translation_faults;
use super::{Options, Site, read_config};
use model::{CheckConfig, Diagnostic, Report};
use render::pages::site_file;
use render::{Document, names};
use source::config::example_address_warning;

/// Finds documents that fail to render, broken links, and unknown names in templates. `fault`
/// renders a document and returns the error. `known` contains the faults of individual files. Links
/// to and from these files are skipped.
pub fn faults(
    options: &Options,
    site: &Site,
    known: &Report,
    fault: &(dyn Fn(&Document) -> Option<Diagnostic> + Sync),
) -> Vec<Diagnostic> {
    let mut found = render_fallible(options, site, fault);
    found.extend(unknown_names(site));
    found.extend(broken_option_links(site));
    found.extend(ai_faults(site));
    found.extend(tag_faults(&options.root, site));
    found.extend(translation_faults(&options.root, site));
    found.extend(broken_links(&options.root, site, &known.faulty_files()));
    found
}

/// Returns warnings about unknown names in templates.
fn unknown_names(site: &Site) -> Vec<Diagnostic> {
    let config = &site.snapshot.config;
    let folder = format!("themes/{}", config.theme);
    // Skip the embedded themes, which are checked by the tests of feedwright.
    let mut found = if site.theme.is_embedded {
        Vec::new()
    } else {
        names::warn_unknown_in_theme(&site.theme, &folder, &config.namespace)
    };
    let own = names::ThemeNames::of(&site.theme);
    for file in &site.snapshot.site_files {
        // A template that cannot be parsed is reported elsewhere.
        if let Ok(template) = site_file::parse(file) {
            let path = file.source.as_str();
            found.extend(names::warn_unknown_names(&template, path, &config.namespace, &own));
        }
    }
    found
}

/// Returns warnings about links in the theme's options to paths that do not exist.
fn broken_option_links(site: &Site) -> impl Iterator<Item = Diagnostic> {
    let links = site.theme.all_options().flat_map(|options| &options.link_paths);
    // The build of a show checks the paths of its site.
    let links = links.filter(|(path, _)| path.starts_with('/'));
    let lost = links.filter(|(path, _)| site.find(path).is_none());
    lost.map(|(_, said)| said.clone())
}

/// Renders documents that can fail, without writing them: the author's site files and the style
/// sheet for RSS. If the theme's partials include each other, renders all documents, because the
/// recursion may be endless.
fn render_fallible(
    options: &Options,
    site: &Site,
    fault: &(dyn Fn(&Document) -> Option<Diagnostic> + Sync),
) -> Vec<Diagnostic> {
    let recursive = site.theme.has_recursive_partials();
    let show = site.show(options);
    let routes = site.routes().routes.par_iter().filter(|route| match route.document {
        Document::In(at, _) => show.is_none_or(|show| show == at),
        _ => show.is_none(),
    });
    let fallible = routes.filter(|route| {
        recursive
            || matches!(
                route.document.inner(),
                Document::SiteFile(_) | Document::RssStylesheet | Document::RssStyles
            )
    });
    fallible.filter_map(|route| fault(&route.document)).collect()
}

/// Warns if the site's address is still an example, unless `options` overrides it. Called only if
/// there are no other problems.
pub fn warn_before_publishing(options: &Options) -> Option<Diagnostic> {
    if options.base_url.is_some() || options.show.is_some() {
        return None;
    }
    warn_example_address(&options.root, || read_config(options).0.check)
}

/// Warns if the address in `site.toml` is still an example, unless the author's `rules` silence
/// this warning.
pub fn warn_example_address(
    root: &Path,
    rules: impl FnOnce() -> CheckConfig,
) -> Option<Diagnostic> {
    let found = example_address_warning(root)?;
    let (told, _) = filter_silenced(root, &rules(), [found]);
    told.into_iter().next()
}

//! Finds faults that need the whole site: broken links, documents that do not render, unknown names in templates.

use std::path::Path;

use rayon::prelude::*;

use super::broken_links::broken_links;
use super::silenced::without_silenced;
use super::translation_faults::translation_faults;
use super::{Options, Site, read_config};
use model::{CheckConfig, Diagnostic, Report};
use render::pages::site_file;
use render::{Document, names};
use source::config::address_of_an_example;

/// Finds documents that cannot be rendered, for which `fault` says why, and links that lead nowhere. `known`
/// holds the faults of single files: what follows from them is not reported again.
pub fn faults(
    options: &Options,
    site: &Site,
    known: &Report,
    fault: &(dyn Fn(&Document) -> Option<Diagnostic> + Sync),
) -> Vec<Diagnostic> {
    let mut found = try_fallible(site, fault);
    found.extend(unknown_names(site));
    found.extend(options_that_lead_nowhere(site));
    found.extend(translation_faults(&options.root, site));
    found.extend(broken_links(&options.root, site, &known.faulty_files()));
    found
}

/// Names in templates that no template can read.
fn unknown_names(site: &Site) -> Vec<Diagnostic> {
    let config = &site.snapshot.config;
    let folder = format!("themes/{}", config.theme);
    // The program's tests look at its own themes.
    let mut found = if site.theme.is_embedded {
        Vec::new()
    } else {
        names::unknown_in(&site.theme, &folder, &config.namespace)
    };
    let own = names::ThemeNames::of(&site.theme);
    for file in &site.snapshot.site_files {
        // A template that cannot be read is reported elsewhere.
        if let Ok(template) = site_file::parse(file) {
            let path = file.source.as_str();
            found.extend(names::unknown(&template, path, &config.namespace, &own));
        }
    }
    found
}

/// Links among the theme's options to paths that the site does not have.
fn options_that_lead_nowhere(site: &Site) -> impl Iterator<Item = Diagnostic> {
    let links = site.theme.options.own_paths.iter();
    let lost = links.filter(|(path, _)| site.find(path).is_none());
    lost.map(|(_, said)| said.clone())
}

/// Renders what may fail without writing it: the author's Site Files, and every document of a theme
/// whose partials may include one another without end.
fn try_fallible(
    site: &Site,
    fault: &(dyn Fn(&Document) -> Option<Diagnostic> + Sync),
) -> Vec<Diagnostic> {
    let recursive = site.theme.has_recursive_partials();
    let fallible = site.routes().routes.par_iter().filter(|route| {
        recursive
            || matches!(
                route.document,
                Document::SiteFile(_) | Document::RssStylesheet | Document::RssStyles
            )
    });
    fallible.filter_map(|route| fault(&route.document)).collect()
}

/// Warns that the site's address is still that of an example and the run gives no other. Asked only when
/// nothing else is wrong.
pub fn before_publishing(options: &Options) -> Option<Diagnostic> {
    if options.base_url.is_some() {
        return None;
    }
    example_address(&options.root, || read_config(options).0.check)
}

/// Warns that the address in `site.toml` is still that of an example, unless the author's `rules` silence it.
pub fn example_address(root: &Path, rules: impl FnOnce() -> CheckConfig) -> Option<Diagnostic> {
    let found = address_of_an_example(root)?;
    let (told, _) = without_silenced(root, &rules(), [found]);
    told.into_iter().next()
}

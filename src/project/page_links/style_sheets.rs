//! Finds broken addresses in the style sheets of a theme.

use std::borrow::Cow;

use super::target::Target;
use super::theme_location::ThemeLocation;
use crate::Site;
use model::{Diagnostic, Rule, SitePath, Source};
use site::paths;
use source::css::css_addresses;
use source::text::read_text;
use theme::Asset;

/// Returns warnings about broken addresses in the style sheets of the theme and of the site.
pub(super) fn broken_in_style_sheets(
    site: &Site,
    theme_location: &ThemeLocation<'_>,
) -> Vec<Diagnostic> {
    let assets = site.theme.assets.iter();
    let sheets = assets.filter(|asset| asset.address.ends_with(".css"));
    sheets.flat_map(|sheet| find_broken(site, theme_location, sheet)).collect()
}

fn find_broken(site: &Site, theme_location: &ThemeLocation<'_>, sheet: &Asset) -> Vec<Diagnostic> {
    let css = String::from_utf8_lossy(&sheet.bytes);
    let path = format!("{}/{}", paths::assets(&site.theme.hash), sheet.address);
    if site.find(&path).is_none() {
        // The site does not use this style sheet, so it is not published.
        return Vec::new();
    }
    let broken: Vec<(usize, &str)> = css_addresses(&css)
        .into_iter()
        .filter(|(_, address)| !address.starts_with('#'))
        .filter(|(_, address)| {
            let target = Target::of(&site.snapshot.config, &path, None, address);
            target.is_some_and(|target| site.find(&target.path).is_none())
        })
        .collect();
    let Some((file, text)) =
        (!broken.is_empty()).then(|| source(site, theme_location, sheet, &css)).flatten()
    else {
        return Vec::new();
    };
    let warning = |(at, address): (usize, &str)| {
        let message = format!("broken link: the theme has no file at {address}");
        let help = "correct the address, or add the file to `assets` of the theme";
        let at = if text == css { at } else { text.find(address).unwrap_or_default() };
        let source = Source { path: &file, text: &text };
        Diagnostic::warning(Rule::DeadLink, message).at(source, at).help(help)
    };
    broken.into_iter().map(warning).collect()
}

/// Returns the source file of a style sheet, with its text.
fn source<'c>(
    site: &Site,
    theme_location: &ThemeLocation<'_>,
    sheet: &Asset,
    css: &'c str,
) -> Option<(SitePath, Cow<'c, str>)> {
    if site.theme.manifest.assets.contains(&sheet.path) {
        return Some((theme_location.file(&sheet.path)?, css.into()));
    }
    // The path of a style sheet from the theme's options consists of a folder name and the path in
    // the site.
    let (_, path) = sheet.path.split_once('/')?;
    let file = SitePath::parse(path)?;
    let text = read_text(theme_location.root?, &file).ok()?;
    Some((file, text.into()))
}

//! `feedwright theme list`: lists the available themes.

use std::path::Path;

use serde_json::json;

use crate::Failure;
use crate::output::print_json;
use crate::table;
use source::load::load_config;
use theme::{Theme, built_in_names, site_theme_names};

/// Prints the built-in themes and the site's themes, and marks the site's current theme.
pub fn run(root: &Path, as_json: bool) -> Result<(), Failure> {
    let (config, _) = load_config(root);
    let own = site_theme_names(root);
    let built_in = built_in_names().map(str::to_owned);
    let built_in: Vec<String> = built_in.filter(|name| !own.contains(name)).collect();
    let themes = own.iter().map(|name| (name, format!("themes/{name}")));
    let themes = themes.chain(built_in.iter().map(|name| (name, "built in".to_owned())));
    let (mut rows, mut listed) = (Vec::new(), Vec::new());
    for (name, place) in themes {
        let is_used = *name == config.theme;
        let theme = Theme::load(root, name);
        let manifest = theme.as_ref().ok().map(|theme| &theme.manifest);
        let extends = manifest.and_then(|manifest| manifest.extends.as_deref());
        let about = match &theme {
            Ok(theme) => theme.manifest.description.clone(),
            Err(_) => format!("has errors: run `feedwright theme validate {place}`"),
        };
        rows.push(vec![
            format!("{}{name}", if is_used { "* " } else { "  " }),
            place.clone(),
            extends.map_or_else(String::new, |base| format!("extends {base}")),
            about.clone(),
        ]);
        listed.push(json!({
            "name": name,
            "place": place,
            "used": is_used,
            "ok": theme.is_ok(),
            "extends": extends,
            "version": manifest.map(|manifest| &manifest.version),
            "description": manifest.map(|manifest| &manifest.description),
            "options": manifest.map(|manifest| manifest.options.keys().collect::<Vec<_>>()),
        }));
    }
    if as_json {
        print_json(&json!(listed));
    } else {
        table::print(&rows);
    }
    Ok(())
}

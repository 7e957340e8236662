//! Liquid blocks that are defined by a site's plugins. Plugins are not executed.

use regex::Regex;

use crate::folder::tree::{Tree, ending};

/// Returns two lists of blocks: blocks that never render the text between their tags, and blocks
/// that render it only under a condition.
pub fn blocks(tree: &mut Tree) -> (Vec<String>, Vec<String>) {
    let (mut silent, mut deciding) = (Vec::new(), Vec::new());
    let Ok(registered) = Regex::new(r#"register_tag\s*\(?\s*["']([\w-]+)["']\s*,\s*([\w:]+)"#)
    else {
        return (silent, deciding);
    };
    let paths: Vec<String> = tree.below("_plugins/").cloned().collect();
    for path in paths.iter().filter(|path| ending(path).1 == "rb") {
        let code = tree.text(path).unwrap_or_default();
        for found in registered.captures_iter(&code) {
            let class = found[2].rsplit("::").next().unwrap_or_default();
            let Some(class) = class_of(&code, class) else {
                continue;
            };
            let shows = ["super", "nodelist", "@body", "render_all"]
                .iter()
                .any(|word| class.contains(word));
            let hides = ["\"\"", "''", "nil"].iter().any(|word| class.contains(word));
            if !shows {
                silent.push(found[1].to_owned());
            } else if hides {
                deciding.push(found[1].to_owned());
            }
        }
    }
    (silent, deciding)
}

/// Returns the source code of the class that implements a block, up to the next class.
fn class_of<'c>(code: &'c str, name: &str) -> Option<&'c str> {
    let start = code.find(&format!("class {name}"))?;
    let rest = &code[start..];
    let end = rest[6..].find("\nclass ").map_or(rest.len(), |at| at + 6);
    rest[..end].lines().next()?.contains("Block").then_some(&rest[..end])
}

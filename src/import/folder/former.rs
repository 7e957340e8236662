//! Assigns each former address to one content file.

use std::collections::HashMap;

use super::source::Source;
use crate::found::note;
use crate::naming::key;

/// Assigns each address and each alias to one content file, and reports the other content files
/// with the same address. Public content files take precedence, then content files in the site's
/// main language.
pub fn assign_addresses(source: &mut Source) {
    let mut order: Vec<usize> = (0..source.texts.len()).collect();
    order.sort_by_key(|at| {
        let text = &source.texts[*at];
        (text.hidden.is_some(), text.language.is_some())
    });
    let mut owners: HashMap<String, usize> = HashMap::new();
    for at in &order {
        let Some(address) = source.texts[*at].address.clone() else {
            continue;
        };
        let owner = *owners.entry(key(&address)).or_insert(*at);
        if owner != *at {
            source.texts[*at].address = None;
            report(source, &address, owner, *at);
        }
    }
    for at in order {
        for alias in std::mem::take(&mut source.texts[at].aliases) {
            let owner = *owners.entry(key(&alias)).or_insert(at);
            if owner == at {
                source.texts[at].aliases.push(alias);
            } else {
                report(source, &alias, owner, at);
            }
        }
    }
}

fn report(source: &mut Source, address: &str, owner: usize, other: usize) {
    let message = format!(
        "duplicate address {address}: it redirects to {}, not to this file",
        source.texts[owner].path
    );
    let place = source.texts[other].path.clone();
    note(&mut source.notes, message, place);
}

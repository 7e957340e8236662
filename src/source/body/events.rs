//! The events of a Markdown body. A pass that changes events, such as linking bare addresses, runs
//! only if the body may contain something to change. For most bodies, the parser's events are
//! written unchanged.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use super::autolinks::{self, Autolinks};
use super::notes::{self, Notes};
use super::single_links::{self, SingleLinks};
use super::substitutions::Substitutions;
use super::syntax::{Spanned, options};
use super::wiki_links::{self, WikiLinks};
use crate::linker::Linker;

/// Calls `read` with each event that starts before byte `end` of a body. The body starts at byte
/// `start` of its file. `text` is the prepared body to parse, and `signs` are the substitutions
/// that were made in `text`.
pub fn each_event<'e>(
    linker: &'e Linker<'_, '_>,
    start: usize,
    (text, signs): (&'e str, &'e Substitutions),
    end: usize,
    mut read: impl FnMut(Event<'e>, Range<usize>),
) {
    let config = &linker.reader.config.markdown;
    let body = &linker.reader.source.text[start..][..text.len()];
    let has_names = config.wiki_links && wiki_links::may_contain(body);
    let has_lone_links = single_links::may_contain(body);
    let has_notes = config.notes && notes::may_contain(body);
    let has_addresses = config.autolinks && autolinks::may_contain(body);
    let mut options = options(config);
    options.set(Options::ENABLE_WIKILINKS, has_names);
    let mut parser = Parser::new_ext(text, options).into_offset_iter();
    let is_wanted = |(_, range): &Spanned<'e>| range.start < end;
    if !(has_names || has_lone_links || has_notes || has_addresses) && signs.is_empty() {
        return parser.take_while(is_wanted).for_each(|(event, range)| read(event, range));
    }
    let mut autolinks = Autolinks::new(body);
    // `block` collects the events of one top-level block. `open` counts the elements that are still
    // open.
    let (mut block, mut open) = (Vec::new(), 0_usize);
    loop {
        let next = parser.next().filter(is_wanted);
        let is_last = next.is_none();
        if let Some((event, range)) = next {
            match event {
                Event::Start(_) => open += 1,
                Event::End(_) => open = open.saturating_sub(1),
                _ => {}
            }
            block.push((signs.restore_event(event), range));
        }
        if open > 0 && !is_last {
            continue;
        }
        if has_names {
            let read_with = (parser.reference_definitions(), options);
            let names = WikiLinks::new(linker, (body, start), (text, signs), read_with, block);
            block = names.change();
        }
        if has_lone_links {
            block = SingleLinks::new(linker, body, start).change(block);
        }
        if has_notes {
            block = Notes::new(linker, start, block).change();
        }
        if has_addresses {
            block = autolinks.change(block);
        }
        block.drain(..).for_each(|(event, range)| read(event, range));
        if is_last {
            return;
        }
    }
}

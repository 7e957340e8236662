//! The events of a Markdown text. The stages that change some are run only for texts that may hold what they change:
//! most texts go from the parser to the writer.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

use super::alone::{self, Alone};
use super::autolinks::{self, Autolinks};
use super::notes::{self, Notes};
use super::stand_ins::Signs;
use super::syntax::options;
use super::wiki_links::{self, WikiLinks};
use crate::source::linker::Linker;

/// An event, and the bytes of the body that it is read from.
pub type Spanned<'e> = (Event<'e>, Range<usize>);

/// Calls `read` with the events of a body that start before the byte `end` of it. `start` is the byte of its file where
/// the body starts, `text` is what is parsed of it.
pub fn each_event<'e>(
    linker: &'e Linker<'_, '_>,
    start: usize,
    (text, signs): (&'e str, &'e Signs),
    end: usize,
    mut read: impl FnMut(Event<'e>, Range<usize>),
) {
    let config = &linker.reader.config.markdown;
    let body = &linker.reader.source.text[start..][..text.len()];
    let has_names = config.wiki_links && wiki_links::may_hold(body);
    let has_lone_links = alone::may_hold(body);
    let has_notes = config.notes && notes::may_hold(body);
    let has_addresses = config.autolinks && autolinks::may_hold(body);
    let mut options = options(config);
    options.set(Options::ENABLE_WIKILINKS, has_names);
    let mut parser = Parser::new_ext(text, options).into_offset_iter();
    let is_wanted = |(_, range): &Spanned<'e>| range.start < end;
    if !(has_names || has_lone_links || has_notes || has_addresses) && signs.is_empty() {
        return parser.take_while(is_wanted).for_each(|(event, range)| read(event, range));
    }
    let parsed = parser.by_ref().take_while(is_wanted);
    // Most texts have fewer events.
    let mut events = Vec::with_capacity(text.len() / 10);
    events.extend(parsed.map(|(event, range)| (signs.give_back(event), range)));
    if has_names {
        let definitions = parser.reference_definitions();
        let names = WikiLinks::new(linker, (body, start), (text, signs), definitions);
        events = names.change(events, options);
    }
    if has_lone_links {
        events = Alone::new(linker, body, start).change(events);
    }
    if has_notes {
        events = Notes::new(linker, start).change(events);
    }
    if has_addresses {
        events = Autolinks::new(body).change(events);
    }
    events.into_iter().for_each(|(event, range)| read(event, range));
}

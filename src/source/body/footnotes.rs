//! The footnotes of a Markdown body.

use std::collections::HashMap;

use pulldown_cmark::{Event, TagEnd};

/// The footnotes of a body, in the order of their first reference. The definitions may be anywhere
/// in the body.
#[derive(Default)]
pub struct Footnotes<'e> {
    numbers: HashMap<String, (usize, usize)>,
    order: Vec<String>,
    definitions: HashMap<String, Vec<Event<'e>>>,
    open: Option<(String, Vec<Event<'e>>)>,
}

impl<'e> Footnotes<'e> {
    /// Starts a definition. `outer` contains the events before the definition.
    pub fn start(&mut self, name: &str, outer: Vec<Event<'e>>) {
        self.open = Some((name.to_owned(), outer));
    }

    /// Ends the definition that consists of `events`, and sets `events` to the events before the
    /// definition.
    pub fn end(&mut self, events: &mut Vec<Event<'e>>) {
        if let Some((name, outer)) = self.open.take() {
            let definition = std::mem::replace(events, outer);
            self.definitions.entry(name).or_insert(definition);
        }
    }

    /// Returns the HTML of a reference to a footnote.
    pub fn reference(&mut self, name: &str, scope: &str) -> String {
        let next = self.order.len() + 1;
        let (number, mentions) = self.numbers.entry(name.to_owned()).or_insert((next, 0));
        if *mentions == 0 {
            self.order.push(name.to_owned());
        }
        *mentions += 1;
        let back = if *mentions == 1 {
            format!("fnref-{scope}-{number}")
        } else {
            format!("fnref-{scope}-{number}-{mentions}")
        };
        format!(
            "<sup class=\"footnote-ref\"><a href=\"#fn-{scope}-{number}\" id=\"{back}\">{number}</a></sup>"
        )
    }

    /// Appends the footnotes that have references.
    pub fn push_all(&mut self, events: &mut Vec<Event<'e>>, scope: &str) {
        if self.order.is_empty() {
            return;
        }
        events.push(Event::Html(
            "<section class=\"footnotes\" role=\"doc-endnotes\">\n<ol>\n".into(),
        ));
        for (at, name) in std::mem::take(&mut self.order).into_iter().enumerate() {
            let number = at + 1;
            events.push(Event::Html(format!("<li id=\"fn-{scope}-{number}\">").into()));
            let mut definition = self.definitions.remove(&name).unwrap_or_default();
            let back = Event::InlineHtml(
                format!(" <a href=\"#fnref-{scope}-{number}\" role=\"doc-backlink\">↩</a>").into(),
            );
            let last =
                definition.iter().rposition(|event| matches!(event, Event::End(TagEnd::Paragraph)));
            definition.insert(last.unwrap_or(definition.len()), back);
            events.append(&mut definition);
            events.push(Event::Html("</li>\n".into()));
        }
        events.push(Event::Html("</ol>\n</section>\n".into()));
    }
}

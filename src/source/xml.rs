//! Validation of XML.

use quick_xml::events::{BytesStart, Event};

/// Checks that a string is well-formed XML with one root element. The error contains the reason and
/// the byte offset.
pub fn well_formed(text: &str) -> Result<(), (String, usize)> {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_comments = true;
    let (mut depth, mut roots) = (0_usize, 0_usize);
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or_default();
        match reader.read_event() {
            Ok(Event::Eof) if depth > 0 => {
                return Err(("an element is not closed".into(), text.len()));
            }
            Ok(Event::Eof) if roots == 0 => return Err(("the root element is missing".into(), 0)),
            Ok(Event::Eof) => return Ok(()),
            Ok(Event::Start(start)) => {
                roots += usize::from(depth == 0);
                depth += 1;
                attributes(&start, at)?;
            }
            Ok(Event::Empty(start)) => {
                roots += usize::from(depth == 0);
                attributes(&start, at)?;
            }
            Ok(Event::End(_)) => depth = depth.saturating_sub(1),
            Ok(Event::GeneralRef(name)) if !is_known_reference(&name) => {
                return Err((format!("unknown entity &{};: write a plain & as &amp;", &*name), at));
            }
            Ok(Event::Text(content)) if depth == 0 && !content.trim().is_empty() => {
                return Err(("text outside the root element".into(), at));
            }
            Ok(_) => {}
            Err(error) => {
                return Err((
                    error.to_string(),
                    usize::try_from(reader.error_position()).unwrap_or(at),
                ));
            }
        }
        if roots > 1 {
            return Err(("there is more than one root element".into(), at));
        }
    }
}

fn attributes(start: &BytesStart<'_>, at: usize) -> Result<(), (String, usize)> {
    for attribute in start.attributes() {
        attribute.map_err(|error| (error.to_string(), at))?;
    }
    Ok(())
}

/// Returns whether a reference is a character reference or one of XML's five entities.
fn is_known_reference(name: &str) -> bool {
    name.starts_with('#') || matches!(name, "amp" | "lt" | "gt" | "quot" | "apos")
}

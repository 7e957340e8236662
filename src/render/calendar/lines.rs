//! Writes content lines (RFC 5545, section 3.1) that are never too long or malformed.
//!
//! Property names come from the program, values are escaped for their type, and every line is
//! folded at 75 octets between two characters.

/// Maximum number of octets in a line, without its line end.
const MAX_LINE_OCTETS: usize = 75;

/// The content lines of a calendar, in order.
#[derive(Debug, Default)]
pub struct Lines {
    out: String,
}

/// A property that is being written. Parameters can be added until [`value`](Self::value) or
/// [`text`](Self::text) finishes the line.
#[must_use = "a property must be given a value"]
pub struct Property<'l> {
    lines: &'l mut Lines,
    text: String,
}

impl Lines {
    pub fn into_text(self) -> String {
        self.out
    }

    pub fn append(&mut self, other: &Self) {
        self.out.push_str(&other.out);
    }

    /// Writes a component around the lines that `inner` writes.
    pub fn component(&mut self, name: &'static str, inner: impl FnOnce(&mut Self)) {
        self.property("BEGIN").value(name);
        inner(self);
        self.property("END").value(name);
    }

    pub fn property(&mut self, name: &str) -> Property<'_> {
        Property { text: name.to_owned(), lines: self }
    }

    /// Writes a property whose value is TEXT. Writes nothing if the text is empty.
    pub fn text(&mut self, name: &'static str, text: &str) {
        if !text.trim().is_empty() {
            self.property(name).text(text);
        }
    }

    /// Writes a property whose value is TEXT, unless `text` is None.
    pub fn optional(&mut self, name: &'static str, text: Option<&str>) {
        self.text(name, text.unwrap_or_default());
    }

    fn fold(&mut self, line: &str) {
        let mut octets = 0;
        for c in line.chars() {
            if octets + c.len_utf8() > MAX_LINE_OCTETS {
                self.out.push_str("\r\n ");
                octets = 1;
            }
            self.out.push(c);
            octets += c.len_utf8();
        }
        self.out.push_str("\r\n");
    }
}

impl Property<'_> {
    /// Adds a parameter. Characters that a parameter cannot contain are encoded as in RFC 6868.
    pub fn param(mut self, name: &'static str, value: &str) -> Self {
        let mut spelled = String::with_capacity(value.len());
        for c in value.chars() {
            match c {
                '^' => spelled.push_str("^^"),
                '"' => spelled.push_str("^'"),
                '\n' => spelled.push_str("^n"),
                c if c.is_control() => {}
                c => spelled.push(c),
            }
        }
        let quote = if spelled.contains([':', ';', ',']) { "\"" } else { "" };
        for part in [";", name, "=", quote, &spelled, quote] {
            self.text.push_str(part);
        }
        self
    }

    /// Writes the property with a value of any type except TEXT.
    pub fn value(mut self, value: &str) {
        self.text.push(':');
        self.text.extend(value.chars().filter(|c| !c.is_control()));
        self.lines.fold(&self.text);
    }

    /// Writes the property with a value of type TEXT (section 3.3.11).
    pub fn text(mut self, text: &str) {
        self.text.push(':');
        for c in text.trim().chars() {
            match c {
                '\\' | ';' | ',' => self.text.extend(['\\', c]),
                '\n' => self.text.push_str("\\n"),
                '\t' => self.text.push(c),
                c if c.is_control() => {}
                c => self.text.push(c),
            }
        }
        self.lines.fold(&self.text);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unfolded(text: &str) -> String {
        text.replace("\r\n ", "")
    }

    #[test]
    fn values_are_escaped_by_their_type() {
        let mut lines = Lines::default();
        lines.text("SUMMARY", " a; b, c\\d\r\ne\u{7} ");
        lines.property("X").param("CN", "A \"B\": ^\nC").value("x;y\r\nEND:VCALENDAR");
        lines.text("DESCRIPTION", " \n");
        let text = "SUMMARY:a\\; b\\, c\\\\d\\ne\r\nX;CN=\"A ^'B^': ^^^nC\":x;yEND:VCALENDAR\r\n";
        assert_eq!(lines.into_text(), text);
    }

    proptest! {
        #[test]
        fn lines_are_folded_without_splitting_characters(text in "\\PC{0,300}") {
            let mut lines = Lines::default();
            lines.property("DESCRIPTION").param("ALTREP", &text).text(&text);
            let out = lines.into_text();
            prop_assert!(out.split("\r\n").all(|line| line.len() <= MAX_LINE_OCTETS));
            prop_assert!(!out.replace("\r\n", "").contains(['\r', '\n']));
            let spelled = text.trim().replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,");
            let end = format!(":{spelled}\r\n");
            prop_assert!(unfolded(&out).ends_with(&end));
        }
    }
}

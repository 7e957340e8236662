//! Finds an unclosed bracket or quote in YAML. YAML parsers only report it several lines later.

/// An unclosed bracket or quote.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unclosed {
    /// Byte position of the bracket or quote.
    pub at: usize,
    pub bracket: char,
}

impl Unclosed {
    /// Returns the character that would close the bracket or quote.
    pub fn closing(&self) -> char {
        match self.bracket {
            '[' => ']',
            '{' => '}',
            quote => quote,
        }
    }
}

/// Finds the first unclosed quote, or the innermost bracket that is not closed or is closed by the
/// wrong kind of bracket.
pub(super) fn unclosed(text: &str) -> Option<Unclosed> {
    let bytes = text.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    // Whether a value or key can start at the current position. Inside a plain scalar, brackets and
    // quotes are ordinary characters.
    let mut starts = true;
    while let Some(&byte) = bytes.get(at) {
        let follows = bytes.get(at + 1).copied().unwrap_or(b'\n');
        let is_after_space = at == 0 || bytes[at - 1].is_ascii_whitespace();
        match byte {
            b'\n' => starts = starts || open.is_empty(),
            b' ' | b'\t' | b'\r' => {}
            b'#' if is_after_space => {
                at = end_of_line(bytes, at);
                continue;
            }
            b'"' | b'\'' if starts => {
                let Some(end) = end_of_quotes(bytes, at) else {
                    let bracket = char::from(byte);
                    return Some(Unclosed { at, bracket });
                };
                (at, starts) = (end, false);
                continue;
            }
            b'[' | b'{' if starts || !open.is_empty() => {
                open.push(at);
                starts = true;
            }
            b']' | b'}' if !open.is_empty() => {
                let matches = open.last().is_some_and(|open| bytes[*open] + 2 == byte);
                if !matches {
                    break;
                }
                open.pop();
                starts = false;
            }
            b',' if !open.is_empty() => starts = true,
            b':' if follows.is_ascii_whitespace() || (!open.is_empty() && !starts) => starts = true,
            b'|' | b'>' if starts && open.is_empty() => {
                at = end_of_block(bytes, at);
                continue;
            }
            b'-' | b'?' if starts && follows.is_ascii_whitespace() => {}
            // The name of a tag, an anchor or an alias.
            b'!' | b'&' | b'*' if starts => {
                let name = bytes[at..].iter();
                at += name
                    .take_while(|byte| !byte.is_ascii_whitespace() && !b",[]{}".contains(byte))
                    .count();
                continue;
            }
            _ => starts = false,
        }
        at += 1;
    }
    open.last().map(|at| Unclosed { at: *at, bracket: char::from(bytes[*at]) })
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let end = bytes[at..].iter().position(|byte| *byte == b'\n');
    end.map_or(bytes.len(), |length| at + length)
}

/// Returns the position after the quoted string that starts at byte `start`.
fn end_of_quotes(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes[start];
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote && quote == b'\'' && bytes.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}

/// Returns the end of the block scalar whose indicator is at byte `at`. The scalar includes all
/// lines that are blank, or indented deeper than the line with the indicator.
fn end_of_block(bytes: &[u8], at: usize) -> usize {
    let line = bytes[..at].iter().rposition(|byte| *byte == b'\n');
    let line = line.map_or(0, |end| end + 1);
    let indent = |line: &[u8]| line.iter().take_while(|byte| **byte == b' ').count();
    let own = indent(&bytes[line..]);
    let mut end = end_of_line(bytes, at);
    while end < bytes.len() {
        let next = end_of_line(bytes, end + 1);
        let text = &bytes[end + 1..next];
        if !text.trim_ascii().is_empty() && indent(text) <= own {
            break;
        }
        end = next;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unclosed_bracket_is_found() {
        for (text, found) in [
            ("title: [x\nattachment: b.pdf\n", Some((7, '['))),
            ("a: 1\ntags: [a, b\nauthors: [c, d]\n", Some((11, '['))),
            ("a: {b: [c, {d: e}]\nf: g\n", Some((3, '{'))),
            ("a: [b, {c: d]\n", Some((7, '{'))),
            ("a: \"b\nc: d\n", Some((3, '"'))),
            ("a: 'it''s\nc: d\n", Some((3, '\''))),
            ("- [a\n- b\n", Some((2, '['))),
            ("a: x [y\nb: don't\nc: 5\" [\nd: e # [\n", None),
            ("a: |\n  [ \" '\n\n  {\nb: >-\n  \"\nc: [d]\n", None),
            ("a: !t [b, &c \"d\", *e, {f: \"g]\"}]\n\"h\": [\n  i, # ]\n  j]\n", None),
            ("a: [b, \"c: d", Some((7, '"'))),
        ] {
            let unclosed = unclosed(text);
            assert_eq!(unclosed.map(|one| (one.at, one.bracket)), found, "{text}");
        }
    }
}

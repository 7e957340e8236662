//! Removes kramdown's syntax in braces, such as `{:.class}`, `{: #id}`, `{:toc}` and
//! `{:target="_blank"}`.

/// Removes comments, from `{::comment}` to `{:/comment}`. The number of lines stays the same.
fn without_comments(text: &str, removed: &mut dyn FnMut(&str, usize)) -> String {
    const OPEN: &str = "{::comment}";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(OPEN) {
        let before = format!("{out}{}", &rest[..at]);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let fences = before.lines().filter(|line| line.trim_start().starts_with("```"));
        let in_code = line.matches('`').count() % 2 == 1 || fences.count() % 2 == 1;
        let inner = &rest[at + OPEN.len()..];
        let end = ["{:/comment}", "{:/}"]
            .iter()
            .filter_map(|end| Some((inner.find(end)?, end.len())))
            .min();
        let Some((end, length)) = end.filter(|_| !in_code) else {
            out += &rest[..at + OPEN.len()];
            rest = inner;
            continue;
        };
        removed("{::comment}", before.matches('\n').count() + 1);
        out = before + &"\n".repeat(inner[..end].matches('\n').count());
        rest = &inner[end + length..];
    }
    out + rest
}

/// Removes kramdown's syntax from a body. Calls `removed` with each removed part and its line
/// number. Ids of headings are kept. The number of lines stays the same.
pub fn plain(text: &str, removed: &mut dyn FnMut(&str, usize)) -> String {
    let text = &*without_comments(text, removed);
    let mut lines: Vec<String> = Vec::new();
    let mut fence: Option<&str> = None;
    for (at, line) in text.split('\n').enumerate() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        if fence.is_some() || mark.is_some() || !line.contains("{:") {
            lines.push(line.to_owned());
            continue;
        }
        let attributes =
            start.strip_prefix("{:").and_then(|rest| rest.trim_end().strip_suffix('}'));
        let Some(attributes) = attributes.filter(|inner| !inner.contains('}')) else {
            lines.push(spans(line, &mut |part| removed(part, at + 1)));
            continue;
        };
        let before = lines.last_mut();
        match (attributes.trim(), before) {
            (id, Some(heading))
                if id.starts_with('#') && !id.contains([' ', '.']) && heading.starts_with('#') =>
            {
                *heading = format!("{} {{{id}}}", heading.trim_end());
            }
            // The table of contents is removed, because feedwright's themes generate one.
            ("toc", Some(list)) => {
                list.clear();
                removed("{:toc}", at + 1);
            }
            _ => removed(start.trim_end(), at + 1),
        }
        lines.push(String::new());
    }
    lines.join("\n")
}

/// Removes attributes of links, pictures and words from a line.
fn spans(line: &str, removed: &mut dyn FnMut(&str)) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("{:") {
        let is_after_span = rest[..at].ends_with([')', '*', '_', '`', ']', '>']);
        // After an odd number of backticks, the brace is inside code.
        let in_code = (out.matches('`').count() + rest[..at].matches('`').count()) % 2 == 1;
        let end = rest[at..].find('}').map(|end| at + end + 1);
        let Some(end) = end.filter(|_| is_after_span && !in_code) else {
            out += &rest[..at + 2];
            rest = &rest[at + 2..];
            continue;
        };
        out += &rest[..at];
        removed(&rest[at..end]);
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_removed_and_code_is_kept() {
        let text = "A {::comment}b{:/comment} c\n\n{::comment}\nd\n{:/}\n`{::comment}` e\n\n```\n{::comment}f{:/}\n```\n";
        let after = "A  c\n\n\n\n\n`{::comment}` e\n\n```\n{::comment}f{:/}\n```\n";
        let mut removed = Vec::new();
        let plain = plain(text, &mut |part, line| removed.push(format!("{part} {line}")));
        assert_eq!(plain, after);
        assert_eq!(removed, ["{::comment} 1", "{::comment} 3"]);
    }
}

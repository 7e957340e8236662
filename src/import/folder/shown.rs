//! Determines whether the templates of shortcodes show the text between the shortcode's tags.

use super::tags::Tag;
use super::tree::{Tree, ending};

/// Returns two lists of shortcodes: shortcodes whose templates never show the text between their
/// tags, and shortcodes whose templates show it only under a condition. The templates are in
/// `folders`.
pub fn judged_shortcodes(
    tree: &mut Tree,
    folders: &[&str],
    inner: &str,
) -> (Vec<String>, Vec<String>) {
    let (mut silent, mut deciding) = (Vec::new(), Vec::new());
    for folder in folders {
        let paths: Vec<String> = tree.below(folder).cloned().collect();
        for path in paths.iter().filter(|path| ending(path).1 == "html") {
            let Some(name) = path.strip_prefix(folder).map(|name| ending(name).0.to_owned()) else {
                continue;
            };
            match tree.text(path).map(|text| visibility(&text, inner)) {
                Some(Visibility::Never) => silent.push(name),
                Some(Visibility::Sometimes) => deciding.push(name),
                _ => {}
            }
        }
    }
    (silent, deciding)
}

/// Whether a template shows a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Visibility {
    Never,
    Sometimes,
    Always,
}

/// A part of a template, from a tag to its end tag.
struct Part {
    /// Whether the part is always rendered, or is skipped only if the value is empty.
    is_about_value: bool,
    has_else: bool,
    branches: Vec<Visibility>,
}

impl Part {
    fn new(is_about_value: bool) -> Self {
        Self { is_about_value, has_else: false, branches: vec![Visibility::Never] }
    }

    fn add_visibility(&mut self, visibility: Visibility) {
        if let Some(last) = self.branches.last_mut() {
            *last = visibility.max(*last);
        }
    }

    fn visibility(&self) -> Visibility {
        let least = self.branches.iter().min().copied();
        let most = self.branches.iter().max().copied().unwrap_or(Visibility::Never);
        match least {
            Some(Visibility::Always) if self.has_else => Visibility::Always,
            _ if self.is_about_value => most,
            _ => most.min(Visibility::Sometimes),
        }
    }
}

/// Returns whether a template shows a value, or a variable that contains the value. The template is
/// in the syntax of Go or Tera.
fn visibility(template: &str, value: &str) -> Visibility {
    let forms = [("{{", "}}"), ("{%", "%}")];
    let mut names = vec![value.to_owned()];
    let mut open = vec![Part::new(true)];
    let mut at = 0;
    while let Some(tag) = Tag::next(template, at, &forms) {
        at = tag.span.end;
        if tag.inner.starts_with("/*") {
            continue;
        }
        let says = names.iter().any(|name| is_named(tag.inner, name));
        let word = tag.inner.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        match word {
            "if" | "with" | "range" | "for" | "block" | "define" | "filter" => {
                let mut part = Part::new(match word {
                    "if" | "with" => says,
                    "range" | "for" => false,
                    _ => true,
                });
                // Inside `with`, the value is called `.`, which is not searched for. It counts as
                // always shown.
                if says && word == "with" {
                    part.add_visibility(Visibility::Always);
                }
                open.push(part);
            }
            "else" | "elif" => {
                let is_last = tag.inner.trim() == "else";
                if let Some(part) = open.last_mut() {
                    part.has_else |= is_last;
                    part.branches.push(Visibility::Never);
                }
            }
            word if word.starts_with("end") => close(&mut open),
            _ => {
                let (variable, is_kept) = match tag.inner.split_once('=') {
                    Some((name, _)) if tag.inner.starts_with('$') || word == "set" => {
                        (name.trim_end_matches(':').trim(), true)
                    }
                    _ => ("", false),
                };
                if says && is_kept {
                    names.push(variable.trim_start_matches("set ").trim().to_owned());
                } else if says && let Some(part) = open.last_mut() {
                    part.add_visibility(Visibility::Always);
                }
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.first().map_or(Visibility::Never, |part| part.branches[0])
}

/// Closes the innermost part of a template. The template itself is never closed.
fn close(open: &mut Vec<Part>) {
    if open.len() > 1
        && let Some(part) = open.pop()
        && let Some(outer) = open.last_mut()
    {
        outer.add_visibility(part.visibility());
    }
}

/// Returns whether a tag contains a name as a whole word.
fn is_named(tag: &str, name: &str) -> bool {
    tag.match_indices(name).any(|(at, _)| {
        let after = tag[at + name.len()..].chars().next();
        let before = tag[..at].chars().next_back();
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !is_part(after) && !is_part(before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_output_a_value_always_sometimes_or_never() {
        for (template, expected) in [
            ("<b>{{ .Inner | markdownify }}</b>", Visibility::Always),
            ("{{ if .Get 0 }}{{ .Inner }}{{ end }}", Visibility::Sometimes),
            (
                "{{ if .Get 0 }}<b>{{ .Inner }}</b>{{ else }}{{ .Inner }}{{ end }}",
                Visibility::Always,
            ),
            (
                "{{ if .Get 0 }}{{ .Inner }}{{ else if .X }}{{ .Inner }}{{ end }}",
                Visibility::Sometimes,
            ),
            ("{{ with .Inner }}<b>{{ . }}</b>{{ end }}", Visibility::Always),
            ("{{ if .Inner }}{{ .Inner }}{{ end }}", Visibility::Always),
            ("{{- $text := .Inner -}}{{ if .X }}{{ $text }}{{ end }}", Visibility::Sometimes),
            ("{{ $text := .Inner }}{{ $textual }}", Visibility::Never),
            ("{{/* .Inner */}}", Visibility::Never),
            ("{{ range .Params }}{{ $.Inner }}{{ end }}", Visibility::Sometimes),
            (
                "{{ if .Get \"title\" }}<h2>{{ .Get \"title\" }}</h2>{{ end }}{{ .Inner }}",
                Visibility::Always,
            ),
        ] {
            assert_eq!(visibility(template, "Inner"), expected, "{template}");
        }
        assert_eq!(
            visibility("{% if draft %}{{ body }}{% endif %}", "body"),
            Visibility::Sometimes
        );
    }
}

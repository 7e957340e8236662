//! Minifies embedded scripts and style sheets: removes comment lines and indentation. The functions
//! rely on two rules that the embedded files follow: comments are on separate lines, and no string
//! spans several lines.

/// Removes comments and indentation from a script.
pub fn minify_script(text: &str) -> String {
    minify_lines(text, |line| line.starts_with("//"))
}

/// Removes comments and indentation from a style sheet.
pub fn minify_style(text: &str) -> String {
    let mut is_within = false;
    minify_lines(text, |line| {
        let is_comment = is_within || line.starts_with("/*");
        is_within = is_comment && !line.ends_with("*/");
        is_comment
    })
}

fn minify_lines(text: &str, mut is_comment: impl FnMut(&str) -> bool) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        if !line.is_empty() && !is_comment(line) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;
    use std::path::Path;

    use walkdir::WalkDir;

    use super::*;

    #[test]
    fn minifying_keeps_the_meaning_of_scripts() {
        let script = "// Why.\nconst a = 1; // one\n\n  if (a) return \"b  c\"\nelse   of(/ x /)\n";
        assert_eq!(
            minify_script(script),
            "const a = 1; // one\nif (a) return \"b  c\"\nelse   of(/ x /)\n"
        );
    }

    #[test]
    fn minifying_keeps_the_meaning_of_style_sheets() {
        let style = "/* Of two\n   lines. */\na, b :hover {\n  content: \" ; }\";\n}\n";
        assert_eq!(minify_style(style), "a, b :hover {\ncontent: \" ; }\";\n}\n");
    }

    #[test]
    fn embedded_scripts_have_no_multiline_strings() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut scripts = 0;
        for folder in ["themes", "src/render/search"] {
            for file in WalkDir::new(root.join(folder)) {
                let file = file.unwrap().into_path();
                if file.extension().is_none_or(|extension| extension != "js") {
                    continue;
                }
                let text = fs::read_to_string(&file).unwrap();
                for line in text.lines().filter(|line| !line.trim().starts_with("//")) {
                    let ticks = line.matches('`').count();
                    assert!(ticks.is_multiple_of(2), "{}: {line}", file.display());
                }
                scripts += 1;
            }
        }
        assert!(scripts > 8);
    }
}

//! Embedded scripts and style sheets as visitors load them: small. A comment has its lines for itself there, each
//! statement its semicolon, and no text goes over the end of a line.

/// A script without its comments, its indentation, and the blanks and line ends that keep nothing apart.
pub(crate) fn small_script(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    let mut script = String::with_capacity(text.len());
    for line in lines {
        // As each statement has its semicolon, the end of a line only keeps words apart.
        if script.ends_with(is_of_name) && line.starts_with(is_of_name) {
            script.push('\n');
        }
        push_line(line, &mut script);
    }
    script
}

/// Appends a line without the blanks that keep nothing apart. Those of strings stay, and a line with a template, a
/// regular expression or an escape is left as it is.
fn push_line(line: &str, script: &mut String) {
    if line.contains(['\'', '`', '/', '\\']) {
        return script.push_str(line);
    }
    let mut before = ' ';
    let mut is_in_string = false;
    for (at, letter) in line.char_indices() {
        let after = line[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
        let is_between_names = is_of_name(before) && is_of_name(after);
        let is_between_signs = before == after && "+-".contains(before);
        is_in_string ^= letter == '"';
        if letter != ' ' || is_in_string || is_between_names || is_between_signs {
            script.push(letter);
            before = letter;
        }
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || "_$".contains(letter)
}

/// A style sheet without its comments, its indentation, and the blanks and line ends that keep nothing apart.
pub(crate) fn small_style(text: &str) -> String {
    let mut style = String::with_capacity(text.len());
    let mut is_comment = false;
    for line in text.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment {
            push_rule(line, &mut style);
        }
        is_comment &= !line.ends_with("*/");
    }
    style
}

/// Appends a line of rules without such blanks, but for those of strings.
fn push_rule(line: &str, style: &mut String) {
    let mut is_in_string = false;
    for (at, letter) in line.char_indices() {
        is_in_string ^= letter == '"';
        let is_before_brace = line[at + letter.len_utf8()..].starts_with(['{', '}']);
        let is_apart = is_before_brace || style.ends_with([':', ';', ',', '{', '}']);
        if letter == ' ' && is_apart && !is_in_string {
            continue;
        }
        if letter == '}' && style.ends_with(';') && !is_in_string {
            style.pop();
        }
        style.push(letter);
    }
    if !line.is_empty() && !line.ends_with([';', ',', '{', '}']) {
        style.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_script_says_stays() {
        let script = "// Why.\nconst a = 1;\n  if (a) return \"b  c\" + + a;\nelse   of(/ x /);\n";
        assert_eq!(
            small_script(script),
            "const a=1;if(a)return\"b  c\"+ +a;else   of(/ x /);"
        );
        assert_eq!(small_script("return\nthrow"), "return\nthrow");
    }

    #[test]
    fn what_a_style_sheet_says_stays() {
        let style = "/* Of two\n   lines. */\na, b :hover {\n  margin: 0 calc(1rem + 2px);\n  content: \" ; }\";\n}\n";
        assert_eq!(
            small_style(style),
            "a,b :hover{margin:0 calc(1rem + 2px);content:\" ; }\"}"
        );
    }
}

//! Conversion of TeX formulas in a Markdown body to MathML Core.

use model::push_text;
use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use pulldown_cmark::{Event, Options, Parser};

use crate::linker::Linker;
use model::Rule;

/// Maximum depth of nested groups in a formula. The converter is recursive.
const MAX_DEPTH: usize = 100;
/// Maximum length of a formula, in bytes.
const MAX_FORMULA_LENGTH: usize = 20_000;

/// Returns whether a body may contain formulas: it has at least two dollar signs.
pub fn may_contain(body: &str) -> bool {
    memchr::memchr_iter(b'$', body.as_bytes()).nth(1).is_some()
}

/// Returns the offsets of the dollar signs that the parser reads as the start of a formula,
/// although they belong to prices, as in `US$5 or US$6`.
pub fn price_signs(body: &str, options: Options) -> Vec<usize> {
    if !may_contain(body) {
        return Vec::new();
    }
    let mut places = Vec::new();
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        let (Event::InlineMath(tex) | Event::DisplayMath(tex)) = &event else {
            continue;
        };
        if !is_formula(body, &range, tex) {
            let signs = if matches!(event, Event::DisplayMath(_)) { 2 } else { 1 };
            places.extend(range.start..range.start + signs);
        }
    }
    places
}

/// Returns whether the bytes at `range`, including the dollar signs, are a formula. In a formula,
/// the dollar signs do not touch the words and numbers around them, and the content is not only
/// plain words.
fn is_formula(body: &str, range: &Range<usize>, tex: &str) -> bool {
    let before = body[..range.start].chars().next_back();
    if before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '$') {
        return false;
    }
    let after = &body[range.end..];
    let word = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
    // Word endings that may directly follow a formula, as in `$n$th` and `$x$s`.
    let is_ending = ["", "th", "st", "nd", "rd", "s"].contains(&&after[..word]);
    if !is_ending || after.starts_with('$') {
        return false;
    }
    let has_sign = tex.contains(['\\', '^', '_', '{', '}', '=', '+', '<', '>']);
    let mut words = tex.split(|c: char| !c.is_alphabetic());
    has_sign
        || !tex.contains(char::is_whitespace)
        || !words.any(|word| word.chars().nth(1).is_some())
}

/// Returns the MathML of a formula. If the formula cannot be converted, warns and returns the TeX
/// unchanged. `range` is the formula's range in the file, including the dollar signs.
pub fn math(linker: &Linker<'_, '_>, tex: &str, is_display: bool, range: Range<usize>) -> String {
    let display = if is_display { MathDisplay::Block } else { MathDisplay::Inline };
    let converted = convert(tex, display);
    if converted.is_ok() {
        linker.note_formula();
    }
    match converted {
        Ok(math) if is_display => format!("<span class=\"math\" tabindex=\"0\">{math}</span>"),
        Ok(math) => math,
        Err((at, why)) => {
            let signs = if is_display { 2 } else { 1 };
            let source = &linker.reader.source.text[range.clone()];
            // In a list or quotation, the source lines contain markers that are not part of the
            // formula.
            let offset = if source.get(signs..source.len() - signs) == Some(tex) {
                source.floor_char_boundary(signs + at)
            } else {
                0
            };
            linker.reader.warning(Rule::Formula,
                &(range.start + offset..range.end),
                format!("invalid formula: {why}"),
                "correct the TeX, write \\$ for a plain dollar sign, or set `math = false` below [markdown] in site.toml; until then readers see the TeX",
            );
            let mut code = String::from("<code class=\"math\">");
            push_text(&mut code, source);
            code.push_str("</code>");
            code
        }
    }
}

/// Returns the MathML of a formula. An error contains its offset and its cause.
fn convert(tex: &str, display: MathDisplay) -> Result<String, (usize, String)> {
    static CONVERTER: LazyLock<Option<LatexToMathML>> =
        LazyLock::new(|| LatexToMathML::new(MathCoreConfig::default()).ok());
    if tex.len() > MAX_FORMULA_LENGTH {
        return Err((0, format!("it is longer than {MAX_FORMULA_LENGTH} bytes")));
    }
    if let Some(at) = nesting_error(tex) {
        return Err((at, format!("more than {MAX_DEPTH} levels of nested groups")));
    }
    let Some(converter) = &*CONVERTER else {
        return Err((0, "the TeX converter cannot start".into()));
    };
    let converted = converter.convert_with_local_state(tex, display);
    let converted = converted.map_err(|error| (error.0.start, error.error_message()))?;
    Ok(without_styles(&converted.mathml))
}

/// Returns the offset at which groups become nested too deeply. A command counts as a group,
/// because it may take the following text as its argument.
fn nesting_error(tex: &str) -> Option<usize> {
    let (mut depth, mut commands) = (0_usize, 0_usize);
    let mut escaped = false;
    for (at, byte) in tex.bytes().enumerate() {
        let is_command = escaped && byte.is_ascii_alphabetic();
        match byte {
            b'{' if !escaped => depth += 1,
            b'}' if !escaped => depth = depth.saturating_sub(1),
            b'\\' if !escaped => commands += 1,
            b'^' | b'_' => commands += 1,
            _ => {}
        }
        if is_command {
            let name = &tex[at..];
            if name.starts_with("left") || name.starts_with("begin") {
                depth += 1;
            } else if name.starts_with("right") || name.starts_with("end") {
                depth = depth.saturating_sub(1);
            }
        }
        let goes_on = byte == b'\\' || byte.is_ascii_alphabetic() || b"^_{".contains(&byte);
        if !goes_on && !byte.is_ascii_whitespace() {
            commands = 0;
        }
        escaped = byte == b'\\' && !escaped;
        if depth + commands > MAX_DEPTH {
            return Some(at);
        }
    }
    None
}

/// Removes the inline styles from MathML, because a strict content security policy blocks them. The
/// styles are replaced by classes that a theme's style sheet defines. Colours are replaced by
/// attributes of MathML Core.
fn without_styles(math: &str) -> String {
    const STYLE: &str = " style=\"";
    let mut out = String::with_capacity(math.len());
    let mut rest = math;
    while let Some(at) = rest.find(STYLE) {
        let (before, style) = (&rest[..at], &rest[at + STYLE.len()..]);
        let Some(end) = style.find('"') else { break };
        out.push_str(before);
        let mut classes = Vec::new();
        for declaration in style[..end].split(';') {
            let Some((property, value)) = declaration.split_once(':') else {
                continue;
            };
            let value = value.trim();
            match property.trim() {
                "text-align" => classes.push(format!("math-{value}")),
                "width" => classes.push(format!("math-{}", value.trim_end_matches('%'))),
                border if border.starts_with("border-") => classes.push(format!("math-{border}")),
                "color" => drop(write!(out, " mathcolor=\"{value}\"")),
                "background-color" => drop(write!(out, " mathbackground=\"{value}\"")),
                _ => {}
            }
        }
        classes
            .retain(|class| class.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-'));
        if !classes.is_empty() {
            let _ = write!(out, " class=\"{}\"", classes.join(" "));
        }
        rest = &style[end + 1..];
    }
    out.push_str(rest);
    out
}

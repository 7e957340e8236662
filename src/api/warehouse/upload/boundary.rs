//! The boundary between the parts of a body, as specified in the body's `Content-Type`.

/// A boundary (RFC 2046, section 5.1.1): 1 to 70 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundary(String);

/// Maximum length of a boundary, in characters.
const MAX_LENGTH: usize = 70;

impl Boundary {
    /// Parses the boundary in a `Content-Type` of `multipart/related` (RFC 2387). The error
    /// describes the problem.
    pub fn of(content_type: &str) -> Result<Self, String> {
        let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
        if !essence.trim().eq_ignore_ascii_case("multipart/related") {
            return Err(format!(
                "must be multipart/related; boundary=… for a configuration with data, not {:?}",
                essence.trim()
            ));
        }
        let named = parameter(parameters, "boundary")
            .ok_or("the boundary is missing: write multipart/related; boundary=…")?;
        if is_boundary(&named) {
            Ok(Self(named))
        } else {
            Err(format!(
                "invalid boundary {named:?}: must be 1 to {MAX_LENGTH} characters that RFC 2046 allows"
            ))
        }
    }

    /// Returns the beginning of a boundary line: two dashes and the boundary.
    pub fn delimiter(&self) -> Vec<u8> {
        format!("--{}", self.0).into_bytes()
    }
}

fn is_boundary(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "'()+_,-./:=? ".contains(c);
    (1..=MAX_LENGTH).contains(&text.len()) && text.chars().all(is_part) && !text.ends_with(' ')
}

/// Returns the value of a parameter (RFC 9110, section 5.6.6): a token or a quoted string.
fn parameter(mut rest: &str, wanted: &str) -> Option<String> {
    loop {
        rest = rest.trim_start_matches([' ', '\t', ';']);
        let (name, after) = rest.split_once('=')?;
        let (value, after) = value(after.trim_start())?;
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after;
    }
}

/// Parses a parameter value: a token or a quoted string. Returns the value and the rest of `text`.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        return Some((text[..end].trim().to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    loop {
        match characters.next()? {
            (at, '"') => return Some((value, &quoted[at + 1..])),
            (_, '\\') => value.push(characters.next()?.1),
            (_, character) => value.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_is_a_token_or_quoted() {
        for (content_type, boundary) in [
            ("multipart/related; boundary=abc", "abc"),
            ("Multipart/Related;BOUNDARY=\"a b\"", "a b"),
            ("multipart/related; type=\"x;y=\\\"z\"; boundary==1=", "=1="),
            ("multipart/related; boundary=\"==5==\"; start=a", "==5=="),
        ] {
            assert_eq!(Boundary::of(content_type), Ok(Boundary(boundary.into())), "{content_type}");
        }
        for wrong in [
            "",
            "application/json",
            "multipart/form-data; boundary=a",
            "multipart/related",
            "multipart/related; boundary=",
            "multipart/related; boundary=\"a",
            "multipart/related; boundary=\"a \"",
            "multipart/related; boundary=é",
            &format!("multipart/related; boundary={}", "a".repeat(71)),
        ] {
            assert!(Boundary::of(wrong).is_err(), "{wrong}");
        }
    }
}

//! The key `updateFrequency.rrule`: a recurrence rule of RFC 5545, section 3.3.10.

use recurrence::{End, Rule};

use crate::dates;
use crate::fields::Fields;

/// Returns the rule as written. Reports an error if apps cannot follow the rule.
pub fn read(fields: &Fields<'_, '_>) -> Option<String> {
    let text = fields.text("rrule")?;
    let node = fields.node("rrule")?;
    let (message, help) = match Rule::parse(&with_basic_until(&text, fields)) {
        Ok(rule) => match rule.end {
            End::Count(_) if fields.node("dtstart").is_none() => (
                "has COUNT, but no start date".to_owned(),
                "add `dtstart`, the date from which to count",
            ),
            _ => return Some(text),
        },
        Err(error) => (error.message, error.help),
    };
    let name = fields.name("rrule");
    let message = format!("`{name}` {message}");
    fields.reader.error(&node.span, message, help);
    None
}

/// Converts `UNTIL` to RFC 5545's basic form, `UNTIL=20231231T000000Z`. The example in the podcast
/// specification uses the extended form.
fn with_basic_until(text: &str, fields: &Fields<'_, '_>) -> String {
    let basic = |part: &str| {
        let extended = part.strip_prefix("UNTIL=").filter(|date| date.contains('-'))?;
        let date = dates::parse(extended, &fields.reader.config.timezone).ok()?;
        Some(format!("UNTIL={}", date.strftime("%Y%m%dT%H%M%SZ")))
    };
    let parts: Vec<String> =
        text.split(';').map(|part| basic(part).unwrap_or_else(|| part.to_owned())).collect();
    parts.join(";")
}

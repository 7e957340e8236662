//! Values of options, parsed according to their kinds.

use front_matter::{Node, Value};
use serde_json::{Value as Json, json};

use super::chosen::{OptionReader, choice};
use super::colours::colours;
use super::kind::Kind;
use super::{font, links};
use crate::MAX_ASSET;
use source::fields::Fields;

/// Reads a value of this kind in the form that templates use. Reports an error and returns `None`
/// if the value is invalid.
pub fn value<'r>(
    chooser: &mut OptionReader<'_>,
    fields: &Fields<'r, '_>,
    (name, node): (&str, &'r Node),
    kind: &Kind,
) -> Option<Json> {
    match kind {
        Kind::Text => fields.as_string(name, node).map(Json::from),
        Kind::Boolean => match node.value.bare() {
            Value::Bool(flag) => Some(Json::from(*flag)),
            other => fields.report_wrong_type(name, node, "true or false", other),
        },
        Kind::Number => match node.value.bare() {
            Value::Integer(number) => Some(Json::from(*number)),
            Value::Float(number) => Some(Json::from(*number)),
            other => fields.report_wrong_type(name, node, "a number", other),
        },
        Kind::Choice(names) => choice(fields, (name, node), names),
        Kind::Colour(papers) => colours(fields, (name, node), papers),
        Kind::Font => font::read(chooser, fields, name, node),
        Kind::Picture => chooser.picture(fields, name, node),
        Kind::File => {
            let file = chooser.file(fields, (name, node), MAX_ASSET)?;
            Some(json!({ "path": chooser.add(file.path.as_str(), file.bytes) }))
        }
        Kind::Html => chooser.html(fields, (name, node)),
        Kind::Styles => chooser.sources(fields, (name, node), &["css"]),
        Kind::Scripts => chooser.sources(fields, (name, node), &["js", "mjs"]),
        Kind::Links => links::read(chooser, fields, (name, node), false),
        Kind::Menu => links::read(chooser, fields, (name, node), true),
        Kind::Profiles => links::profiles(chooser, fields, (name, node)),
    }
}

//! Tests of the template engine: the specification's rules, extensions, errors and limits,
//! properties of any template, and agreement with an independent engine.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod errors;
mod extensions;
mod limits;
mod oracle;
mod properties;
mod surrounding_text;
mod values;
mod views;

use mustache::{Partials, RenderError, Template};
use serde_json::Value;

/// A template and its expected output.
struct Case {
    rule: &'static str,
    template: &'static str,
    /// The template's data, as JSON.
    data: &'static str,
    partials: &'static [(&'static str, &'static str)],
    prints: &'static str,
}

const fn case(
    rule: &'static str,
    template: &'static str,
    data: &'static str,
    prints: &'static str,
) -> Case {
    Case { rule, template, data, partials: &[], prints }
}

/// Checks all cases and reports all failures together, so that the whole effect of a change is
/// visible.
fn check(cases: &[Case]) {
    let failures: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let data: Value = serde_json::from_str(case.data).expect(case.rule);
            let printed = print_with(case.template, &[&data], &partials(case.partials)).unwrap();
            (printed != case.prints).then(|| {
                format!(
                    "{}: {:?} prints {printed:?}, not {:?}",
                    case.rule, case.template, case.prints
                )
            })
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn parse(template: &str) -> Template {
    Template::parse(template).unwrap_or_else(|error| panic!("{template:?}: {error}"))
}

fn partials(sources: &[(&str, &str)]) -> Partials {
    sources.iter().map(|&(name, source)| (name, parse(source))).collect()
}

fn print(template: &str, data: &Value) -> String {
    print_with(template, &[data], &Partials::new()).unwrap()
}

fn print_with(
    template: &str,
    context: &[&Value],
    partials: &Partials,
) -> Result<String, RenderError> {
    let mut out = String::new();
    parse(template).render(context, partials, &mut out)?;
    Ok(out)
}

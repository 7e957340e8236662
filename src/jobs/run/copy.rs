//! Copy jobs.

use serde_json::json;

use super::{Context, noted};
use crate::jobs::configuration::CopyWork;
use crate::jobs::job::Outcome;
use crate::warehouse::Fault;
use crate::warehouse::copy::{Copied, copy};

/// Copies tables.
pub fn run(work: &CopyWork, context: &Context<'_>) -> Result<Outcome, Fault> {
    let copied = copy(
        context.store,
        &work.sources,
        &work.target,
        context.control,
        |transaction, copied| noted(transaction, context, &outcome(*copied)),
    )?;
    Ok(outcome(copied))
}

fn outcome(copied: Copied) -> Outcome {
    Outcome {
        statistics: json!({ "copy": { "copiedRows": copied.rows.to_string() } }),
        ..Outcome::default()
    }
}

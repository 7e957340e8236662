//! Where a deploy goes, and what is shown of its plan.

use std::path::Path;

use serde_json::{Value, json};

use super::Trouble;
use super::git::without_passwords;
use crate::model::Destination;
use crate::project::{Options, read_config};
#[cfg(not(feature = "deploy"))]
use crate::source::program::Stop;

/// Where the site goes. Err if nothing says it.
pub fn destination(root: &Path) -> Result<String, Trouble> {
    if !cfg!(feature = "deploy") {
        return Err(not_built());
    }
    let (config, found) = read_config(&Options::new(root));
    if found.has_errors() {
        return Err(Trouble::new("site.toml has errors: see Check"));
    }
    let example = Destination::examples().next().unwrap_or_default();
    match config.deploy.to {
        Some(to) => Ok(without_passwords(&to.address())),
        None => Err(
            Trouble::new("site.toml does not say where the site goes: add this to it")
                .command(&format!("[deploy]\nto = \"{example}\"")),
        ),
    }
}

fn not_built() -> Trouble {
    Trouble::new("this program was built without `deploy`: publish with another one")
}

#[cfg(feature = "deploy")]
pub use super::deploying::run;

/// Is not called: no such program has a destination.
#[cfg(not(feature = "deploy"))]
pub fn run(_: &Path, _: bool, _: &dyn Fn(Value), _: &Stop) -> Result<Value, Trouble> {
    Err(not_built())
}

/// The parts of a plan that people look at; most files of a first deploy are too many.
pub fn shown(mut plan: Value, serial: u64) -> Value {
    for place in ["", "/media"] {
        let Some(place) = plan.pointer_mut(place) else {
            continue;
        };
        for list in ["put", "delete", "waiting"] {
            if let Some(all) = place[list].as_array_mut() {
                let count = all.len();
                all.truncate(200);
                place[format!("{list}_count")] = json!(count);
            }
        }
    }
    plan["serial"] = json!(serial);
    plan
}

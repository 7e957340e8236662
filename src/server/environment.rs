//! Environment variables that contain secrets. Secrets must not be in a repository.

use std::fmt;
use std::sync::Arc;

/// Looks up secrets by name, in the process's environment or in a test double.
#[derive(Clone)]
pub struct Environment(Arc<Read>);

type Read = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Environment {
    /// Creates an environment that looks up names with a function.
    pub fn new(look_up: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(look_up))
    }

    /// Returns the value of a variable, or `None` if it is missing, empty or not UTF-8.
    pub fn get(&self, name: &str) -> Option<String> {
        (self.0)(name).filter(|value| !value.is_empty())
    }
}

impl Default for Environment {
    fn default() -> Self {
        Self::new(|name| std::env::var(name).ok())
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Environment(…)")
    }
}

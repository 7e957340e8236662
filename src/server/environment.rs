//! The environment variables that hold secrets, which must not lie in a repository.

use std::fmt;
use std::sync::Arc;

/// Looks secrets up by name: in the process's environment, or in a test's stand-in.
#[derive(Clone)]
pub struct Environment(Arc<Read>);

type Read = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Environment {
    /// An environment that looks names up with a function.
    pub fn new(look_up: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(look_up))
    }

    /// The value of a variable. None if it is not set, empty or not text.
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

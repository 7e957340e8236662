//! The environment variables that hold secrets: what must not lie in a repository.

use std::fmt;
use std::sync::Arc;

/// Where secrets are looked up by name: the process's environment, or what stands for it in a test.
#[derive(Clone)]
pub struct Environment(Arc<Read>);

/// Looks up a variable.
type Read = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Environment {
    /// Looks secrets up elsewhere.
    pub fn new(look_up: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(look_up))
    }

    /// The value of a variable. None where it is not set, is empty or is no text.
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

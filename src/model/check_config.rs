//! Settings of warnings: `[check]` in `site.toml`.

use super::declare::keys;
use super::{RULES, Rule, SitePath};

keys! {
    /// Keys of `[check]` in `site.toml`.
    CHECK {
        /// warnings to silence for this site
        Optional "allow", RULES, listed;
        /// warnings to treat as errors, which stop a build and make `check` exit with 1
        Optional "deny", RULES, listed;
        /// rules to silence for a file or folder, by its path in the site folder
        Optional "paths", Own("table", &[Each(&[OneOf(Rule::names), List(&[OneOf(Rule::names)])])]);
    }
}

/// `[check]`: warnings to silence, and warnings to treat as errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckConfig {
    /// Rules whose warnings are silenced.
    pub allow: Vec<Rule>,
    /// Rules whose warnings are errors.
    pub deny: Vec<Rule>,
    /// Paths of files and folders, relative to the site's root. Each path has the rules that are
    /// silenced for it and everything below it.
    pub paths: Vec<(SitePath, Vec<Rule>)>,
}

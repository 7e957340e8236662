//! Applies the author's settings for rules, which can silence warnings or turn them into errors.

use std::collections::HashMap;
use std::path::Path;

use model::{CheckConfig, ContentFolder, Diagnostic, Rule, Severity, SitePath, Source};
use source::check::allowed_in;
use source::text::read_text;

/// Returns the diagnostics to report, and the number of silenced warnings.
pub fn filter_silenced(
    root: &Path,
    config: &CheckConfig,
    found: impl IntoIterator<Item = Diagnostic>,
) -> (Vec<Diagnostic>, usize) {
    let mut silenced = 0;
    let mut allowed = AllowedRules { root, rules_by_file: HashMap::new() };
    let mut told = Vec::new();
    for mut one in found {
        let Some(rule) = one.rule else {
            told.push(one);
            continue;
        };
        let file = one.file.as_deref().unwrap_or_default();
        if config.allow.contains(&rule)
            || is_allowed_by_path(config, file, rule)
            || allowed.allows(file, rule)
        {
            silenced += 1;
            continue;
        }
        if config.deny.contains(&rule) {
            one.severity = Severity::Error;
        }
        told.push(one);
    }
    (told, silenced)
}

fn is_allowed_by_path(config: &CheckConfig, file: &str, rule: Rule) -> bool {
    config.paths.iter().any(|(path, rules)| {
        let inner = file.strip_prefix(path.as_str());
        inner.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) && rules.contains(&rule)
    })
}

/// The rules that each file's front matter silences. A file is read when a diagnostic about it is
/// checked.
struct AllowedRules<'a> {
    root: &'a Path,
    rules_by_file: HashMap<String, Vec<Rule>>,
}

impl AllowedRules<'_> {
    /// Returns whether the rule is silenced by the file, or by the index file of a folder above it.
    fn allows(&mut self, file: &str, rule: Rule) -> bool {
        let Some((mut folder, name)) = file.rsplit_once('/') else {
            return false;
        };
        if self.of(file).contains(&rule) {
            return true;
        }
        if matches!(name, "index.md" | "index.html") {
            return false;
        }
        while ContentFolder::split(folder).is_some() {
            let index = ["index.md", "index.html"].map(|index| format!("{folder}/{index}"));
            if index.iter().any(|index| self.of(index).contains(&rule)) {
                return true;
            }
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
        false
    }

    fn of(&mut self, file: &str) -> &[Rule] {
        let root = self.root;
        let read = || {
            let path = SitePath::parse(file)?;
            let is_content = matches!(path.extension().as_str(), "md" | "html");
            let text = is_content.then(|| read_text(root, &path).ok())??;
            let source = Source { path: &path, text: &text };
            Some(allowed_in(source))
        };
        let rules_by_file = self.rules_by_file.entry(file.to_owned());
        rules_by_file.or_insert_with(|| read().unwrap_or_default())
    }
}

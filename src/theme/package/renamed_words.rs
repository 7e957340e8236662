//! Finds old keys of words in templates.

use model::{Diagnostic, FileReport, Rule, Severity, SitePath, Source};
use mustache::Template;
use words::present_key;

/// Returns a warning for each tag that names a word by its old key, such as `_words.site`. `label`
/// is the package's folder in messages. Each template comes with its file in the package.
pub(super) fn named<'t>(
    label: &str,
    templates: impl Iterator<Item = (&'t String, &'t Template)>,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, template) in templates {
        let Some(path) = SitePath::parse(&format!("{label}/{file}")) else {
            continue;
        };
        let mut of_file = FileReport::default();
        for tag in template.names() {
            let mut keys = tag.keys().skip_while(|key| *key != "_words").skip(1);
            let Some(key) = keys.next().filter(|key| present_key(key) != *key) else {
                continue;
            };
            of_file.add(Severity::Warning, || {
                let source = Source { path: &path, text: template.source() };
                let present = present_key(key);
                let message = format!("the word `{key}` is now `{present}`");
                let help = format!("write `_words.{present}`; the old key has the same effect");
                Diagnostic::warning(Rule::ThemePackage, message).at(source, tag.offset()).help(help)
            });
        }
        found.extend(of_file.finish(path.as_str()));
    }
    found
}

//! Reports faults in the tags of a package's templates.

use model::{Diagnostic, FileReport, Rule, Severity, SitePath, Source};
use mustache::Template;

/// A fault in one of a template's tags.
pub(super) struct TagFault {
    /// Byte offset of the tag.
    pub at: usize,
    pub message: String,
    pub help: String,
}

/// Returns a warning for each fault that `find` finds in a template. `label` is the package's
/// folder in messages. Each template comes with its file in the package.
pub(super) fn warnings<'t, F: Iterator<Item = TagFault>>(
    label: &str,
    templates: &[(&'t String, &'t Template)],
    find: impl Fn(&'t Template) -> F,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, template) in templates {
        let Some(path) = SitePath::parse(&format!("{label}/{file}")) else {
            continue;
        };
        let mut of_file = FileReport::default();
        for TagFault { at, message, help } in find(template) {
            of_file.add(Severity::Warning, || {
                let source = Source { path: &path, text: template.source() };
                Diagnostic::warning(Rule::ThemePackage, message).at(source, at).help(help)
            });
        }
        found.extend(of_file.finish(path.as_str()));
    }
    found
}

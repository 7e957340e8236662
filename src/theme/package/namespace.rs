//! Templates written for data in another namespace.

use mustache::Template;

use super::Theme;
use crate::{ASSET_BASE_URL, ASSET_FOLDER_URL, DEFAULT_NAMESPACE, PUBLISHED_NAMESPACE};

impl Theme {
    /// Returns the namespace for which the theme's style sheets are written, if it is not the
    /// site's namespace.
    pub fn namespace(&self) -> Option<&'static str> {
        (!self.published.is_empty()).then_some(PUBLISHED_NAMESPACE)
    }

    /// Makes templates written for one namespace read the data of another.
    pub fn rename_namespace(&mut self, from: &str, to: &str) {
        if from == to {
            return;
        }
        for (from, to) in keys_of_namespace(from, to) {
            for template in self.slots.values_mut() {
                template.rename_key(&from, &to);
            }
            self.partials.rename_key(&from, &to);
        }
    }
}

/// Returns the keys that contain the name of a namespace, each with its name in another namespace.
fn keys_of_namespace(from: &str, to: &str) -> [(String, String); 2] {
    [(format!("_{from}"), format!("_{to}")), (format!("{from}_version"), format!("{to}_version"))]
}

/// Makes a template written for microfeed read the same data as other templates.
pub(super) fn read_default_data(template: &mut Template) {
    for (from, to) in keys_of_namespace(PUBLISHED_NAMESPACE, DEFAULT_NAMESPACE) {
        template.rename_key(&from, &to);
    }
    template.rename_key(ASSET_BASE_URL, ASSET_FOLDER_URL);
}

//! Finds old keys of words in templates.

use super::template_faults::TagFault;
use mustache::Template;
use words::present_key;

/// Returns the tags that refer to a word by its old key, such as `_words.site`.
pub(super) fn old_keys(template: &Template) -> impl Iterator<Item = TagFault> {
    template.names().filter_map(|tag| {
        let key = tag.keys().skip_while(|key| *key != "_words").nth(1)?;
        let present = present_key(key);
        (present != key).then(|| TagFault {
            at: tag.offset(),
            message: format!("the word `{key}` is now `{present}`"),
            help: format!("write `_words.{present}`; the old key has the same effect"),
        })
    })
}

//! Rules for links, comments, chats and `podcast:txt`.

use front_matter::Value;

use crate::fields::Fields;
use crate::records::{Found, Rules, nodes, record};
use crate::shapes::{check_harmless, missing};
use model::podcast::{Chat, ContentLink, Funding, SocialInteract, Txt};

impl Rules for Funding {}
impl Rules for ContentLink {}
impl Rules for Txt {}

/// Reads `socialInteract`: tables, or only `"disabled"` (or `false`).
pub fn social_interact(fields: &Fields<'_, '_>) -> Vec<SocialInteract> {
    let posts = nodes(fields, "socialInteract");
    let posts = posts.filter_map(|(key, node)| match node.value.bare() {
        Value::Bool(false) => Some(disabled()),
        Value::String(text) if text == "disabled" => Some(disabled()),
        _ => record(fields, key, node),
    });
    posts.collect()
}

fn disabled() -> SocialInteract {
    SocialInteract { protocol: "disabled".to_owned(), ..SocialInteract::default() }
}

impl Rules for SocialInteract {
    fn finish(mut self, found: &Found<'_, '_, '_>) -> Option<Self> {
        if self.protocol == "disabled" {
            return Some(disabled());
        }
        if self.uri.is_none() {
            missing(found.fields, "uri", &found.node.span);
        }
        self.uri = Some(check_harmless(found.fields, "uri", self.uri?)?);
        Some(self)
    }
}

impl Rules for Chat {
    fn finish(mut self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let Found { fields, .. } = found;
        if let Some(node) = fields.node("server")
            && self.server.contains(['/', ' '])
        {
            fields.reader.error(
                &node.span,
                format!("`{}` is not a host name: {:?}", fields.name("server"), self.server),
                "write only the server's name, as in \"irc.example.com\"",
            );
        }
        self.server = check_harmless(fields, "server", self.server)?;
        Some(self)
    }
}

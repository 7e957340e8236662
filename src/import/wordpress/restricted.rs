//! Detects content that WordPress and its membership plugins show only to some visitors: parts of
//! posts, and whole entries.

use std::collections::HashSet;

use feeds::{Feed, Text, WordPress};
use serde_json::Value;

use super::codes::{Code, EndFinder, restricts};
use super::library::meta;
use super::parts::{Part, parts};

/// Removes restricting shortcodes and their contents from a post. Also returns the names of these
/// shortcodes. The removed contents may start in one block and end in another. Blocks around the
/// contents stay complete.
pub fn public_parts(text: &str) -> (String, Vec<String>) {
    let (mut out, mut names) = (String::with_capacity(text.len()), Vec::new());
    let (mut ends, mut at) = (EndFinder::default(), 0);
    while let Some(found) = memchr::memchr(b'[', &text.as_bytes()[at..]) {
        let start = at + found;
        out.push_str(&text[at..start]);
        at = start;
        let code = Code::read(&text[start..]).filter(Code::is_restricting);
        let hidden = code.and_then(|code| {
            let (contents, after) = ends.contents(text, &code, start + code.length)?;
            Some((code.name, contents, after))
        });
        match hidden {
            Some((name, contents, after)) => {
                out.push_str(&unmatched_blocks(&text[contents]));
                names.push(name);
                at = after;
            }
            None => {
                out.push('[');
                at += 1;
            }
        }
    }
    out.push_str(&text[at..]);
    (out, names)
}

/// Returns the comments that the surrounding blocks need after `text` is removed: the end of each
/// block that starts before `text`, and the start of each block that ends after it.
fn unmatched_blocks(text: &str) -> String {
    let (mut out, mut starts) = (String::new(), Vec::new());
    for part in parts(text) {
        match part {
            Part::Start(name, values) if restricts_block(name, &values) => {
                starts.push("<!-- wp:hidden -->");
            }
            Part::Start(..) => starts.push("<!-- wp:group -->"),
            Part::End if starts.pop().is_none() => out += "<!-- /wp:group -->",
            Part::End | Part::Text(_) | Part::Alone(..) => {}
        }
    }
    out + &starts.concat()
}

/// Returns whether a block shows its contents only to some visitors.
pub fn restricts_block(name: &str, values: &Value) -> bool {
    let is_inverted = values.get(INVERTED).is_some_and(is_set);
    let restricts_by_name = restricts(name) && name != "premium-content/container" && !is_inverted;
    restricts_by_name || has_condition(values)
}

/// The attribute that inverts a block's restriction in Paid Memberships Pro.
const INVERTED: &str = "invert_restrictions";

/// Returns whether a block is hidden, or shown only under a condition.
pub fn has_condition(values: &Value) -> bool {
    // These parts occur in attributes of plugins, such as `otterConditions`, `llms_visibility`,
    // `um_is_restrict` and `UAGLoggedIn`.
    const PARTS: [&str; 7] =
        ["capabilit", "condition", "logged", "membership", "restrict", "userrole", "visib"];
    let own = values.as_object().into_iter().flatten();
    let is_conditional = own
        .filter(|(key, _)| !["blockVisibility", INVERTED].contains(&key.as_str()))
        .any(|(key, value)| {
            let key = key.to_ascii_lowercase();
            PARTS.iter().any(|part| key.contains(part)) && is_set(value)
        });
    // WordPress 6.9 and later use this attribute.
    let is_hidden = match values.pointer("/metadata/blockVisibility") {
        Some(Value::Object(rule)) => rule
            .get("viewport")
            .and_then(Value::as_object)
            .is_some_and(|sizes| sizes.len() >= 3 && sizes.values().all(|size| size == false)),
        rule => rule == Some(&Value::Bool(false)),
    };
    // The plugin Block Visibility uses these attributes.
    let is_of_plugin = |key: &str| values.pointer(key).is_some_and(is_set);
    is_conditional
        || is_hidden
        || is_of_plugin("/blockVisibility/hideBlock")
        || is_of_plugin("/blockVisibility/controlSets")
}

/// Returns whether an attribute sets a rule.
fn is_set(value: &Value) -> bool {
    match value {
        Value::Array(list) => !list.is_empty(),
        Value::Object(table) => !table.is_empty(),
        Value::String(text) => sets_rule(text),
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::Null => false,
    }
}

/// Returns whether a stored value sets a rule. Plugins also store values that mean "no rule".
fn sets_rule(text: &str) -> bool {
    const NO_RULE_VALUES: [&str; 16] = [
        "", "0", "all", "always", "default", "everybody", "everyone", "false", "no", "none",
        "null", "off", "public", "visible", "a:0:{}", "a:1:{i:0;s:3:\"all\";}",
    ];
    !NO_RULE_VALUES.contains(&text.trim().to_ascii_lowercase().as_str())
}

/// Parts of the names of custom fields that restrict an entry in membership plugins.
const FIELDS: [&str; 23] = [
    "_is_paid", "_wlm_protection", "_wpmem_block", "access_level", "access_plan", "access_role",
    "content_protect", "groups-read", "groups_read_post", "ihc_mb_who", "member_access",
    "memberful_acl", "members-only", "members_access", "members_only",
    "mepr_unauthorized_message_type", "newsletter_access", "patreon-", "paywall", "protect_post",
    "rcp_user_level", "restrict", "subscription_level",
];

/// Plugins whose rules are not in an export. Each plugin is recognized by the start of a shortcode
/// or block on its member pages.
const UNEXPORTED_PLUGINS: [(&str, &[&str]); 4] = [
    (
        "Paid Memberships Pro",
        &[
            "[pmpro_account", "[pmpro_checkout", "[pmpro_levels", "<!-- wp:pmpro/account",
            "<!-- wp:pmpro/checkout", "<!-- wp:pmpro/levels",
        ],
    ),
    (
        "Simple Membership",
        &[
            "[swpm_login_form", "[swpm_payment_button", "[swpm_profile_form",
            "[swpm_registration_form",
        ],
    ),
    ("WishList Member", &["[wlm_register", "[wlm_loginform"]),
    ("s2Member", &["[s2Member-"]),
];

/// The rules with which membership plugins restrict whole entries.
#[derive(Debug, Default)]
pub struct Rules {
    /// Name of a plugin whose rules are unknown. In this case, any entry may be restricted.
    unknown: Option<String>,
    /// Ids of the restricted entries.
    entries: HashSet<String>,
    /// Ids of the entries whose children are restricted.
    parents: HashSet<String>,
}

impl Rules {
    pub fn of(feed: &Feed) -> Self {
        let mut rules = Self::default();
        let entries = feed.items.iter().filter_map(|item| Some((item, item.wordpress.as_ref()?)));
        for (item, entry) in entries.filter(|(_, entry)| entry.status == "publish") {
            match entry.kind.as_str() {
                "memberpressrule" => rules.add_of_memberpress(entry),
                "wc_membership_plan" => rules.unknown = Some("WooCommerce Memberships".to_owned()),
                kind if super::TEXTS.contains(&kind) => {
                    let Some(Text::Html(html)) = &item.content else {
                        continue;
                    };
                    let found = UNEXPORTED_PLUGINS
                        .iter()
                        .find(|(_, traces)| traces.iter().any(|trace| html.contains(trace)));
                    rules.unknown = found.map(|(name, _)| (*name).to_owned()).or(rules.unknown);
                }
                _ => {}
            }
        }
        rules
    }

    /// Adds a rule of the plugin MemberPress, which stores each rule as an entry.
    fn add_of_memberpress(&mut self, rule: &WordPress) {
        let content = meta(rule, "_mepr_rules_content").unwrap_or_default().to_owned();
        match meta(rule, "_mepr_rules_type").unwrap_or_default() {
            // A rule for a shortcode does not restrict whole entries.
            "partial" => {}
            kind if kind.starts_with("single_") => {
                self.entries.insert(content);
            }
            kind if kind.starts_with("parent_") => {
                self.parents.insert(content);
            }
            _ => self.unknown = Some("MemberPress".to_owned()),
        }
    }

    /// Returns the reason why an entry is for members only, or `None` if everyone can see it.
    pub fn restriction(&self, entry: &WordPress) -> Option<String> {
        let mut fields = entry
            .meta
            .iter()
            .filter(|(key, _)| key != "um_content_restriction" && !key.contains("_contains_"));
        let is_restricted = fields
            .any(|(key, value)| FIELDS.iter().any(|part| key.contains(part)) && sets_rule(value));
        let is_for_members = is_restricted
            || is_of_ultimate_member(entry)
            || self.entries.contains(&entry.id)
            || self.parents.contains(&entry.parent);
        let is_public = meta(entry, "_wc_memberships_force_public") == Some("yes");
        match &self.unknown {
            _ if is_for_members => Some("is for members only".to_owned()),
            Some(plugin) if !is_public => Some(format!(
                "may be for members only, because the export does not contain the rules of {plugin}"
            )),
            _ => None,
        }
    }
}

/// Returns whether the plugin Ultimate Member restricts an entry. The plugin stores a rule, and
/// whether the rule is active.
fn is_of_ultimate_member(entry: &WordPress) -> bool {
    let rule = meta(entry, "um_content_restriction").unwrap_or_default();
    let counts = ["s:1:\"1\"", "b:1", "i:1"]
        .iter()
        .any(|yes| rule.contains(&format!("\"_um_custom_access_settings\";{yes}")));
    // 0 means everyone, and 1 means everyone who is not logged in.
    let open = ["s:1:\"0\"", "s:1:\"1\"", "i:0;", "i:1;"];
    let is_open = open.iter().any(|open| rule.contains(&format!("\"_um_accessible\";{open}")));
    counts && !is_open
}

//! The syntax of WordPress shortcodes, and detection of shortcodes that show their contents only to
//! some visitors.
//!
//! New plugins appear all the time, so shortcodes and blocks are detected by parts of their names.
//! In doubt, their contents are hidden: the report lists contents that were left out by mistake,
//! but nobody would notice private contents that were published by mistake.

use std::collections::HashMap;
use std::ops::Range;

/// Shortcodes that embed a video, a recording or a post from another site.
pub const EMBEDS: [&str; 22] = [
    "embed", "youtube", "vimeo", "dailymotion", "soundcloud", "spotify", "tiktok", "twitch",
    "tweet", "twitter", "instagram", "facebook", "mixcloud", "ted", "flickr", "gist", "embedyt",
    "scribd", "slideshare", "bandcamp", "reddit", "pinterest",
];

/// Shortcodes that need no attributes.
const WITHOUT_ATTRIBUTES: [&str; 6] =
    ["gallery", "playlist", "powerpress", "audio", "video", "embed"];

/// Maximum length of a shortcode's tag in bytes.
pub const MAX_TAG_LENGTH: usize = 4096;

/// Parts of the names of shortcodes and blocks that show their contents only to some visitors.
const RESTRICTING: [&str; 43] = [
    "access", "am4show", "armif", "condition", "content_control", "exclusive", "expire", "geoip",
    "groups_can", "hidden", "hide", "ifso", "ihc-", "is_expired", "is_free", "is_user", "locked",
    "locker", "logged-in", "logged_in", "loggedin", "login", "memb_", "member", "mepr", "only",
    "paid", "passster", "password", "patreon", "paywall", "pmpro", "private", "protect",
    "restrict", "scheduled", "secret", "show_content", "subscriber", "supporter", "swpm", "unlock",
    "visib",
];

const RESTRICTING_WORDS: [&str; 11] =
    ["dap", "geot", "if", "mm", "ppw", "ppwp", "role", "s2if", "timed", "vip", "wlm"];

/// Parts of the names of shortcodes and blocks that show their contents to visitors who are not
/// members.
const PUBLIC_PARTS: [&str; 15] = [
    "can_not", "guest", "logged-out", "logged_out", "loggedout", "non-member", "non_member",
    "nonmember", "not-logged", "not-member", "not_logged", "not_member", "not_paid", "notmember",
    "visitor",
];

/// Parts of names that contain an element of [`RESTRICTING`], but restrict nothing.
const HARMLESS: [&str; 6] =
    ["accessib", "accessor", "blocked", "team-member", "team_member", "teammember"];

/// Attributes of shortcodes that specify which visitors see the contents.
const AUDIENCES: [&str; 15] = [
    "cap", "capabilities", "capability", "levels", "membership", "membership_id", "memberships",
    "min_level", "min_tier", "password", "passwords", "role", "roles", "user_role", "user_roles",
];

/// Returns whether a shortcode or block with this name shows its contents only to some visitors.
pub fn restricts(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let has_one_of = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let mut words = name.split(['_', '-', '/']);
    let has_word = words.any(|word| RESTRICTING_WORDS.contains(&word));
    let is_restricting = has_word || has_one_of(&RESTRICTING);
    is_restricting && !is_for_non_members(&name) && !has_one_of(&HARMLESS)
}

/// Returns whether a shortcode with this name shows its contents only to some visitors.
fn restricts_code(name: &str) -> bool {
    restricts(name) || name.starts_with("premium")
}

/// Returns whether a shortcode or block with this name shows its contents to visitors who are not
/// members.
fn is_for_non_members(name: &str) -> bool {
    !name.contains("hide") && PUBLIC_PARTS.iter().any(|part| name.contains(part))
}

/// Finds the end tags of shortcodes. The search for a missing end tag is not repeated.
#[derive(Default)]
pub struct EndFinder(HashMap<String, Option<usize>>);

impl EndFinder {
    /// Returns the range of a shortcode's contents, and the offset after its end tag. The start tag
    /// ends at offset `start`.
    pub fn contents(
        &mut self,
        text: &str,
        code: &Code,
        start: usize,
    ) -> Option<(Range<usize>, usize)> {
        let end_tag = code.end_tag();
        let last = self.0.entry(code.name.clone()).or_insert_with(|| text.rfind(&end_tag));
        last.filter(|last| *last >= start)?;
        let end = start + text[start..].find(&end_tag)?;
        Some((start..end, end + end_tag.len()))
    }
}

/// The start tag of a shortcode.
pub struct Code {
    pub name: String,
    pub values: Vec<(String, String)>,
    /// Attributes without a name.
    pub plain: Vec<String>,
    pub length: usize,
}

impl Code {
    /// Parses a start tag. Returns `None` for other text in brackets. A shortcode has a name in
    /// lower case, and usually attributes. Some restricting shortcodes have names with capital
    /// letters, such as `[s2If …]`.
    pub fn read(text: &str) -> Option<Self> {
        let window = &text.as_bytes()[..text.len().min(MAX_TAG_LENGTH)];
        let end = memchr::memchr(b']', window)?;
        let inner = text.get(1..end)?.trim_end_matches('/').trim_end();
        let split = inner.find(|c: char| c.is_whitespace() || c == '=');
        let (name, rest) = inner.split_at(split.unwrap_or(inner.len()));
        let is_name = name.len() > 1
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let is_restricting = restricts_code(name) || is_for_non_members(name);
        let is_name =
            is_name && (is_restricting || !name.bytes().any(|byte| byte.is_ascii_uppercase()));
        // In `[youtube=https://…]`, the address follows the name without a space.
        let rest = rest.strip_prefix('=').unwrap_or(rest);
        let mut code =
            Self { name: name.to_owned(), values: Vec::new(), plain: Vec::new(), length: end + 1 };
        code.read_values(rest);
        let is_code = !code.values.is_empty()
            || is_restricting
            || WITHOUT_ATTRIBUTES.contains(&name)
            || (EMBEDS.contains(&name) && !code.plain.is_empty());
        (is_name && is_code).then_some(code)
    }

    /// Parses attributes such as `ids="1,2" columns=3 'https://…'`.
    fn read_values(&mut self, text: &str) {
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let is_key = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
            let key = rest.find(|c| !is_key(c)).unwrap_or(rest.len());
            let after = rest[key..].trim_start();
            let (name, value) = match after.strip_prefix('=').filter(|_| key > 0) {
                Some(value) => (Some(&rest[..key]), value.trim_start()),
                None => (None, rest),
            };
            let (value, behind) = match value.chars().next() {
                Some(quote @ ('"' | '\'')) => {
                    value[1..].split_once(quote).unwrap_or((&value[1..], ""))
                }
                _ => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
            };
            let value = value.replace("&amp;", "&").replace("&quot;", "\"");
            match name {
                Some(name) => self.values.push((name.to_ascii_lowercase(), value)),
                None => self.plain.push(value),
            }
            rest = behind.trim_start();
        }
    }

    pub fn value(&self, key: &str) -> Option<&str> {
        let found = self.values.iter().find(|(own, _)| own == key);
        found.map(|(_, value)| value.as_str())
    }

    pub fn end_tag(&self) -> String {
        format!("[/{}]", self.name)
    }

    /// Returns whether the contents are shown only to some visitors.
    pub fn is_restricting(&self) -> bool {
        let mut keys = self.values.iter().map(|(key, _)| key.as_str());
        let has_audience = keys.any(|key| AUDIENCES.contains(&key));
        (has_audience || restricts_code(&self.name)) && !self.is_for_guests()
    }

    /// Returns whether the contents are shown to visitors who are not members.
    pub fn is_for_guests(&self) -> bool {
        match self.name.as_str() {
            // In Paid Memberships Pro, 0 means everyone without a level, and -1 means everyone
            // without level 1.
            "membership" => self.value("level").is_some_and(|levels| {
                let mut levels = levels.split(',').map(str::trim);
                levels.any(|level| level == "0" || level.starts_with('-'))
            }),
            // This shortcode belongs to the plugin Members.
            "members_access" => self.value("operator") == Some("!"),
            name => is_for_non_members(name),
        }
    }
}

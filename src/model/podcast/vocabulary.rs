//! Names defined by Podcasting 2.0 and its companion lists: media, licences, roles, platforms.
//!
//! Lists that the community extends (roles, platforms, protocols) are advisory. A name that is
//! missing from an advisory list is a warning, never an error.

use std::io::{self, Read, Write};

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;

use serde::{Serialize, Serializer};
use uuid::Uuid;

/// The medium of a feed (`podcast:medium`): a medium, its list variant (`musicL`), or `mixed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Medium(&'static str);

impl BorshSerialize for Medium {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        BorshSerialize::serialize(self.0, writer)
    }
}

impl BorshDeserialize for Medium {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        let name = String::deserialize_reader(reader)?;
        Self::parse(&name).ok_or_else(|| io::Error::other("no medium"))
    }
}

impl Medium {
    pub const NAMES: [&str; 19] = [
        "podcast", "music", "video", "film", "audiobook", "newsletter", "blog", "publisher",
        "course", "podcastL", "musicL", "videoL", "filmL", "audiobookL", "newsletterL", "blogL",
        "publisherL", "courseL", "mixed",
    ];

    pub const PUBLISHER: Self = Self("publisher");

    pub fn parse(text: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|name| *name == text).map(Self)
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Medium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for Medium {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

/// UUID namespace of `podcast:guid`: `ead4c236-bf58-58c6-a2c6-a6b28d128cb6`.
const GUID_NAMESPACE: Uuid = Uuid::from_u128(0xead4_c236_bf58_58c6_a2c6_a6b2_8d12_8cb6);

/// Returns the `podcast:guid` of a feed: the UUIDv5 of its URL without scheme and trailing slashes.
///
/// ```
/// use model::podcast::vocabulary::guid_of_feed;
///
/// assert_eq!(guid_of_feed("https://podnews.net/rss/"), "9b024349-ccf0-5f69-a609-6b82873eab3c");
/// ```
pub fn guid_of_feed(feed_url: &str) -> String {
    let name = feed_url.split_once("://").map_or(feed_url, |(_, rest)| rest);
    Uuid::new_v5(&GUID_NAMESPACE, name.trim_end_matches('/').as_bytes()).to_string()
}

/// Returns the roles of the Podcast Taxonomy.
pub fn roles() -> Vec<&'static str> {
    TAXONOMY.iter().flat_map(|(_, roles)| *roles).copied().collect()
}

/// Returns the groups of the Podcast Taxonomy.
pub fn groups() -> Vec<&'static str> {
    TAXONOMY.map(|(group, _)| group).to_vec()
}

/// Returns whether a string is a UUID in its usual form of 36 characters.
pub fn is_uuid(text: &str) -> bool {
    text.len() == 36 && Uuid::try_parse(text).is_ok()
}

/// Licences for which `podcast:license` needs no URL.
pub const LICENSES: [&str; 5] =
    ["ARR", "CC-BY-4.0", "CC-BY-NC-4.0", "CC-BY-NC-ND-4.0", "POD-V4V-1.0"];

/// Other public licences, each with the URL that `podcast:license` requires for it.
pub const PUBLIC_LICENSES: [(&str, &str); 5] = [
    ("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("CC-BY-SA-4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    ("CC-BY-ND-4.0", "https://creativecommons.org/licenses/by-nd/4.0/"),
    ("CC-BY-NC-SA-4.0", "https://creativecommons.org/licenses/by-nc-sa/4.0/"),
    ("CC-PDM-1.0", "https://creativecommons.org/publicdomain/mark/1.0/"),
];

/// Finds a public licence by its identifier, ignoring case. Returns the identifier in its usual
/// spelling, and the URL if `podcast:license` requires it.
pub fn known_license(identifier: &str) -> Option<(&'static str, Option<&'static str>)> {
    let listed = LICENSES.into_iter().map(|name| (name, None));
    let others = PUBLIC_LICENSES.into_iter().map(|(name, url)| (name, Some(url)));
    listed.chain(others).find(|(name, _)| name.eq_ignore_ascii_case(identifier))
}

/// The Podcast Taxonomy: groups, each with its roles. Case is ignored.
pub const TAXONOMY: [(&str, &[&str]); 11] = [
    (
        "Creative Direction",
        &[
            "Director", "Assistant Director", "Executive Producer", "Senior Producer", "Producer",
            "Associate Producer", "Development Producer", "Creative Director",
        ],
    ),
    (
        "Cast",
        &[
            "Host", "Co-Host", "Guest Host", "Guest", "Voice Actor", "Narrator", "Announcer",
            "Reporter",
        ],
    ),
    (
        "Writing",
        &[
            "Author", "Editorial Director", "Co-Writer", "Writer", "Songwriter", "Guest Writer",
            "Story Editor", "Managing Editor", "Script Editor", "Script Coordinator", "Researcher",
            "Editor", "Fact Checker", "Translator", "Transcriber", "Logger",
        ],
    ),
    (
        "Audio Production",
        &[
            "Studio Coordinator", "Technical Director", "Technical Manager", "Audio Engineer",
            "Remote Recording Engineer", "Post Production Engineer",
        ],
    ),
    (
        "Audio Post-Production",
        &[
            "Audio Editor", "Sound Designer", "Foley Artist", "Composer", "Theme Music",
            "Music Production", "Music Contributor",
        ],
    ),
    (
        "Administration",
        &[
            "Production Coordinator", "Booking Coordinator", "Production Assistant",
            "Content Manager", "Marketing Manager", "Sales Representative", "Sales Manager",
        ],
    ),
    ("Visuals", &["Graphic Designer", "Cover Art Designer"]),
    ("Community", &["Social Media Manager"]),
    ("Misc.", &["Consultant", "Intern"]),
    (
        "Video Production",
        &["Camera Operator", "Lighting Designer", "Camera Grip", "Assistant Camera"],
    ),
    ("Video Post-Production", &["Editor", "Assistant Editor"]),
];

/// Platform ids for `podcast:block`.
pub const SERVICES: [&str; 58] = [
    "acast", "amazon", "anchor", "apple", "audible", "audioboom", "backtracks", "bitcoin",
    "blubrry", "buzzsprout", "captivate", "castos", "castopod", "facebook", "fireside", "fyyd",
    "google", "gpodder", "hypercatcher", "kasts", "libsyn", "mastodon", "megafono", "megaphone",
    "omnystudio", "overcast", "paypal", "pinecast", "podbean", "podcastaddict", "podcastguru",
    "podcastindex", "podcasts", "podchaser", "podcloud", "podfriend", "podiant", "podigee",
    "podnews", "podomatic", "podserve", "podverse", "redcircle", "relay", "resonaterecordings",
    "rss", "shoutengine", "simplecast", "slack", "soundcloud", "spotify", "spreaker", "tiktok",
    "transistor", "twitter", "whooshkaa", "youtube", "zencast",
];

/// Known protocols of `podcast:socialInteract`.
pub const SOCIAL_PROTOCOLS: [&str; 8] =
    ["disabled", "activitypub", "twitter", "lightning", "atproto", "hive", "matrix", "nostr"];

/// Known protocols of `podcast:chat`.
pub const CHAT_PROTOCOLS: [&str; 4] = ["irc", "xmpp", "nostr", "matrix"];

/// Country codes (ISO 3166-1 alpha-2), and the code of Kosovo, which is widely used though not
/// assigned.
const COUNTRIES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN \
    BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ \
    DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL \
    GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM \
    JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME \
    MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP \
    NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD \
    SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO \
    TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW XK";

/// Returns whether a string is a country code.
pub fn is_country(text: &str) -> bool {
    text.len() == 2 && COUNTRIES.split(' ').any(|code| code == text)
}

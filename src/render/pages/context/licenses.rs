//! Names and addresses of known licences.

use words::Words;

/// The Creative Commons licences, as written in their addresses.
const CREATIVE_COMMONS: [&str; 6] = ["by", "by-sa", "by-nd", "by-nc", "by-nc-sa", "by-nc-nd"];

/// Splits an identifier such as `CC-BY-NC-4.0` into `BY-NC` and `4.0`.
fn parse_creative_commons(identifier: &str) -> Option<(&str, &str)> {
    let (conditions, version) = identifier.strip_prefix("CC-")?.rsplit_once('-')?;
    let is_version = version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_known = CREATIVE_COMMONS.contains(&conditions.to_ascii_lowercase().as_str());
    (is_known && is_version).then_some((conditions, version))
}

/// Returns the common name of a licence: `CC BY-NC 4.0`.
pub fn name(identifier: &str, words: &Words) -> String {
    match (identifier, parse_creative_commons(identifier)) {
        ("ARR", _) => words.text("all_rights_reserved").to_owned(),
        ("CC0-1.0", _) => "CC0 1.0".to_owned(),
        ("CC-PDM-1.0", _) => "Public Domain Mark 1.0".to_owned(),
        ("POD-V4V-1.0", _) => "Podcast V4V 1.0".to_owned(),
        (_, Some((conditions, version))) => format!("CC {conditions} {version}"),
        _ => identifier.to_owned(),
    }
}

/// Returns the address of a licence's text, if the identifier determines it.
pub fn url(identifier: &str) -> Option<String> {
    const SITE: &str = "https://creativecommons.org";
    match (identifier, parse_creative_commons(identifier)) {
        ("CC0-1.0", _) => Some(format!("{SITE}/publicdomain/zero/1.0/")),
        ("CC-PDM-1.0", _) => Some(format!("{SITE}/publicdomain/mark/1.0/")),
        ("POD-V4V-1.0", _) => Some(
            "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/license/v4v-4.0.md"
                .to_owned(),
        ),
        (_, Some((conditions, version))) => {
            let conditions = conditions.to_ascii_lowercase();
            Some(format!("{SITE}/licenses/{conditions}/{version}/"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creative_commons_licences_have_addresses() {
        let by = "https://creativecommons.org/licenses/by-nc/3.0/";
        assert_eq!(url("CC-BY-NC-3.0").as_deref(), Some(by));
        for other in ["CC-BY", "CC-BY-XX-4.0", "CC-BY-../x", "ARR", "mine", ""] {
            assert_eq!(url(other), None, "{other}");
        }
    }
}

//! Fallbacks of a language: the lookup of RFC 4647 section 3.4, with CLDR's aliases and parents of
//! language tags.

/// Aliases of languages, each with the tag of the language file.
const ALIASES: [(&str, &str); 22] = [
    ("no", "nb"),
    ("iw", "he"),
    ("in", "id"),
    ("fil", "tl"),
    ("sh", "sr-Latn"),
    ("mo", "ro"),
    ("cmn", "zh-Hans"),
    ("yue", "zh-Hant"),
    ("zh", "zh-Hans"),
    ("zh-cn", "zh-Hans"),
    ("zh-sg", "zh-Hans"),
    ("zh-my", "zh-Hans"),
    ("zh-tw", "zh-Hant"),
    ("zh-hk", "zh-Hant"),
    ("zh-mo", "zh-Hant"),
    ("sr-cyrl", "sr"),
    ("bs-latn", "bs"),
    ("az-latn", "az"),
    ("uz-latn", "uz"),
    ("hr-latn", "hr"),
    ("kk-cyrl", "kk"),
    ("arb", "ar"),
];

/// Regions that use the words of another region: the tag of that region, and the regions that use
/// its words. The groups are the same as in CLDR.
const GROUPS: [(&str, &[&str]); 3] = [
    ("en-GB", &["AU", "CA", "HK", "IE", "IN", "KE", "MT", "NG", "NZ", "SG", "UK", "ZA"]),
    (
        "es-419",
        &[
            "AR", "BO", "BR", "BZ", "CL", "CO", "CR", "CU", "DO", "EC", "GT", "HN", "MX", "NI",
            "PA", "PE", "PR", "PY", "SV", "US", "UY", "VE",
        ],
    ),
    ("pt-PT", &["AO", "CH", "CV", "FR", "GQ", "GW", "LU", "MO", "MZ", "ST", "TL"]),
];

/// Returns the tag of the region whose words are also used in this region, if there is one.
fn group(name: &str) -> Option<&'static str> {
    let (language, region) = name.split_once('-')?;
    let mut groups = GROUPS.iter();
    let (tag, _) = groups.find(|(tag, regions)| {
        tag.split('-').next() == Some(language) && regions.contains(&region)
    })?;
    Some(tag)
}

/// Returns whether a string has the form of a language tag: `de`, `pt-BR`.
pub fn is_name(text: &str) -> bool {
    let mut parts = text.split('-');
    let primary = parts.next().unwrap_or_default();
    (2..=3).contains(&primary.len())
        && primary.bytes().all(|b| b.is_ascii_alphabetic())
        && parts.all(|part| {
            (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

/// Returns a language tag and its fallbacks, in the letter case that BCP 47 recommends: `de-AT`,
/// `de`; `en-AU`, `en-GB`, `en`.
pub fn chain(language: &str) -> Vec<String> {
    let parts: Vec<&str> = language.split(['-', '_']).filter(|part| !part.is_empty()).collect();
    let mut chain = Vec::new();
    for count in (1..=parts.len()).rev() {
        // A tag must not end with the single-letter subtag that starts an extension.
        if count > 1 && parts[count - 1].len() == 1 {
            continue;
        }
        let name = parts[..count].join("-");
        let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(&name));
        if !chain.contains(&with_recommended_case(&name)) {
            chain.push(with_recommended_case(&name));
            chain.extend(group(&with_recommended_case(&name)).map(str::to_owned));
        }
        if let Some((_, name)) = alias {
            let has_script = name.contains('-').then(|| name.split('-').next());
            let more = [Some(*name), has_script.flatten()].into_iter().flatten();
            let more: Vec<_> = more.filter(|name| !chain.iter().any(|had| had == name)).collect();
            chain.extend(more.into_iter().map(str::to_owned));
            break;
        }
    }
    chain
}

fn with_recommended_case(name: &str) -> String {
    let parts = name.split('-').enumerate().map(|(at, part)| match (at, part.len()) {
        (1.., 2) => part.to_ascii_uppercase(),
        (1.., 4) if part.bytes().all(|b| b.is_ascii_alphabetic()) => {
            let lower = part.to_ascii_lowercase();
            lower[..1].to_ascii_uppercase() + &lower[1..]
        }
        _ => part.to_ascii_lowercase(),
    });
    parts.collect::<Vec<_>>().join("-")
}

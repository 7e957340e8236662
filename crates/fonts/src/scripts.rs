//! The scripts by which a font is cut into parts. Characters that occur in the same words are in
//! the same part.

/// A script. Its characters form one part of a font.
#[derive(Debug)]
pub struct Script {
    pub name: &'static str,
    pub ranges: &'static [(u32, u32)],
    /// Languages written in the script (ISO 639), separated by spaces.
    pub languages: &'static str,
    /// Codes of the script in language tags (ISO 15924), separated by spaces.
    pub codes: &'static str,
}

const fn script(
    name: &'static str,
    ranges: &'static [(u32, u32)],
    languages: &'static str,
    codes: &'static str,
) -> Script {
    Script { name, ranges, languages, codes }
}

/// Characters included in every part: combining marks for letters of any script, joiners and
/// non-joiners, and the Indian dandas. A browser needs a letter and its marks in the same font.
pub const SHARED_CHARACTERS: [(u32, u32); 9] = [
    (0x300, 0x36f),
    (0x964, 0x965),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x200b, 0x200f),
    (0x20d0, 0x20ff),
    (0x25cc, 0x25cc),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
];

pub const LATIN: &str = "latin";

/// Name of the part for characters that belong to no script.
pub const REST_PART: &str = "rest";

/// The scripts. A character belongs to the first script that lists it. Latin includes all Latin
/// letters of European languages, so that no word is split between parts.
pub static SCRIPTS: [Script; 26] = [
    script(
        LATIN,
        &[
            (0x0, 0x17f),
            (0x192, 0x192),
            (0x218, 0x21b),
            (0x237, 0x237),
            (0x2bb, 0x2bc),
            (0x2c6, 0x2c7),
            (0x2d8, 0x2dd),
            (0x1e9e, 0x1e9e),
            (0x2000, 0x206f),
            (0x20ac, 0x20ac),
            (0x2116, 0x2116),
            (0x2122, 0x2122),
            (0x2190, 0x2193),
            (0x2212, 0x2212),
            (0xfb00, 0xfb06),
            (0xfeff, 0xfeff),
            (0xfffd, 0xfffd),
        ],
        "",
        "",
    ),
    script(
        "vietnamese",
        &[(0x1a0, 0x1a1), (0x1af, 0x1b0), (0x1ea0, 0x1ef9), (0x20ab, 0x20ab)],
        "ig vi yo",
        "",
    ),
    script(
        "latin-ext",
        &[
            (0x180, 0x2ff),
            (0x1d00, 0x1dbf),
            (0x1e00, 0x1eff),
            (0x20a0, 0x20cf),
            (0x2c60, 0x2c7f),
            (0xa720, 0xa7ff),
            (0xab30, 0xab6f),
            (0x10780, 0x107bf),
            (0x1df00, 0x1dfff),
        ],
        "ak az bm ee ff ha ln nv tw yo",
        "",
    ),
    script("greek", &[(0x370, 0x3ff), (0x1f00, 0x1fff)], "el grc", "grek"),
    script(
        "cyrillic",
        &[(0x400, 0x52f), (0x1c80, 0x1c8f), (0x2de0, 0x2dff), (0xa640, 0xa69f), (0x1e030, 0x1e08f)],
        "ab av ba be bg bua ce cu cv inh kbd kk kv ky lez mk mn myv os ru sah sr tg tt udm uk",
        "cyrl",
    ),
    script("armenian", &[(0x530, 0x58f), (0xfb13, 0xfb17)], "hy hyw", "armn"),
    script("hebrew", &[(0x590, 0x5ff), (0xfb1d, 0xfb4f)], "he iw lad yi", "hebr"),
    script(
        "arabic",
        &[
            (0x600, 0x6ff),
            (0x750, 0x77f),
            (0x860, 0x8ff),
            (0xfb50, 0xfdff),
            (0xfe70, 0xfefe),
            (0x10ec0, 0x10eff),
            (0x1ee00, 0x1eeff),
        ],
        "ar arz ckb fa ks ps sd ug ur",
        "arab aran",
    ),
    script(
        "devanagari",
        &[(0x900, 0x97f), (0x1cd0, 0x1cff), (0xa8e0, 0xa8ff), (0x11b00, 0x11b5f)],
        "bho doi hi kok mai mr ne new sa",
        "deva",
    ),
    script("bengali", &[(0x980, 0x9ff)], "as bn", "beng"),
    script("gurmukhi", &[(0xa00, 0xa7f)], "pa", "guru"),
    script("gujarati", &[(0xa80, 0xaff)], "gu", "gujr"),
    script("oriya", &[(0xb00, 0xb7f)], "or", "orya"),
    script("tamil", &[(0xb80, 0xbff), (0x11fc0, 0x11fff)], "ta", "taml"),
    script("telugu", &[(0xc00, 0xc7f)], "te", "telu"),
    script("kannada", &[(0xc80, 0xcff)], "kn", "knda"),
    script("malayalam", &[(0xd00, 0xd7f)], "ml", "mlym"),
    script("sinhala", &[(0xd80, 0xdff), (0x111e0, 0x111ff)], "si", "sinh"),
    script("thai", &[(0xe00, 0xe7f)], "th", "thai"),
    script("lao", &[(0xe80, 0xeff)], "lo", "laoo"),
    script("tibetan", &[(0xf00, 0xfff)], "bo dz", "tibt"),
    script("myanmar", &[(0x1000, 0x109f), (0xa9e0, 0xa9ff), (0xaa60, 0xaa7f)], "my", "mymr"),
    script("georgian", &[(0x10a0, 0x10ff), (0x1c90, 0x1cbf), (0x2d00, 0x2d2f)], "ka", "geor"),
    script(
        "ethiopic",
        &[(0x1200, 0x139f), (0x2d80, 0x2ddf), (0xab00, 0xab2f), (0x1e7e0, 0x1e7ff)],
        "am ti",
        "ethi",
    ),
    script("khmer", &[(0x1780, 0x17ff), (0x19e0, 0x19ff)], "km", "khmr"),
    // East Asian scripts form one part, because they are often mixed and share punctuation.
    script(
        "cjk",
        &[
            (0x1100, 0x11ff),
            (0x2e80, 0xa4cf),
            (0xa960, 0xa97f),
            (0xac00, 0xd7ff),
            (0xf900, 0xfaff),
            (0xfe10, 0xfe1f),
            (0xfe30, 0xfe6f),
            (0xff00, 0xffef),
            (0x16fe0, 0x18dff),
            (0x1aff0, 0x1b16f),
            (0x20000, 0x3ffff),
        ],
        "ja ko zh yue",
        "hang hani hans hant jpan kore",
    ),
];

/// Symbols of all kinds. A page usually has few of them.
pub static SYMBOLS: Script =
    script("symbols", &[(0x2070, 0x2bff), (0x1d400, 0x1d7ff), (0x1f000, 0x1faff)], "", "");

/// Returns the names of the parts needed for text in a language (BCP 47). Every language needs the
/// Latin part for spaces, digits and punctuation.
pub fn needed(language: &str) -> Vec<&'static str> {
    let language = language.to_ascii_lowercase();
    let (first, rest) = language.split_once(['-', '_']).unwrap_or((&language, ""));
    let has = |list: &str, word: &str| list.split_whitespace().any(|own| own == word);
    // A script code (four letters) takes precedence over the language.
    let code = rest.split(['-', '_']).find(|part| part.len() == 4);
    let code = code.filter(|code| code.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let own = SCRIPTS.iter().filter(|script| match code {
        Some("latn") => script.codes.is_empty() && has(script.languages, first),
        Some(code) => has(script.codes, code),
        None => has(script.languages, first),
    });
    std::iter::once(LATIN).chain(own.map(|script| script.name)).collect()
}

pub fn contains_character(ranges: &[(u32, u32)], character: u32) -> bool {
    ranges.iter().any(|&(first, last)| (first..=last).contains(&character))
}

//! The dense scripts, most of which are written without spaces between words. Text in these scripts
//! is searched by substring, and so are emoji.

/// Ranges of the characters of Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer and Myanmar
/// (Unicode's `Script` property), of the sound and length marks used in both kana scripts, and of
/// emoji. The ranges include code points that Unicode has not yet assigned, so that characters of
/// later versions are found too.
const DENSE_RANGES: &[(char, char)] = &[
    ('\u{0E01}', '\u{0E3A}'),
    ('\u{0E40}', '\u{0EFF}'),
    ('\u{1000}', '\u{109F}'),
    ('\u{1100}', '\u{11FF}'),
    ('\u{1780}', '\u{17FF}'),
    ('\u{19E0}', '\u{19FF}'),
    ('\u{203C}', '\u{203C}'),
    ('\u{2049}', '\u{2049}'),
    ('\u{2194}', '\u{2199}'),
    ('\u{21A9}', '\u{21AA}'),
    ('\u{231A}', '\u{231B}'),
    ('\u{2328}', '\u{2328}'),
    ('\u{23CF}', '\u{23CF}'),
    ('\u{23E9}', '\u{23FA}'),
    ('\u{25AA}', '\u{25AB}'),
    ('\u{25B6}', '\u{25B6}'),
    ('\u{25C0}', '\u{25C0}'),
    ('\u{25FB}', '\u{25FE}'),
    ('\u{2600}', '\u{2775}'),
    ('\u{2794}', '\u{27BF}'),
    ('\u{2934}', '\u{2935}'),
    ('\u{2B05}', '\u{2B07}'),
    ('\u{2B1B}', '\u{2B1C}'),
    ('\u{2B50}', '\u{2B50}'),
    ('\u{2B55}', '\u{2B55}'),
    ('\u{2E80}', '\u{2FD5}'),
    ('\u{3005}', '\u{3005}'),
    ('\u{3007}', '\u{3007}'),
    ('\u{3021}', '\u{3029}'),
    ('\u{302E}', '\u{3030}'),
    ('\u{3038}', '\u{303B}'),
    ('\u{303D}', '\u{303D}'),
    ('\u{3041}', '\u{309F}'),
    ('\u{30A1}', '\u{30FA}'),
    ('\u{30FC}', '\u{30FF}'),
    ('\u{3131}', '\u{318E}'),
    ('\u{31F0}', '\u{321E}'),
    ('\u{3260}', '\u{327E}'),
    ('\u{3297}', '\u{3297}'),
    ('\u{3299}', '\u{3299}'),
    ('\u{32D0}', '\u{32FE}'),
    ('\u{3300}', '\u{3357}'),
    ('\u{3400}', '\u{4DBF}'),
    ('\u{4E00}', '\u{9FFF}'),
    ('\u{A960}', '\u{A97F}'),
    ('\u{A9E0}', '\u{A9FF}'),
    ('\u{AA60}', '\u{AA7F}'),
    ('\u{AC00}', '\u{D7FF}'),
    ('\u{F900}', '\u{FAFF}'),
    ('\u{FF66}', '\u{FFDC}'),
    ('\u{116D0}', '\u{116E3}'),
    ('\u{16FE2}', '\u{16FE3}'),
    ('\u{16FF0}', '\u{16FFF}'),
    ('\u{1AFF0}', '\u{1B16F}'),
    ('\u{1F000}', '\u{1F0FF}'),
    ('\u{1F18E}', '\u{1F18E}'),
    ('\u{1F191}', '\u{1F19A}'),
    ('\u{1F1E6}', '\u{1F265}'),
    ('\u{1F300}', '\u{1FAFF}'),
    ('\u{20000}', '\u{3FFFD}'),
];

/// Returns whether a character belongs to a dense script, or is an emoji.
pub(super) fn is_dense(character: char) -> bool {
    character >= DENSE_RANGES[0].0
        && DENSE_RANGES
            .binary_search_by(|&(first, last)| {
                if last < character {
                    std::cmp::Ordering::Less
                } else if first > character {
                    std::cmp::Ordering::Greater
                } else {
                    std::cmp::Ordering::Equal
                }
            })
            .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_eight_scripts_are_dense() {
        for character in "漢々〇ひらがカタカナー한글ᄒﾊ".chars() {
            assert!(is_dense(character), "{character}");
        }
        for character in "ไทยลาวខ្មែរမြန်မာ𠮷\u{3099}".chars() {
            assert!(is_dense(character), "{character}");
        }
        for character in "🎉👩💻❤🇩🇪👍🏽☀⚡✅⭐".chars() {
            assert!(is_dense(character), "{character}");
        }
        for character in "aé。、「」　हिन्दीעבריתعربيΣЖა1→©❶🅰".chars()
        {
            assert!(!is_dense(character), "{character}");
        }
    }

    #[test]
    fn ranges_are_in_order() {
        for pair in DENSE_RANGES.windows(2) {
            assert!(pair[0].1 < pair[1].0);
        }
    }
}

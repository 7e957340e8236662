//! Text in each script, its direction and its lines.

use super::{COLOURS, Drawing, card, picture, png};
use cards::{Card, Encoding, Fonts, draw};

const TITLES: [(&str, &str); 6] = [
    ("latin", "Walking the harbour at dawn: Łódź, Việt Nam, İzmir"),
    ("cyrillic", "Прогулка по гавани на рассвете: їжак, Љубљана"),
    ("greek", "Περίπατος στο λιμάνι την αυγή"),
    ("arabic", "نزهة في الميناء عند الفجر، گفتگو، ٹھیک"),
    ("hebrew", "טיול בנמל עם שחר, שָׁלוֹם"),
    ("devanagari", "भोर में बंदरगाह की सैर: क्षेत्र, श्री"),
];

#[test]
fn the_embedded_fonts_have_the_letters_of_each_script() {
    for (script, title) in TITLES {
        assert_eq!(Fonts::default().drawable(title).as_deref(), Ok(title), "{script}");
        let ink = png(&card(title, "")).with(COLOURS.title).len();
        assert!(ink > 5_000, "{script}: {ink} pixels");
    }
}

#[test]
fn letters_of_arabic_join_and_marks_take_no_room() {
    let width = |title: &str| {
        let (left, right, ..) = png(&card(title, "")).edges(COLOURS.title).unwrap();
        right - left
    };
    // With a non-joiner between them, letters have their wider isolated forms.
    assert!(width("ببب") < width("ب\u{200c}ب\u{200c}ب"));
    assert_eq!(width("שלום"), width("שָׁלוֹם"));
    // A conjunct is narrower than its two letters.
    assert!(width("क्ष") < width("कष"));
}

#[test]
fn the_layout_is_mirrored_from_right_to_left() {
    let title = "طيور";
    let left_to_right = png(&card(title, "ا"));
    let right_to_left = png(&Card { is_rtl: true, ..card(title, "ا") });
    for colour in [COLOURS.title, COLOURS.name] {
        let (left, right, ..) = left_to_right.edges(colour).unwrap();
        assert!(left < 130 && right < 600, "{left} {right}");
        let (left, right, ..) = right_to_left.edges(colour).unwrap();
        assert!(left > 600 && right > 1070, "{left} {right}");
    }
}

#[test]
fn words_of_both_directions_are_in_reading_order() {
    // The Latin word comes last, so it is at the left.
    let drawn = |title| png(&Card { is_rtl: true, ..card(title, "") });
    let mixed = drawn("ש MMMM").edges(COLOURS.title).unwrap();
    let hebrew = drawn("ש").edges(COLOURS.title).unwrap();
    assert_eq!(mixed.1, hebrew.1, "the Hebrew letter is at the right");
    assert!(mixed.0 < hebrew.0 - 200);
}

#[test]
fn lines_have_similar_widths() {
    let drawing = png(&card("A title with many words that has to be broken into lines here", ""));
    let rows = drawing.with(COLOURS.title);
    let mut rights: Vec<u32> = Vec::new();
    let mut last_row = 0;
    for (x, y) in rows {
        if rights.is_empty() || y > last_row + 12 {
            rights.push(0);
        }
        last_row = y;
        let right = rights.last_mut().unwrap();
        *right = x.max(*right);
    }
    let (min, max) = (rights.iter().min().unwrap(), rights.iter().max().unwrap());
    assert!(rights.len() >= 2 && max - min < 350, "{rights:?}");
}

#[test]
fn a_long_title_ends_before_the_name() {
    let title = "words that never end ".repeat(50);
    let drawing = png(&card(&title, "Name"));
    let (left, right, top, bottom) = drawing.edges(COLOURS.title).unwrap();
    let (_, _, name_top, name_bottom) = drawing.edges(COLOURS.name).unwrap();
    assert!(left >= 75 && right <= 1125 && top >= 60, "{left} {right} {top}");
    assert!(bottom < name_top && name_bottom < 560, "{bottom} {name_top} {name_bottom}");
}

#[test]
fn a_long_title_uses_the_room_of_the_card() {
    let words = "Walking along the harbour before dawn, ";
    for (count, is_shortened) in [(8, false), (26, true)] {
        let title = words.repeat(count);
        let title = title.trim_end_matches([',', ' ']);
        let drawing = png(&card(title, "Name"));
        let (left, right, top, bottom) = drawing.edges(COLOURS.title).unwrap();
        assert!(left < 90 && right > 900 && top < 110 && bottom > 380, "{right} {top} {bottom}");
        // If the whole title is drawn, another last word is drawn too.
        let other = png(&card(&format!("{}dusk", title.strip_suffix("dawn").unwrap()), "Name"));
        assert_eq!(drawing.pixels == other.pixels, is_shortened, "{count}");
    }
}

#[test]
fn a_word_is_broken_only_if_it_fits_in_no_size() {
    let height = |title: &str| {
        let (_, _, top, bottom) = png(&card(title, "")).edges(COLOURS.title).unwrap();
        bottom - top
    };
    assert!(height(&"m".repeat(24)) < 60, "one line");
    assert!(height(&"m".repeat(60)) > 200, "large lines");
}

#[test]
fn marks_do_not_reach_the_letters_of_another_line() {
    let marks = "\u{301}\u{302}\u{303}\u{304}\u{305}\u{316}\u{317}\u{318}".repeat(9);
    let plain = "mmmm ".repeat(14);
    let marked: String = plain.chars().map(|one| format!("{one}{marks}")).collect();
    let (plain, marked) = (png(&card(&plain, "")), png(&card(&marked, "")));
    for (x, y) in plain.with(COLOURS.title) {
        assert_eq!(marked.at(x, y), COLOURS.title, "{x} {y}");
    }
    assert!(marked.ink().unwrap().2 < plain.ink().unwrap().2, "marks are drawn");
}

#[test]
fn a_letter_has_at_most_four_marks() {
    let letter = |count| format!("a{}b", "\u{301}".repeat(count));
    let drawable = |text: &str| Fonts::default().drawable(text);
    assert_eq!(drawable(&letter(4)), Ok(letter(4)));
    assert_eq!(drawable(&letter(50)), Ok(letter(4)));
}

#[test]
fn a_title_with_an_unknown_letter_is_left_out() {
    let fonts = Fonts::default();
    assert_eq!(fonts.drawable("Walk 港"), Err('港'));
    let unknown = draw(&card("Walk 港", "Harbour"), &fonts, Encoding::Png);
    let untitled = draw(&card("", "Harbour"), &fonts, Encoding::Png);
    assert_eq!(unknown, untitled);
    assert_ne!(unknown, draw(&card("Walk", "Harbour"), &fonts, Encoding::Png));
}

#[test]
fn emoji_are_left_out() {
    let fonts = Fonts::default();
    assert_eq!(fonts.drawable("🎙️ A \n\t walk 👩‍🔬!").as_deref(), Ok("A walk !"));
    assert_eq!(fonts.drawable("🎙️ 👩‍🔬").as_deref(), Ok(""));
}

#[test]
fn artwork_is_beside_the_title() {
    const RED: [u8; 3] = [200, 30, 30];
    let artwork = picture(500, 300, RED);
    for is_rtl in [false, true] {
        let card =
            Card { is_rtl, artwork: Some(&artwork), ..card("One long title for a card", "Name") };
        let drawing = png(&card);
        let (left, right, top, bottom) = drawing.edges(RED).unwrap();
        assert_eq!((right - left, bottom - top), (379, 379), "a square");
        let title = drawing.edges(COLOURS.title).unwrap();
        assert!(if is_rtl { right + 40 < title.0 } else { title.1 + 40 < left });
    }
}

#[test]
fn a_font_of_the_site_comes_before_the_embedded_fonts() {
    // A font whose letters are half as large: 2,000 units per em instead of 1,000.
    let mut half = fonts::unpacked(include_bytes!("../fonts/latin.woff")).unwrap();
    let entry = half.windows(4).position(|tag| tag == b"head").unwrap();
    let head = u32::from_be_bytes(half[entry + 8..entry + 12].try_into().unwrap()) as usize;
    half[head + 18..head + 20].copy_from_slice(&2000_u16.to_be_bytes());
    let width = |fonts: &Fonts, title| {
        let drawing = Drawing::of(&draw(&card(title, ""), fonts, Encoding::Png));
        let (left, right, ..) = drawing.edges(COLOURS.title).unwrap();
        right - left
    };
    let own = Fonts::new(&[half]).unwrap();
    assert!(width(&own, "Walk") < width(&Fonts::default(), "Walk") * 6 / 10);
    // The embedded fonts follow.
    assert_eq!(width(&own, "نزهة"), width(&Fonts::default(), "نزهة"));
    assert!(Fonts::new(&[b"no font"]).is_err());
}

#[test]
fn a_woff_2_font_draws_the_same_card_as_the_same_font_in_woff() {
    let own = Fonts::new(&[include_bytes!("hebrew.woff2")]).unwrap();
    let card = card("שָׁלוֹם", "טיול");
    let drawn = |fonts| draw(&card, fonts, Encoding::Png);
    assert!(drawn(&own) == drawn(&Fonts::default()));
}

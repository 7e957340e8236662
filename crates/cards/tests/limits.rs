//! Sizes of files, equal bytes for equal input, and random input.

use proptest::prelude::*;

use super::{COLOURS, Drawing, card, noise, picture, png};
use cards::{Card, Encoding, Fonts, HEIGHT, MAX_BYTES, WIDTH, draw};
use pictures::dimensions;

#[test]
fn most_of_a_card_is_background_above_a_stripe() {
    let drawing = png(&card("A title", "A name"));
    let pixels = (WIDTH * HEIGHT) as usize;
    assert!(drawing.with(COLOURS.background).len() > pixels * 8 / 10);
    assert_eq!(drawing.edges(COLOURS.accent), Some((0, WIDTH - 1, HEIGHT - 20, HEIGHT - 1)));
}

#[test]
fn the_same_card_has_the_same_bytes() {
    let artwork = noise(64);
    for (encoding, artwork) in [(Encoding::Png, None), (Encoding::Jpeg, Some(&artwork))] {
        let card = Card { artwork, ..card("Title", "Name") };
        let first = draw(&card, &Fonts::default(), encoding);
        assert_eq!(first, draw(&card, &Fonts::default(), encoding));
    }
}

#[test]
fn artwork_that_compresses_badly_fits() {
    let artwork = noise(700);
    let title = "Title ".repeat(30);
    let card = Card { artwork: Some(&artwork), ..card(&title, "Name") };
    let file = draw(&card, &Fonts::default(), Encoding::Jpeg);
    assert_eq!(dimensions(&file), Some((WIDTH, HEIGHT)));
    assert!(file.len() <= MAX_BYTES, "{} bytes", file.len());
}

#[test]
fn a_passage_is_a_quotation_above_its_waveform() {
    let text = "Words that somebody said. ".repeat(12);
    for is_rtl in [false, true] {
        let waveform = format!("{}0", "z".repeat(40));
        let drawing = png(&Card { is_rtl, passage: Some(&waveform), ..card(&text, "Name") });
        let (.., bottom) = drawing.edges(COLOURS.title).unwrap();
        // Below the bar beside the last line.
        let below = bottom + 24..HEIGHT - 100;
        let wave = drawing.with(COLOURS.accent).into_iter().filter(|(_, y)| below.contains(y));
        let (left, right, top) = wave.fold((WIDTH, 0, HEIGHT), |(left, right, top), (x, y)| {
            (left.min(x), right.max(x), top.min(y))
        });
        assert!(left <= 90 && right >= WIDTH - 100, "{left} {right}");
        assert!(top > below.start, "{top}");
        // Speech starts at the right in scripts from right to left.
        let silent = if is_rtl { 85 } else { WIDTH - 96 };
        let high = below.filter(|y| drawing.at(silent, *y) == COLOURS.accent);
        assert_eq!(high.count(), 6);
        let bar = if is_rtl { WIDTH - 85 } else { 85 };
        assert_eq!(drawing.at(bar, 100), COLOURS.accent);
    }
}

#[test]
fn artwork_of_any_shape_is_drawn() {
    for (width, height) in [(1, 1), (2000, 1), (1, 2000), (40, 30)] {
        let artwork = picture(width, height, [9, 9, 200]);
        let card = Card { artwork: Some(&artwork), ..card("Title", "Name") };
        let file = draw(&card, &Fonts::default(), Encoding::Png);
        assert!(!Drawing::of(&file).with([9, 9, 200]).is_empty(), "{width} x {height}");
    }
}

/// Distance from the edges that no letter or mark crosses.
const SAFE: u32 = 32;
const STRIPE_TOP: u32 = HEIGHT - 20;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_is_drawn(
        title in prop_oneof![
            any::<String>(),
            "[a-zа-яα-ωא-תء-ي\u{900}-\u{97f}\u{200b}-\u{206f}\u{300}-\u{36f} ]{0,400}",
            "[\u{600}-\u{6ff}A-Z0-9()\u{202a}-\u{202e}\u{2066}-\u{2069} ]{0,80}",
            "[a-z]{0,600}",
            "([a-zA-ZắỄשلक][\u{300}-\u{36f}]{0,30} ?){0,40}",
            "([א-ת][\u{591}-\u{5bd}\u{5c1}\u{5c2}]{0,12} ?){0,60}",
            "([ء-ي][\u{64b}-\u{65f}\u{610}-\u{61a}]{0,12} ?){0,60}",
            "([क-ह]([\u{93c}\u{94d}][क-ह]){0,6}[\u{900}-\u{903}\u{93e}-\u{94c}\u{951}-\u{954}]{0,9} ?){0,60}",
        ],
        name in prop_oneof![".{0,90}", "([a-z][\u{300}-\u{36f}]{0,30} ?){0,20}"],
        is_rtl: bool,
        passage in prop::option::of(prop_oneof!["[0-9a-z]{0,90}", any::<String>()]),
    ) {
        let card = Card { is_rtl, passage: passage.as_deref(), ..card(&title, &name) };
        let file = draw(&card, &Fonts::default(), Encoding::Png);
        prop_assert!(file.len() <= MAX_BYTES, "{} bytes", file.len());
        let drawing = Drawing::of(&file);
        if let Some((left, right, top, bottom)) = drawing.ink() {
            prop_assert!(left >= SAFE && right < WIDTH - SAFE, "{left} {right}");
            prop_assert!(top >= SAFE && bottom < STRIPE_TOP - SAFE, "{top} {bottom}");
        }
        let edges = (drawing.edges(COLOURS.title), drawing.edges(COLOURS.name));
        if let (Some((.., bottom)), Some((_, _, top, _))) = edges {
            prop_assert!(bottom < top, "{bottom} {top}");
        }
    }

    #[test]
    fn a_damaged_font_is_refused_or_drawn(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        let mut font = fonts::unpacked(include_bytes!("../fonts/hebrew.woff")).unwrap();
        for (at, byte) in changes {
            let at = at.index(font.len());
            font[at] = byte;
        }
        if let Ok(fonts) = Fonts::new(&[font]) {
            let file = draw(&card("שָׁלוֹם, Title", "Name"), &fonts, Encoding::Png);
            prop_assert!(file.len() <= MAX_BYTES);
        }
    }

    #[test]
    fn a_damaged_woff_2_font_is_refused_or_drawn(
        changes in prop::collection::vec((0_usize..400, any::<u8>()), 1..6),
        cut: prop::sample::Index,
        is_cut: bool,
    ) {
        let mut font = include_bytes!("hebrew.woff2").to_vec();
        for (at, byte) in changes {
            font[at] = byte;
        }
        if is_cut {
            font.truncate(cut.index(font.len()));
        }
        if let Ok(fonts) = Fonts::new(&[font]) {
            draw(&card("שָׁלוֹם", "Name"), &fonts, Encoding::Png);
        }
    }
}

//! Tests of dimensions that common libraries read incorrectly or not at all.

use std::fs;

use super::durations::facts_of;
use super::fixture;

fn assert_dimensions(name: &str, bytes: &[u8], dimensions: Option<(u32, u32)>) {
    let facts = facts_of(name, bytes);
    assert_eq!(facts.dimensions, dimensions, "{name}: {facts:?}");
    let has_problem = !facts.problems.is_empty() || facts.damage.is_some();
    assert_eq!(has_problem, dimensions.is_none(), "{name}: {facts:?}");
}

/// The expected values are `naturalWidth` and `naturalHeight` in Chromium and Firefox. Percentages
/// depend on the page.
#[test]
fn svg_dimensions_match_browsers() {
    for (attributes, dimensions) in [
        (r#"width="210mm" height="297mm" viewBox="0 0 210 297""#, Some((794, 1123))),
        (r#"width="1in" height="2.54cm""#, Some((96, 96))),
        (r#"width="72pt" height="6pc""#, Some((96, 96))),
        (r#"width="101.6Q" height="12PX""#, Some((96, 12))),
        (r#"width="2em" height="1.5rem""#, Some((32, 24))),
        (r#"width="1e2" height="1e1px""#, Some((100, 10))),
        (r#"width="200" viewBox="0 0 100 50""#, Some((200, 100))),
        (r#"height="1in" viewBox="0,0,100,50""#, Some((192, 96))),
        (r#"width="100%" height="100%" viewBox="0 0 32 16""#, Some((32, 16))),
        (r#"width="100%" height="50" viewBox="0 0 32 16""#, Some((100, 50))),
        (r#"width="auto" viewBox=" -5 -5 10.4 20 ""#, Some((10, 20))),
        (r#"width="9" style="width: 30px; height:20px" viewBox="0 0 1 1""#, Some((30, 20))),
        (r#"width="100%" height="100%""#, None),
        (r#"width="3ex" height="4vw""#, None),
        (r#"width="-5" height="inf" viewBox="0 0 0 nan""#, None),
        ("", None),
    ] {
        let file = format!(
            "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes}/>"
        );
        assert_dimensions("a.svg", file.as_bytes(), dimensions);
        let wide: Vec<u8> = std::iter::once('\u{feff}')
            .chain(file.chars())
            .flat_map(|c| (c as u16).to_le_bytes())
            .collect();
        assert_dimensions("wide.svg", &wide, dimensions);
    }
}

#[test]
fn a_top_down_bitmap_has_its_dimensions() {
    let bitmap = |width: i32, height: i32| {
        let mut file = b"BM\x3e\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
        file.extend(width.to_le_bytes());
        file.extend(height.to_le_bytes());
        file.extend(b"\x01\0\x18\0");
        // Each row has 24 bits per pixel, and is padded to a multiple of 32 bits.
        let line = (width.unsigned_abs() as usize * 3).next_multiple_of(4);
        file.resize(54 + line * height.unsigned_abs() as usize, 0);
        file
    };
    assert_dimensions("up.bmp", &bitmap(2, 1), Some((2, 1)));
    let torn = facts_of("torn.bmp", &bitmap(9, 9)[..200]);
    assert_eq!(torn.damage.as_deref(), Some("damaged or not an image"));
    assert_dimensions("down.bmp", &bitmap(2, -64), Some((2, 64)));
    assert_dimensions("none.bmp", &bitmap(0, 5), None);
    assert_dimensions("left.bmp", &bitmap(-3, 5), None);
    assert_dimensions(
        "old.bmp",
        b"BM\0\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x07\0\x09\0\x01\0\x18\0",
        Some((7, 9)),
    );
}

/// Decoders skip fill bytes and other stray bytes before a marker.
#[test]
fn a_jpeg_file_with_stray_bytes_has_its_dimensions() {
    let file = fs::read(fixture("picture.jpg")).unwrap();
    let (start, rest) = file.split_at(2);
    for stray in [&b"\xff\xff\xff"[..], b"\xff\xff\x01", b"\xff\x01\x00\x00"] {
        assert_dimensions("stray.jpg", &[start, stray, rest].concat(), Some((40, 30)));
    }
    let rotated = fs::read(fixture("rotated.jpg")).unwrap();
    assert_dimensions("rotated.jpg", &rotated, Some((30, 40)));
}

/// The tags of the first directory describe a TIFF picture (TIFF 6.0, section 8).
#[test]
fn a_rotated_tiff_image_has_swapped_dimensions() {
    let tiff = |is_little: bool, turn: Option<u16>| {
        let short = |number: u16| match is_little {
            true => number.to_le_bytes(),
            false => number.to_be_bytes(),
        };
        let long = |number: u32| match is_little {
            true => number.to_le_bytes(),
            false => number.to_be_bytes(),
        };
        let mut file = if is_little { b"II*\0" } else { b"MM\0*" }.to_vec();
        file.extend(long(8));
        file.extend(short(if turn.is_some() { 3 } else { 2 }));
        for (tag, value) in [(0x100, Some(40)), (0x101, Some(30)), (0x112, turn)] {
            let Some(value) = value else { continue };
            file.extend([short(tag), short(3)].concat());
            file.extend(long(1));
            file.extend([short(value), [0, 0]].concat());
        }
        file.extend([0; 4]);
        file
    };
    for is_little in [true, false] {
        assert_dimensions("a.tif", &tiff(is_little, None), Some((40, 30)));
        for turn in 1..=8 {
            let sides = if turn > 4 { (30, 40) } else { (40, 30) };
            assert_dimensions("a.tiff", &tiff(is_little, Some(turn)), Some(sides));
        }
    }
}

/// The boxes of an AVIF or HEIC picture specify its crop, its rotation, and which picture to show.
#[test]
fn avif_and_heic_images_are_cropped_and_rotated() {
    fn isobmff_box(kind: &[u8; 4], inside: &[u8]) -> Vec<u8> {
        [&(inside.len() as u32 + 8).to_be_bytes()[..], kind, inside].concat()
    }
    let numbers = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
    };
    let size = |width, height| isobmff_box(b"ispe", &numbers(&[0, width, height]));
    let crop = isobmff_box(b"clap", &numbers(&[80, 1, 120, 2, 0, 1, 0, 1]));
    let file = |main: u8, applied: &[u8]| {
        let properties =
            [size(100, 70), crop.clone(), isobmff_box(b"irot", &[1]), size(900, 700)].concat();
        let applied_to =
            |item: u8, applied: &[u8]| [&[0, item, applied.len() as u8], applied].concat();
        let associated = [numbers(&[0, 2]), applied_to(1, applied), applied_to(2, &[4])].concat();
        let properties =
            [isobmff_box(b"ipco", &properties), isobmff_box(b"ipma", &associated)].concat();
        let meta = [
            vec![0; 4],
            isobmff_box(b"pitm", &[0, 0, 0, 0, 0, main]),
            isobmff_box(b"iprp", &properties),
        ]
        .concat();
        [isobmff_box(b"ftyp", b"avif\0\0\0\0"), isobmff_box(b"meta", &meta)].concat()
    };
    assert_dimensions("plain.avif", &file(1, &[1]), Some((100, 70)));
    assert_dimensions("turned.avif", &file(1, &[1, 0x83]), Some((70, 100)));
    assert_dimensions("cropped.avif", &file(1, &[1, 0x82, 0x83]), Some((60, 80)));
    assert_dimensions("other.avif", &file(2, &[1, 0x83]), Some((900, 700)));
}

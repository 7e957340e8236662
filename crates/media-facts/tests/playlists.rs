//! HLS playlists (RFC 8216).

use media_facts::playlist::{is_hls, parse};
use proptest::prelude::*;

const VARIANTS: &str = "#EXTM3U\r\n#EXT-X-VERSION:7\r\n\
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"English, for all\",URI=\"subtitles/en.m3u8\"\r\n\
    #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS=\"avc1.4d401e,mp4a.40.2\"\r\n\
    low/index.m3u8\r\n\r\n# a comment\r\n\
    #EXT-X-STREAM-INF:BANDWIDTH=2400000,RESOLUTION=1280x720,CODECS=\"avc1.4d401f,mp4a.40.2\"\r\n\
    high/index.m3u8?x=1\r\n\
    #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,URI=\"high/frames.m3u8\"\r\n";

const SEGMENTS: &str = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"700@0\"\n\
    #EXT-X-KEY:METHOD=AES-128,URI=\"key.bin\"\n#EXTINF:6.4,The start\n#EXT-X-BYTERANGE:1000@700\nall.mp4\n\
    #EXTINF:2.1,\n#EXT-X-BYTERANGE:500\nall.mp4\n#EXT-X-KEY:METHOD=NONE\n#EXT-X-ENDLIST\n";

fn files(text: &str) -> Vec<(String, bool, Option<u64>)> {
    let files = parse(text).files.into_iter();
    files.map(|file| (file.uri, file.is_playlist, file.end)).collect()
}

#[test]
fn every_file_of_a_playlist_is_found() {
    let file = |uri: &str, is_playlist, end| (uri.to_owned(), is_playlist, end);
    assert_eq!(
        files(VARIANTS),
        [
            file("subtitles/en.m3u8", true, None),
            file("low/index.m3u8", true, None),
            file("high/index.m3u8?x=1", true, None),
            file("high/frames.m3u8", true, None),
        ]
    );
    assert_eq!(
        files(SEGMENTS),
        [
            file("all.mp4", false, Some(700)),
            file("key.bin", false, None),
            file("all.mp4", false, Some(1700)),
            file("all.mp4", false, Some(2200)),
        ]
    );
}

#[test]
fn a_playlist_states_duration_size_and_codecs() {
    let variants = parse(VARIANTS);
    assert_eq!(variants.dimensions, Some((1280, 720)));
    assert_eq!(variants.codecs.as_deref(), Some("avc1.4d401e,mp4a.40.2,avc1.4d401f"));
    assert!(!variants.is_audio() && variants.faults.is_empty(), "{:?}", variants.faults);
    let segments = parse(SEGMENTS);
    assert!((segments.duration - 8.5).abs() < 1e-9 && segments.faults.is_empty());
    assert!(parse("#EXTM3U\n#EXTINF:2,\na.aac\n").is_audio());
    assert!(is_hls(VARIANTS) && !is_hls("#EXTM3U\n#EXTINF:123,Band - Song\nsong.mp3\n"));
}

#[test]
fn violations_have_a_place() {
    let list = |middle: &str| {
        format!("#EXTM3U\n#EXT-X-TARGETDURATION:6\n{middle}\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n")
    };
    let cases = [
        ("", 0, "this playlist names no file"),
        ("#EXTINF:6,\na.ts\n", 0, "the first line is not #EXTM3U"),
        (
            "\u{feff}#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n",
            0,
            "the playlist starts with a byte order mark",
        ),
        ("#EXTM3U\n", 0, "this playlist names no file"),
        ("#EXTM3U\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n", 8, "#EXT-X-TARGETDURATION is missing"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n", 8, "#EXT-X-ENDLIST is missing"),
        (
            "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n",
            40,
            "this segment is longer than the target of 5 s",
        ),
        (&list("#EXTINF:six,\nb.ts"), 40, "the duration of this segment is invalid"),
        (&list("#EXTINF:-1,\nb.ts"), 40, "the duration of this segment is invalid"),
        (&list("#EXTINF:4,"), 32, "no file follows this tag"),
        (&list("b.ts"), 32, "no tag describes this file"),
        (&list("#EXT-X-MAP:BYTERANGE=\"1@0\""), 32, "this tag has no URI"),
        (&list("#EXT-X-KEY:METHOD=AES-128"), 32, "this tag has no URI"),
        (&list("#EXT-X-KEY:METHOD"), 43, "these attributes are invalid"),
        (&list("#EXTINF:4,\n#EXT-X-BYTERANGE:x\nb.ts"), 60, "this byte range is invalid"),
        (
            &list("#EXTINF:4,\n#EXT-X-BYTERANGE:9\nb.ts"),
            62,
            "the byte range of this segment has no start",
        ),
        (
            &list("#EXT-X-STREAM-INF:BANDWIDTH=1\nb.m3u8"),
            32,
            "this playlist contains variants and segments",
        ),
        ("#EXTM3U\n#EXT-X-STREAM-INF:RESOLUTION=1x1\na.m3u8\n", 8, "this variant has no BANDWIDTH"),
        (&list("# \u{7}"), 32, "this line contains a control character"),
    ];
    for (text, at, message) in cases {
        let found = parse(text).faults;
        let found = found.iter().any(|fault| fault.at == at && fault.message == message);
        assert!(found, "{text:?}: {:?}", parse(text).faults);
    }
    assert_eq!(parse(&list("# fine")).faults, []);
    assert!(parse(&"x\n".repeat(10_000)).faults.len() <= 20);
}

proptest! {
    #[test]
    fn offsets_are_in_the_text(
        lines in prop::collection::vec(
            prop_oneof![
                "#EXT(INF|-X-KEY|-X-MAP|-X-MEDIA|-X-STREAM-INF|-X-BYTERANGE):[A-Z=\",@0-9 é\u{3000}]{0,20}",
                "#EXT-X-(TARGETDURATION|ENDLIST|I-FRAME-STREAM-INF):?\\PC{0,20}",
                "\\PC{0,20}",
            ],
            0..20,
        ),
        end in prop_oneof!["\n", "\r\n", "\r"],
    ) {
        let text = format!("#EXTM3U{end}{}", lines.join(&end));
        let playlist = parse(&text);
        for file in &playlist.files {
            prop_assert!(text[file.at..].starts_with(&file.uri), "{text:?} {file:?}");
        }
        for fault in &playlist.faults {
            prop_assert!(text.is_char_boundary(fault.at), "{text:?} {fault:?}");
        }
    }
}

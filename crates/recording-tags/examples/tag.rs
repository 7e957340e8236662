//! Writes tags that are the same for every recording: `tag INPUT OUTPUT [COVER]`.

use std::error::Error;
use std::fs::File;
use std::path::Path;

use recording_tags::{Chapter, Person, Picture, Tags, tagged};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [input, output, cover @ ..] = &arguments[..] else {
        return Err("usage: tag INPUT OUTPUT [COVER]".into());
    };
    let read = |path| Ok::<_, std::io::Error>(picture(std::fs::read(path)?));
    let tags = tags(cover.first().map(read).transpose()?);
    let mut source = File::open(input)?;
    let extension = Path::new(input).extension().and_then(|own| own.to_str()).unwrap_or_default();
    let published = tagged(&mut source, extension, &tags)?;
    published.copy(&mut source, &mut File::create(output)?)?;
    Ok(())
}

fn picture(bytes: Vec<u8>) -> Picture {
    let media_type = if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
    Picture { bytes, media_type: media_type.to_owned() }
}

fn tags(cover: Option<Picture>) -> Tags {
    let some = |text: &str| Some(text.to_owned());
    let person = |name: &str, role: &str| Person { name: name.to_owned(), role: some(role) };
    let chapter = |start_ms, end_ms, title: &str| Chapter {
        start_ms,
        end_ms,
        title: title.to_owned(),
        ..Chapter::default()
    };
    Tags {
        title: some("Über die Brücke"),
        show: some("Walks"),
        people: vec![person("Ada Lovelace", "host"), person("李白", "guest")],
        number: Some(12),
        season: Some(3),
        date: some("2026-08-01T10:00:00Z"),
        description: some("A walk over the bridge.\nAnd back."),
        address: some("https://example.org/walk/"),
        language: some("de-AT"),
        publisher: some("Example Radio"),
        copyright: some("CC BY 4.0"),
        genre: some("Podcast"),
        lyrics: some("One, two.\nThree."),
        chapters: vec![
            chapter(0, 1000, "Start"),
            Chapter {
                url: some("https://example.org/bridge?a=1&b=2"),
                image: cover.clone(),
                ..chapter(1000, 2500, "Über die Brücke")
            },
            Chapter { is_hidden: true, ..chapter(2500, 2700, "Pause") },
            chapter(2700, 4000, "終わり"),
        ],
        cover,
        removes_chapters: false,
    }
}

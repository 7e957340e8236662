//! The Exif data of photos in template contexts.

use jiff::civil::Date;
use mustache::{Data, object};

use super::map_links;
use model::{PhotoFact, Shot};
use words::Words;

struct ExifData<'a> {
    fact: PhotoFact,
    text: String,
    words: &'a Words,
    shot: &'a Shot,
}

object!(impl ExifData<'a>, |this| {
    "name" => this.fact.as_str(),
    "text" => this.text.clone(),
    "label" => (this.fact == PhotoFact::Date).then(|| this.words.text("taken")),
    "url" => {
        let location = this.shot.location.filter(|_| this.fact == PhotoFact::Location);
        location.and_then(|(north, east)| map_links::map(None, Some(&format!("geo:{north:.6},{east:.6}"))))
    },
});

/// Returns the facts in `shown` that a photo has.
pub fn exif<'a>(words: &'a Words, shown: &[PhotoFact], shot: &'a Shot) -> Data<'a> {
    let facts = shown.iter().filter_map(|fact| {
        let text = text(words, *fact, shot)?;
        Some(Data::object(ExifData { fact: *fact, text, words, shot }))
    });
    facts.collect()
}

fn text(words: &Words, fact: PhotoFact, shot: &Shot) -> Option<String> {
    match fact {
        PhotoFact::Camera => shot.camera.clone(),
        PhotoFact::Lens => shot.lens.clone(),
        PhotoFact::Exposure => exposure(words, shot),
        PhotoFact::Date => {
            let (year, month, day) = shot.day?;
            Some(words.date(Date::new(year, month, day).ok()?))
        }
        PhotoFact::Location => {
            let (north, east) = shot.location?;
            Some(format!("{north:.4}, {east:.4}"))
        }
    }
}

/// Returns the exposure: `1/250 s, f/2.8, ISO 400, 35 mm`.
fn exposure(words: &Words, shot: &Shot) -> Option<String> {
    let parts = [
        shot.seconds.map(|seconds| format!("{} s", exposure_time(words, seconds))),
        shot.f_number.map(|number| format!("f/{}", decimal(words, number))),
        shot.iso.map(|iso| format!("ISO {}", words.ungrouped(&iso.to_string()))),
        shot.focal_length.map(|length| format!("{} mm", decimal(words, length))),
    ];
    let parts = parts.into_iter().flatten();
    parts.reduce(|all, part| words.joined(&all, &part))
}

/// Returns an exposure time in seconds. Times below 0.26 s are fractions, as cameras show them.
fn exposure_time(words: &Words, seconds: f64) -> String {
    match seconds {
        ..0.26 => words.ungrouped(&format!("1/{:.0}", 1.0 / seconds)),
        _ => decimal(words, seconds),
    }
}

/// Returns a number with at most one decimal.
fn decimal(words: &Words, number: f64) -> String {
    let number = (number * 10.0).round() / 10.0;
    words.ungrouped(&number.to_string())
}

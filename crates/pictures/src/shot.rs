//! The settings of the camera that took a photo (Exif 3.0, sections 4.6.5 and 4.6.6).

use std::panic::catch_unwind;

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use super::boxes;
use super::container::Container;
use super::exif::Exif;

/// Tags of the first directory.
const MAKE: u16 = 0x010f;
const MODEL: u16 = 0x0110;
/// Tags whose values are the offsets of two other directories.
const SETTINGS: u16 = 0x8769;
const GPS: u16 = 0x8825;

/// Tags of the settings.
const EXPOSURE_TIME: u16 = 0x829a;
const F_NUMBER: u16 = 0x829d;
const ISO: u16 = 0x8827;
/// The sensitivity, if it does not fit into [`ISO`], which is then [`MAX_ISO`].
const LARGE_ISO: u16 = 0x8832;
const TIME_TAKEN: u16 = 0x9003;
const FOCAL_LENGTH: u16 = 0x920a;
const LENS: u16 = 0xa434;

/// Tags of the location.
const LATITUDE_SIDE: u16 = 1;
const LATITUDE: u16 = 2;
const LONGITUDE_SIDE: u16 = 3;
const LONGITUDE: u16 = 4;

const MAX_ISO: u32 = 65_535;

/// Maximum number of characters in the name of a camera or lens. Longer names are omitted.
const MAX_NAME: usize = 100;

/// Largest valid number of seconds, f-number and focal length. No camera exceeds it.
const MAX_SETTING: f64 = 100_000.0;

/// Words in the names of companies that are not part of their brands.
const COMPANY_WORDS: [&str; 12] = [
    "ag", "camera", "co", "company", "corp", "corporation", "electronics", "gmbh", "imaging",
    "inc", "ltd", "optical",
];

/// The settings of the camera that took a photo.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Serialize, Deserialize,
)]
pub struct Shot {
    /// Brand and model of the camera.
    pub camera: Option<String>,
    pub lens: Option<String>,
    /// Exposure time in seconds.
    pub seconds: Option<f64>,
    /// Focal length divided by the diameter of the aperture.
    pub f_number: Option<f64>,
    /// Sensitivity of the sensor (ISO 12232).
    pub iso: Option<u32>,
    /// Focal length in millimetres.
    pub focal_length: Option<f64>,
    /// Year, month and day on which the photo was taken, in the camera's time zone. The day may not
    /// exist.
    pub day: Option<(i16, i8, i8)>,
    /// Latitude and longitude in degrees (WGS 84).
    pub location: Option<(f64, f64)>,
}

impl Shot {
    /// Reads the settings from the bytes of a JPEG, PNG, WebP, HEIC, AVIF or TIFF file. Missing and
    /// invalid settings are omitted. Returns `None` if the file contains no valid settings.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let shot = catch_unwind(|| {
            if boxes::is_heif(bytes) {
                return Some(Self::from_exif(&Exif::of(boxes::exif(bytes)?)?));
            }
            match Container::of(bytes) {
                Some(container) => Some(Self::from_exif(&Exif::of(&container.exif()?)?)),
                None => Some(Self::from_exif(&Exif::of(bytes)?)),
            }
        });
        shot.ok()?.filter(|shot| *shot != Self::default())
    }

    fn from_exif(exif: &Exif<'_>) -> Self {
        let shot = Self {
            camera: camera(exif),
            location: exif.directory(GPS).and_then(|gps| location(&gps)),
            ..Self::default()
        };
        let Some(settings) = exif.directory(SETTINGS) else {
            return shot;
        };
        let positive = |tag| {
            let [number] = settings.rationals(tag)?;
            (number > 0.0 && number < MAX_SETTING).then_some(number)
        };
        let iso = settings.integer(ISO).filter(|iso| *iso != MAX_ISO);
        Self {
            lens: name(&settings, LENS),
            seconds: positive(EXPOSURE_TIME),
            f_number: positive(F_NUMBER),
            iso: iso.or_else(|| settings.integer(LARGE_ISO)).filter(|iso| *iso > 0),
            focal_length: positive(FOCAL_LENGTH),
            day: settings.string(TIME_TAKEN).and_then(|time| day(&time)),
            ..shot
        }
    }
}

/// Returns the name in a string tag. Returns `None` for names without letters and digits, such as
/// `----` for an unknown lens.
fn name(exif: &Exif<'_>, tag: u16) -> Option<String> {
    let name = exif.string(tag)?;
    let is_name = name.contains(char::is_alphanumeric) && name.chars().count() <= MAX_NAME;
    is_name.then_some(name)
}

/// Returns the brand and model: `FUJIFILM X-T4`. Many models already contain the brand: `Canon EOS
/// R5`.
fn camera(exif: &Exif<'_>) -> Option<String> {
    let (Some(make), Some(model)) = (name(exif, MAKE), name(exif, MODEL)) else {
        return name(exif, MODEL).or_else(|| name(exif, MAKE));
    };
    let word = |text: &str| text.trim_matches(['.', ',']).to_lowercase();
    let is_company_word = |text: &&str| COMPANY_WORDS.contains(&word(text).as_str());
    let brand: Vec<&str> = make.split(' ').take_while(|text| !is_company_word(text)).collect();
    let mut in_model = model.split(' ').map(word);
    match brand.first() {
        Some(first) if !in_model.any(|part| part == word(first)) => {
            Some(format!("{} {model}", brand.join(" ").trim_end_matches(',')))
        }
        _ => Some(model),
    }
}

/// Returns the day of a time such as `2026:11:20 08:15:00`.
fn day(time: &str) -> Option<(i16, i8, i8)> {
    let mut parts = time.get(..10)?.split(':');
    let day =
        (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (day.0 > 0).then_some(day)
}

/// Returns latitude and longitude. Cameras without reception write 0 for both.
fn location(gps: &Exif<'_>) -> Option<(f64, f64)> {
    let degrees = |tag, side, negative: &str, max: f64| {
        let [degrees, minutes, seconds] = gps.rationals(tag)?;
        let degrees = degrees + minutes / 60.0 + seconds / 3600.0;
        let is_negative = gps.string(side)?.eq_ignore_ascii_case(negative);
        (degrees <= max).then_some(if is_negative { -degrees } else { degrees })
    };
    let latitude = degrees(LATITUDE, LATITUDE_SIDE, "S", 90.0)?;
    let longitude = degrees(LONGITUDE, LONGITUDE_SIDE, "W", 180.0)?;
    (latitude != 0.0 || longitude != 0.0).then_some((latitude, longitude))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tag, type, count and value of an entry.
    type Entry = (u16, u16, u32, Vec<u8>);

    /// Returns Exif data with these directories. Each entry has a tag, a type, a number of values
    /// and the bytes of the values.
    fn exif(directories: [&[Entry]; 3]) -> Vec<u8> {
        let long = |number: usize| u32::try_from(number).unwrap_or_default().to_be_bytes();
        let size = |count: usize| 2 + 12 * count + 4;
        let counts = [directories[0].len() + 2, directories[1].len(), directories[2].len()];
        let mut starts = [8, 8 + size(counts[0]), 8 + size(counts[0]) + size(counts[1])];
        let mut values_at = starts[2] + size(counts[2]);
        let pointers = [(SETTINGS, starts[1]), (GPS, starts[2])];
        let first = pointers.map(|(tag, at)| (tag, 4, 1, long(at).to_vec()));
        let first = [directories[0], &first].concat();
        let mut data = b"MM\0*\0\0\0\x08".to_vec();
        let mut values = Vec::new();
        for (entries, start) in [&first, directories[1], directories[2]].iter().zip(&mut starts) {
            assert_eq!(data.len(), *start);
            data.extend(u16::try_from(entries.len()).unwrap_or_default().to_be_bytes());
            for (tag, kind, count, value) in *entries {
                data.extend([tag.to_be_bytes(), kind.to_be_bytes()].concat());
                data.extend(count.to_be_bytes());
                if value.len() <= 4 {
                    data.extend([value, &vec![0; 4 - value.len()][..]].concat());
                } else {
                    data.extend(long(values_at));
                    values_at += value.len();
                    values.extend(value);
                }
            }
            data.extend([0; 4]);
        }
        [data, values].concat()
    }

    fn text(tag: u16, text: &str) -> Entry {
        let value = [text.as_bytes(), &[0]].concat();
        (tag, 2, u32::try_from(value.len()).unwrap_or_default(), value)
    }

    fn ratios(tag: u16, numbers: &[(u32, u32)]) -> Entry {
        let bytes = numbers.iter().flat_map(|(over, under)| [*over, *under]);
        let value = bytes.flat_map(u32::to_be_bytes).collect();
        (tag, 5, u32::try_from(numbers.len()).unwrap_or_default(), value)
    }

    fn sample() -> Vec<u8> {
        exif([
            &[text(MAKE, "FUJIFILM"), text(MODEL, "X-T4 ")],
            &[
                ratios(EXPOSURE_TIME, &[(10, 2500)]),
                ratios(F_NUMBER, &[(28, 10)]),
                (ISO, 3, 1, vec![1, 0x90]),
                text(TIME_TAKEN, "2026:11:20 08:15:00"),
                ratios(FOCAL_LENGTH, &[(350, 10)]),
                text(LENS, "XF35mm\nF1.4 R"),
            ],
            &[
                text(LATITUDE_SIDE, "S"),
                ratios(LATITUDE, &[(27, 1), (30, 1), (0, 1)]),
                text(LONGITUDE_SIDE, "E"),
                ratios(LONGITUDE, &[(153, 1), (0, 1), (36, 1)]),
            ],
        ])
    }

    #[test]
    fn all_settings_are_read() {
        let shot = Shot {
            camera: Some("FUJIFILM X-T4".into()),
            lens: Some("XF35mm F1.4 R".into()),
            seconds: Some(0.004),
            f_number: Some(2.8),
            iso: Some(400),
            focal_length: Some(35.0),
            day: Some((2026, 11, 20)),
            location: Some((-27.5, 153.01)),
        };
        assert_eq!(Shot::of(&sample()), Some(shot));
    }

    #[test]
    fn invalid_settings_are_omitted() {
        let data = exif([
            &[text(MODEL, " \u{1}--- ")],
            &[
                ratios(EXPOSURE_TIME, &[(1, 0)]),
                ratios(F_NUMBER, &[(0, 1)]),
                (ISO, 3, 1, vec![0, 0]),
                text(TIME_TAKEN, "    :  :     :  :  "),
                text(LENS, &"x".repeat(101)),
                (FOCAL_LENGTH, 5, u32::MAX, vec![0xff; 4]),
            ],
            &[
                text(LATITUDE_SIDE, "N"),
                ratios(LATITUDE, &[(91, 1), (0, 1), (0, 1)]),
                text(LONGITUDE_SIDE, "E"),
                ratios(LONGITUDE, &[(1, 1), (0, 1), (0, 1)]),
            ],
        ]);
        assert_eq!(Shot::of(&data), None);
    }

    #[test]
    fn damaged_data_causes_no_panic() {
        let data = sample();
        for at in 0..data.len() {
            let _ = Shot::of(&data[..at]);
            for byte in [0, 1, 0x7f, 0xff] {
                let mut damaged = data.clone();
                damaged[at] = byte;
                let _ = Shot::of(&damaged);
            }
        }
    }

    #[test]
    fn a_brand_is_not_repeated() {
        let named =
            |make, model| Shot::of(&exif([&[text(MAKE, make), text(MODEL, model)], &[], &[]]));
        for (make, model, camera) in [
            ("NIKON CORPORATION", "NIKON D750", "NIKON D750"),
            ("Canon", "Canon EOS R5", "Canon EOS R5"),
            ("OLYMPUS IMAGING CORP.", "E-M1", "OLYMPUS E-M1"),
            ("Konica Minolta Camera, Inc.", "DiMAGE A2", "Konica Minolta DiMAGE A2"),
            ("LEICA CAMERA AG", "LEICA Q2", "LEICA Q2"),
            ("Apple", "iPhone 17 Pro", "Apple iPhone 17 Pro"),
            ("", "Pinhole", "Pinhole"),
            ("Co.", "Pinhole", "Pinhole"),
        ] {
            assert_eq!(named(make, model).and_then(|shot| shot.camera).as_deref(), Some(camera));
        }
    }
}

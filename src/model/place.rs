//! Notations for locations: geo URIs and OpenStreetMap objects.

use super::shape::Form;

/// Form of a geo URI.
pub const GEO: Form = Form {
    max: 256,
    name: "a geo URI",
    help: "write latitude and longitude in degrees, as in \"geo:48.858093,2.294694\"",
    example: "geo:48.858093,2.294694",
    is_valid: is_geo,
    pattern: Some(GEO_PATTERN),
};

/// Pattern of a geo URI (RFC 5870, section 3.3): latitude, longitude, altitude and parameters.
/// Latitude and longitude are limited to 90 and 180 degrees.
const GEO_PATTERN: &str = concat!(
    r"^(geo:-?0*(90(\.0+)?|[1-8]?[0-9](\.[0-9]+)?),-?0*(180(\.0+)?|(1[0-7]|[1-9])?[0-9](\.[0-9]+)?)",
    r"(,-?[0-9]+(\.[0-9]+)?)?(;[A-Za-z0-9-]+(=[^;\s\x00-\x1F\uFFFE\uFFFF]*)?)*)?$"
);

/// Form of an OpenStreetMap object.
pub const OSM: Form = Form {
    max: 256,
    name: "an OpenStreetMap object",
    help: "write N, W or R (node, way, relation) and the number, as in \"R113314\"",
    example: "R113314",
    is_valid: is_osm,
    pattern: Some("^([NWR][0-9]+(#[0-9]+)?)?$"),
};

/// Returns whether a string is a geo URI (RFC 5870): `geo:lat,lon[,altitude][;parameters]`.
/// Latitude and longitude must not exceed 90 and 180 degrees, unless a parameter specifies another
/// coordinate system.
fn is_geo(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("geo:") else {
        return false;
    };
    let (point, parameters) =
        rest.split_once(';').map_or((rest, None), |(point, more)| (point, Some(more)));
    let numbers: Option<Vec<f64>> = point.split(',').map(decimal).collect();
    let Some(numbers) = numbers.filter(|numbers| (2..=3).contains(&numbers.len())) else {
        return false;
    };
    let parameters: Vec<&str> = parameters.map_or_else(Vec::new, |more| more.split(';').collect());
    let named = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let elsewhere = parameters.iter().any(|parameter| {
        parameter.to_ascii_lowercase().starts_with("crs=")
            && !parameter.eq_ignore_ascii_case("crs=wgs84")
    });
    parameters.iter().all(named)
        && !text.contains(char::is_whitespace)
        && (elsewhere || (numbers[0].abs() <= 90.0 && numbers[1].abs() <= 180.0))
}

/// Parses a number as defined in RFC 5870: digits, with an optional minus sign and optional
/// decimals.
fn decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (is_number(whole) && is_number(fraction)).then(|| text.parse().ok())?
}

/// Returns whether a string identifies an OpenStreetMap object: by its type, its number, and an
/// optional revision (`R113314#188`).
fn is_osm(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['N', 'W', 'R']) else {
        return false;
    };
    let (id, revision) = rest.split_once('#').unwrap_or((rest, "1"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    is_number(id) && is_number(revision)
}

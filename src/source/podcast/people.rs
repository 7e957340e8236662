//! `people`, `license`, `locations`.

use front_matter::Node;

use super::shapes::{advise_known, each, missing, text_or_table, within_limit};
use crate::model::podcast::vocabulary::{self, TAXONOMY};
use crate::model::podcast::{License, Location, LocationRel, Person};
use crate::source::fields::Fields;

/// `people`: names, or tables.
pub fn people(fields: &Fields<'_, '_>) -> Vec<Person> {
    each(fields, &["people", "persons", "person"], |key, node| {
        let named = |text| {
            Some(Person {
                name: within_limit(fields, key, node, text, 128)?,
                ..Person::default()
            })
        };
        text_or_table(fields, key, node, named, |person| {
            let name = person.required_text("name", 128, &node.span);
            let (role, group) = (person.text("role", 128), person.text("group", 128));
            if let (Some(role), Some(node)) = (&role, person.node("role")) {
                let roles: Vec<&str> = TAXONOMY
                    .iter()
                    .flat_map(|(_, roles)| *roles)
                    .copied()
                    .collect();
                advise_known(person, "role", node, role, "the Podcast Taxonomy", &roles);
            }
            if let (Some(group), Some(node)) = (&group, person.node("group")) {
                let groups = TAXONOMY.map(|(group, _)| group);
                advise_known(
                    person,
                    "group",
                    node,
                    group,
                    "the Podcast Taxonomy",
                    &groups,
                );
            }
            let img = super::shapes::address(person, "img").map(|found| found.url().to_owned());
            let href = person.http_url("href");
            Some(Person {
                name: name?,
                role,
                group,
                img,
                href,
            })
        })
    })
}

/// `license`: an identifier, or a table.
pub fn license(fields: &Fields<'_, '_>) -> Option<License> {
    let found = each(fields, &["license", "licence"], |key, node| {
        let alone = |text| {
            license_of(
                fields,
                node,
                within_limit(fields, key, node, text, 128)?,
                None,
            )
        };
        text_or_table(fields, key, node, alone, |license| {
            let identifier = license.required_text("identifier", 128, &node.span);
            let url = super::shapes::address(license, "url").map(|found| found.url().to_owned());
            license_of(license, node, identifier?, url)
        })
    });
    found.into_iter().next()
}

fn license_of(
    fields: &Fields<'_, '_>,
    node: &Node,
    identifier: String,
    url: Option<String>,
) -> Option<License> {
    if let Some((identifier, needed)) = vocabulary::known_license(identifier.trim()) {
        return Some(License {
            identifier: identifier.to_owned(),
            url: url.or(needed.map(str::to_owned)),
        });
    }
    if url.is_none() {
        let names: Vec<&str> = vocabulary::LICENSES
            .into_iter()
            .chain(vocabulary::PUBLIC_LICENSES.map(|(name, _)| name))
            .collect();
        let near = crate::source::fields::nearest(&identifier, &names)
            .map_or(String::new(), |near| format!("did you mean \"{near}\"? "));
        let notation = fields.reader.notation();
        let license = notation.table(&[("identifier", "…"), ("url", "…")]);
        let license = notation.pair("license", &license);
        fields.reader.error(
            &node.span,
            format!("{identifier:?} is not a known public licence, so it needs a `url`"),
            format!("{near}Write {license} with the address of its text"),
        );
        return None;
    }
    Some(License { identifier, url })
}

/// `locations`: names, or tables.
pub fn locations(fields: &Fields<'_, '_>) -> Vec<Location> {
    each(fields, &["locations", "location"], |key, node| {
        let named = |text| {
            Some(Location {
                name: within_limit(fields, key, node, text, 128)?,
                ..Location::default()
            })
        };
        text_or_table(fields, key, node, named, |place| {
            let name = place.required_text("name", 128, &node.span);
            let rel = place.choice("rel", &LocationRel::NAMES, LocationRel::parse);
            let (geo, osm) = (geo(place), osm(place));
            let country = country(place);
            Some(Location {
                name: name?,
                rel,
                geo,
                osm,
                country,
            })
        })
    })
}

/// `geo`, checked.
pub fn geo(fields: &Fields<'_, '_>) -> Option<String> {
    checked(
        fields,
        "geo",
        is_geo,
        "a geo URI",
        "write latitude and longitude in degrees, as in \"geo:48.858093,2.294694\"",
    )
}

/// `geo`, which has to be there.
pub fn required_geo(fields: &Fields<'_, '_>, node: &Node) -> Option<String> {
    if fields.node("geo").is_none() {
        missing(fields, "geo", &node.span);
    }
    geo(fields)
}

/// `osm`, checked.
pub fn osm(fields: &Fields<'_, '_>) -> Option<String> {
    checked(
        fields,
        "osm",
        is_osm,
        "an OpenStreetMap object",
        "write N, W or R (node, way, relation) and the number, as in \"R113314\"",
    )
}

fn country(fields: &Fields<'_, '_>) -> Option<String> {
    checked(
        fields,
        "country",
        vocabulary::is_country,
        "a country's code",
        "write its two capital letters of ISO 3166-1, as in \"GB\"",
    )
}

fn checked(
    fields: &Fields<'_, '_>,
    key: &'static str,
    is_valid: impl FnOnce(&str) -> bool,
    kind: &str,
    help: &str,
) -> Option<String> {
    let text = fields.text(key, 256)?;
    if is_valid(&text) {
        return Some(text);
    }
    let node = fields.node(key)?;
    fields.reader.error(
        &node.span,
        format!("`{}` is not {kind}: {text:?}", fields.name(key)),
        help,
    );
    None
}

/// A geo URI (RFC 5870): `geo:lat,lon[,altitude][;parameters]`, within the Earth's degrees unless
/// another reference system is named.
fn is_geo(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("geo:") else {
        return false;
    };
    let (point, parameters) = rest
        .split_once(';')
        .map_or((rest, None), |(point, more)| (point, Some(more)));
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

/// A number of RFC 5870: digits, with a sign and decimals at most.
fn decimal(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (is_number(whole) && is_number(fraction)).then(|| text.parse().ok())?
}

/// An OpenStreetMap object: its kind, its number, and a revision at most (`R113314#188`).
fn is_osm(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['N', 'W', 'R']) else {
        return false;
    };
    let (id, revision) = rest.split_once('#').unwrap_or((rest, "1"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    is_number(id) && is_number(revision)
}

//! Map links for places.

/// Returns the OpenStreetMap page of an object (`R113314`), or else of a point (`geo:48.85,2.29`).
pub fn map(osm: Option<&str>, geo: Option<&str>) -> Option<String> {
    osm.and_then(osm_object_url).or_else(|| geo.and_then(geo_point_url))
}

fn osm_object_url(osm: &str) -> Option<String> {
    let mut letters = osm.chars();
    let kind = match letters.next()? {
        'N' => "node",
        'W' => "way",
        'R' => "relation",
        _ => return None,
    };
    // The text after `#` is a version number.
    let number = letters.as_str().split('#').next()?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| format!("https://www.openstreetmap.org/{kind}/{number}"))
}

fn geo_point_url(geo: &str) -> Option<String> {
    let geo = geo.strip_prefix("geo:")?;
    let (at, parameters) = geo.split_once(';').unwrap_or((geo, ""));
    // No map exists for coordinates on another planet or in another reference system.
    let parameters = parameters.to_ascii_lowercase();
    let is_elsewhere = parameters.contains("crs=") && !parameters.contains("crs=wgs84");
    let mut degrees = at.split(',').map(str::parse::<f64>);
    let (north, east) = (degrees.next()?.ok()?, degrees.next()?.ok()?);
    let is_on_earth = north.abs() <= 90.0 && east.abs() <= 180.0;
    (is_on_earth && !is_elsewhere).then(|| {
        format!("https://www.openstreetmap.org/?mlat={north}&mlon={east}#map=14/{north}/{east}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_takes_precedence_over_a_point() {
        let map = |osm, geo| map(osm, geo).unwrap_or_default();
        let site = "https://www.openstreetmap.org";
        assert_eq!(map(Some("R12#3"), Some("geo:1,2")), format!("{site}/relation/12"));
        assert_eq!(map(Some("W7"), None), format!("{site}/way/7"));
        assert_eq!(map(Some("R"), None), "");
        let here = format!("{site}/?mlat=-27.5&mlon=153#map=14/-27.5/153");
        assert_eq!(map(None, Some("geo:-27.5,153,8;u=35")), here);
        for odd in ["geo:", "geo:1", "geo:NaN,1", "geo:91,0", "geo:1,2;crs=moon"] {
            assert_eq!(map(None, Some(odd)), "", "{odd}");
        }
    }
}

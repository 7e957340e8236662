//! Services for following a site, and networks with profiles: their names, colours and logos.
//!
//! A service is recognized by the host of an address, or by its name. Pages show it as a tile in
//! its colour: a [`Logo`], or the service's initial if the set of logos lacks it.

mod list;
mod logos;

pub use self::logos::{FOLDER, Logo};

/// A service. [`list::SERVICES`] contains all services.
#[derive(Debug)]
pub struct Service {
    pub name: &'static str,
    mark: Mark,
    /// Hosts of the service. Their subdomains belong to it too.
    hosts: &'static [&'static str],
}

/// The content of a service's tile.
#[derive(Debug)]
enum Mark {
    Logo(Logo),
    /// The initial, on this colour. A white letter on it has a contrast of at least 4.5:1.
    Letter(&'static str),
}

impl Service {
    pub fn logo(&self) -> Option<Logo> {
        match self.mark {
            Mark::Logo(logo) => Some(logo),
            Mark::Letter(_) => None,
        }
    }

    /// Returns the service's colour, darkened where a white letter on it would be hard to read.
    pub fn colour(&self) -> String {
        match self.mark {
            Mark::Logo(logo) => logo.colour_for_letter(),
            Mark::Letter(colour) => colour.into(),
        }
    }
}

/// Returns the service of an address, or None if it is unknown.
pub fn service_of(address: &str) -> Option<&'static Service> {
    let (scheme, rest) = address.split_once(':')?;
    match scheme.to_ascii_lowercase().as_str() {
        "mailto" => return Some(&list::MAIL),
        "matrix" => return service_named("Matrix"),
        "xmpp" => return service_named("XMPP"),
        _ => {}
    }
    let rest = rest.trim_start_matches('/');
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.to_ascii_lowercase();
    let is_at = |own: &&str| {
        let before = host.strip_suffix(*own);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let known = list::SERVICES.iter().find(|one| one.hosts.iter().any(&is_at));
    // Fediverse servers have separate hosts, but most of their profile paths start with `@`.
    known.or_else(|| path.starts_with('@').then_some(&list::FEDIVERSE))
}

/// Returns the service with this name, or None if it is unknown.
pub fn service_named(name: &str) -> Option<&'static Service> {
    list::SERVICES.iter().find(|one| one.name.eq_ignore_ascii_case(name))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::colour::Colour;

    #[test]
    fn a_service_is_recognized_by_its_host() {
        let name = |address| service_of(address).map(|service| service.name);
        assert_eq!(name("https://github.com/ada"), Some("GitHub"));
        assert_eq!(name("https://www.youtube.com/@ada"), Some("YouTube"));
        assert_eq!(name("https://music.youtube.com/@ada"), Some("YouTube Music"));
        assert_eq!(name("https://ada.bandcamp.com"), Some("Bandcamp"));
        assert_eq!(name("https://social.example/@ada"), Some("Mastodon"));
        assert_eq!(name("mailto:ada@walks.example"), Some("E-mail"));
        assert_eq!(name("xmpp:ada@walks.example"), Some("XMPP"));
        assert_eq!(name("https://notgithub.com/ada"), None);
        assert_eq!(name("ada"), None);
    }

    #[test]
    fn a_white_letter_is_readable_on_each_colour() {
        for service in list::SERVICES.iter().chain([&list::MAIL, &list::FEDIVERSE]) {
            let colour = Colour::parse(&service.colour()).unwrap();
            assert!(colour.contrast(Colour::WHITE) >= 4.5, "{}", service.name);
        }
    }

    #[test]
    fn each_service_has_a_complete_logo_and_each_logo_a_service() {
        let services = list::SERVICES.iter().chain([&list::MAIL]);
        let used: BTreeSet<Logo> = services.filter_map(Service::logo).collect();
        assert_eq!(used, Logo::all().collect());
        for logo in used {
            let (tile, ink) = logo.colours().unwrap();
            assert!(tile.contrast(ink) >= 3.0, "{logo:?}");
            let svg = logo.svg();
            assert!(svg.contains(" d=\"M") || svg.contains(" d=\"m"), "{svg}");
            assert_eq!(Logo::at(logo.path().rsplit('/').next().unwrap()), Some(logo));
        }
    }
}

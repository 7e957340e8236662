//! Classifies user agents by app, device and operating system. Also determines whether a request
//! comes from a listener.

use std::sync::LazyLock;

/// Maximum number of bytes of a user agent to examine. The rest contains no useful information.
pub(super) const MAX_AGENT_LENGTH: usize = 512;

/// The facts derived from a user agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// The name of the app, or `Unknown`.
    pub app: &'static str,
    pub device: Device,
    /// The operating system of the device, or `Unknown`.
    pub system: &'static str,
    /// Whether requests with this user agent come from a listener. Bots, tools, and devices that
    /// repeat the downloads of another device are not listeners.
    pub is_listener: bool,
}

/// The kind of device that an app runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Device {
    Phone,
    Tablet,
    /// A desktop or laptop computer.
    Computer,
    /// A smart speaker or a network speaker.
    Speaker,
    Watch,
    Car,
    /// A television, or a device connected to one.
    Tv,
    /// The user agent contains no information about the device.
    Unknown,
}

impl Device {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::Tablet => "tablet",
            Self::Computer => "computer",
            Self::Speaker => "speaker",
            Self::Watch => "watch",
            Self::Car => "car",
            Self::Tv => "tv",
            Self::Unknown => "unknown",
        }
    }

    fn parse(name: &str) -> Self {
        [Self::Phone, Self::Tablet, Self::Computer, Self::Speaker, Self::Watch, Self::Car, Self::Tv]
            .into_iter()
            .find(|device| device.as_str() == name)
            .unwrap_or(Self::Unknown)
    }
}

const UNKNOWN: &str = "Unknown";

impl Agent {
    /// Classifies a user agent. `None` means that the log contains no user agents. In that case,
    /// the request counts as a listener's request. An empty user agent does not come from a
    /// listener, because every app sends its name.
    pub fn of(text: Option<&str>) -> Self {
        let Some(text) = text else {
            return Self::unknown(true);
        };
        if text.trim().is_empty() {
            return Self::unknown(false);
        }
        let lower = text.to_lowercase();
        let Some(rule) = RULES.iter().find(|rule| rule.matches_pattern(&lower)) else {
            let (device, system) = hardware(&lower);
            return Self { device, system, ..Self::unknown(true) };
        };
        let (device, system) = hardware(&lower);
        Self {
            app: rule.name,
            device: match (device, rule.device) {
                (told, Device::Unknown | Device::Phone | Device::Computer)
                    if told != Device::Unknown =>
                {
                    told
                }
                (_, own) => own,
            },
            system: match (system, rule.system) {
                (UNKNOWN, Some("Apple")) => "iOS",
                (UNKNOWN, Some(system)) => system,
                (told, _) => told,
            },
            is_listener: rule.is_listener,
        }
    }

    fn unknown(is_listener: bool) -> Self {
        Self { app: UNKNOWN, device: Device::Unknown, system: UNKNOWN, is_listener }
    }
}

/// Returns the device and the operating system, which most user agents contain in parentheses. More
/// specific patterns are checked first.
fn hardware(agent: &str) -> (Device, &'static str) {
    const DEVICE_SIGNS: &[(&str, Device, &str)] = &[
        ("watchos", Device::Watch, "watchOS"),
        ("apple watch", Device::Watch, "watchOS"),
        ("wear os", Device::Watch, "Wear OS"),
        ("audioos", Device::Speaker, "HomePod"),
        ("homepod", Device::Speaker, "HomePod"),
        ("appletv", Device::Tv, "tvOS"),
        ("apple tv", Device::Tv, "tvOS"),
        ("tvos", Device::Tv, "tvOS"),
        ("carplay", Device::Car, "iOS"),
        ("android automotive", Device::Car, "Android"),
        ("android auto", Device::Car, "Android"),
        ("android tv", Device::Tv, "Android"),
        ("googletv", Device::Tv, "Android"),
        ("aftb", Device::Tv, "Fire OS"),
        ("aftm", Device::Tv, "Fire OS"),
        ("aftt", Device::Tv, "Fire OS"),
        ("smart-tv", Device::Tv, UNKNOWN),
        ("smarttv", Device::Tv, UNKNOWN),
        ("web0s", Device::Tv, "webOS"),
        ("bravia", Device::Tv, "Android"),
        ("playstation", Device::Tv, "PlayStation"),
        ("xbox", Device::Tv, "Xbox"),
        ("ipad", Device::Tablet, "iPadOS"),
        ("iphone", Device::Phone, "iOS"),
        ("ipod", Device::Phone, "iOS"),
        ("kaios", Device::Phone, "KaiOS"),
        ("windows phone", Device::Phone, "Windows Phone"),
        ("tablet", Device::Tablet, "Android"),
        ("macintosh", Device::Computer, "macOS"),
        ("mac os x", Device::Computer, "macOS"),
        ("macos", Device::Computer, "macOS"),
        ("windows", Device::Computer, "Windows"),
        ("cros ", Device::Computer, "ChromeOS"),
        (" ios", Device::Phone, "iOS"),
        ("(ios", Device::Phone, "iOS"),
    ];
    let found = DEVICE_SIGNS.iter().find(|(sign, ..)| agent.contains(sign));
    match found {
        Some((_, device, system)) => (*device, system),
        // On Android, the user agent of a browser contains `Mobile` on phones but not on tablets.
        None if agent.contains("android") => {
            let is_tablet = agent.starts_with("mozilla/") && !agent.contains("mobile");
            let device = if is_tablet { Device::Tablet } else { Device::Phone };
            (device, "Android")
        }
        None if agent.contains("linux") || agent.contains("x11") => (Device::Computer, "Linux"),
        None => (Device::Unknown, UNKNOWN),
    }
}

/// A rule from `agents.txt`.
struct Rule {
    name: &'static str,
    device: Device,
    system: Option<&'static str>,
    is_listener: bool,
    patterns: Vec<Vec<PatternPart>>,
}

/// A part of a pattern.
enum PatternPart {
    Begins(&'static str),
    Holds(&'static str),
    Lacks(&'static str),
}

impl Rule {
    fn matches_pattern(&self, agent: &str) -> bool {
        let mut patterns = self.patterns.iter();
        patterns.any(|pattern_parts| {
            pattern_parts.iter().all(|sign| match sign {
                PatternPart::Begins(text) => agent.starts_with(text),
                PatternPart::Holds(text) => agent.contains(text),
                PatternPart::Lacks(text) => !agent.contains(text),
            })
        })
    }
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut is_listener = false;
    let lines = include_str!("agents.txt").lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| {
            if line.starts_with('[') {
                is_listener = line == "[apps]";
                return None;
            }
            let (name, rest) = line.split_once(" | ")?;
            let (device, system, patterns) = if is_listener {
                let (device, rest) = rest.split_once(" | ")?;
                let (system, patterns) = rest.split_once(" | ")?;
                (Device::parse(device), Some(system), patterns)
            } else {
                (Device::Unknown, None, rest)
            };
            Some(Rule {
                name,
                device,
                system: system.filter(|system| *system != "-"),
                is_listener,
                patterns: patterns.split(" ; ").map(pattern_parts).collect(),
            })
        })
        .collect()
});

fn pattern_parts(pattern: &'static str) -> Vec<PatternPart> {
    let parts = pattern.split(" & ").map(str::trim);
    parts
        .map(|part| match part.split_at(1) {
            ("^", text) => PatternPart::Begins(text),
            ("!", text) => PatternPart::Lacks(text),
            _ => PatternPart::Holds(part),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_line_parses_as_a_rule() {
        let text = include_str!("agents.txt");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
        assert_eq!(lines.count(), RULES.len());
        for rule in RULES.iter() {
            for sign in rule.patterns.iter().flatten() {
                let (PatternPart::Begins(text)
                | PatternPart::Holds(text)
                | PatternPart::Lacks(text)) = sign;
                assert!(text.len() > 2 && text.to_lowercase() == *text, "{text}");
            }
        }
    }

    #[test]
    fn agents_are_classified_by_app_and_device() {
        for (agent, app, device, system) in [
            (
                "Podcasts/1575.1.2 CFNetwork/1220.1 Darwin/20.3.0",
                "Apple Podcasts",
                "unknown",
                "iOS",
            ),
            (
                "AppleCoreMedia/1.0.0.21F90 (iPhone; U; CPU OS 17_5_1 like Mac OS X; en_us)",
                "Apple Core Media",
                "phone",
                "iOS",
            ),
            (
                "AppleCoreMedia/1.0.0.22L (HomePod; U; CPU OS 18_0 like Mac OS X)",
                "HomePod",
                "speaker",
                "HomePod",
            ),
            ("Overcast/3.0 (+http://overcast.fm/; iOS podcast app)", "Overcast", "phone", "iOS"),
            ("Spotify/8.9.18 Android/34 (SM-G991B)", "Spotify", "phone", "Android"),
            ("Pocket Casts", "Pocket Casts", "unknown", "Unknown"),
            ("AntennaPod/3.4.0", "AntennaPod", "phone", "Android"),
            (
                "PodcastAddict/v5 (+https://podcastaddict.com/; Android podcast app)",
                "Podcast Addict",
                "phone",
                "Android",
            ),
            ("Castro 2024.5/1630", "Castro", "phone", "iOS"),
            ("Alexa Mobile Voice/1.0", "Alexa", "speaker", "Unknown"),
            ("Linux UPnP/1.0 Sonos/79.1-53290 (ZPS27)", "Sonos", "speaker", "Linux"),
            ("iTunes/12.9.5 (Macintosh; OS X 10.14.6)", "iTunes", "computer", "macOS"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
                "Chrome",
                "computer",
                "Windows",
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
                "Firefox",
                "computer",
                "Linux",
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1",
                "Safari",
                "tablet",
                "iPadOS",
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; CUBOT P80) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36",
                "Chrome",
                "phone",
                "Android",
            ),
            ("VLC/3.0.20 LibVLC/3.0.20", "VLC", "unknown", "Unknown"),
            ("okhttp/4.12.0", "Android media player", "unknown", "Android"),
            ("My Own Player 1.0", "Unknown", "unknown", "Unknown"),
        ] {
            let found = Agent::of(Some(agent));
            assert_eq!(
                (found.app, found.device.as_str(), found.system),
                (app, device, system),
                "{agent}"
            );
            assert!(found.is_listener, "{agent}");
        }
    }

    #[test]
    fn bots_and_downloaders_are_not_listeners() {
        for agent in [
            "",
            " ",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; SomeNewBot/1.0)",
            "iTMS",
            "curl/8.5.0",
            "Wget/1.21.4",
            "python-requests/2.32.3",
            "Go-http-client/2.0",
            "axios/1.7.2",
            "facebookexternalhit/1.1",
            "Lavf/60.16.100",
            "atc/1.0 watchOS/10.5 model/Watch6,2 hwp/t8301 build/21T576 (6; dt:252)",
            "AmazonMusicPodcast crawler",
        ] {
            assert!(!Agent::of(Some(agent)).is_listener, "{agent}");
        }
        assert!(Agent::of(None).is_listener);
    }
}

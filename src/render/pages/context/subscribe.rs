//! Template data for the subscribe page.

use mustache::{Data, object};
use qrcodegen::{QrCode, QrCodeEcc};

use super::subscribe_apps::{App, GROUPS, Group, Link};
use crate::inputs::Shared;
use model::SubscribeMethod;
use site::paths;

/// Returns the context of the subscribe page.
pub fn subscribe<'a>(shared: &'a Shared<'a>) -> Data<'a> {
    Data::from([("subscribe", Data::object(SubscribeData { shared }))])
}

struct SubscribeData<'a> {
    shared: &'a Shared<'a>,
}

impl<'a> SubscribeData<'a> {
    fn rss(&self) -> Option<String> {
        let config = self.shared.config;
        config.feed.rss.then(|| config.url(&paths::rss(1)))
    }

    fn json(&self) -> String {
        self.shared.config.url(&paths::json_feed(1))
    }

    /// Returns the address of the main feed: RSS, or else JSON Feed.
    fn address(&self) -> String {
        self.rss().unwrap_or_else(|| self.json())
    }

    /// Returns the channel's own subscribe methods, without the feeds.
    fn custom_methods(&self) -> impl Iterator<Item = &'a SubscribeMethod> + use<'a> {
        let (channel, json) = (self.shared.channel, self.json());
        let feeds = [self.rss().unwrap_or_default(), json];
        let all = channel.subscribe_methods.iter();
        all.filter(move |method| method.enabled && method.editable && !feeds.contains(&method.url))
    }

    fn groups(&self) -> Data<'a> {
        let groups = GROUPS.iter();
        let groups = groups.filter(|group| self.shared.is_podcast || !group.is_of_podcasts);
        let groups = groups.filter_map(|group| self.group(group));
        groups.collect()
    }

    /// Returns a group of apps. Apps that the channel's own subscribe methods include are left out.
    fn group(&self, group: &'static Group) -> Option<Data<'a>> {
        let is_rss = self.rss().is_some();
        let is_own = |app: &App| {
            self.custom_methods()
                .any(|custom_methods| custom_methods.name.eq_ignore_ascii_case(app.name))
        };
        let apps = group.apps.iter();
        let apps = apps.filter(|app| (is_rss || app.reads_json) && !is_own(app));
        let address = self.address();
        let apps = apps.map(|app| {
            Data::from([
                ("name", app.name.into()),
                ("url", app.link.link_to(&address).into()),
                ("letter", initial(app.name).into()),
                ("colour", app.colour.into()),
            ])
        });
        let apps: Vec<Data<'a>> = apps.collect();
        let any = (is_rss || !group.is_of_podcasts).then(|| Link::Any.link_to(&address));
        let name = match group.name {
            "" => self.shared.words.text("feed_readers"),
            name => name,
        };
        (!apps.is_empty()).then(|| {
            Data::from([
                ("name", name.into()),
                ("is_readers", group.name.is_empty().into()),
                ("any_url", any.into()),
                ("apps", apps.into_iter().collect()),
            ])
        })
    }
}

object!(impl SubscribeData<'a>, |this| {
    "address" => this.address(),
    "rss_address" => this.rss(),
    "json_address" => this.json(),
    "is_podcast" => this.shared.is_podcast,
    "own" => {
        let custom_methods: Vec<Data<'a>> = this.custom_methods().map(|method| method_data(this.shared, method)).collect();
        custom_methods.into_iter().collect::<Data<'a>>()
    },
    "groups" => this.groups(),
    "qr" => QrData::of(&this.address()),
});

fn method_data<'a>(shared: &'a Shared<'a>, method: &'a SubscribeMethod) -> Data<'a> {
    // Loading a picture from another host would reveal the visitor's address to that host.
    let image = method.image.as_deref();
    let image = image.filter(|image| shared.config.local_path(image).is_some());
    Data::from([
        ("name", Data::from(&method.name)),
        ("url", Data::from(&method.url)),
        ("image", image.into()),
        ("letter", initial(&method.name).into()),
    ])
}

/// Returns the first letter or digit of a name, in upper case.
fn initial(name: &str) -> String {
    let letter = name.chars().find(|c| c.is_alphanumeric());
    letter.map_or_else(String::new, |letter| letter.to_uppercase().collect())
}

/// A QR code (ISO/IEC 18004) as an SVG path.
struct QrData;

impl QrData {
    /// Width of the margin that QR readers require, in modules.
    const MARGIN: i32 = 4;

    /// Returns the QR code for a string, or null if the string is too long.
    fn of<'a>(text: &str) -> Data<'a> {
        let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else {
            return Data::default();
        };
        let size = code.size();
        let mut path = String::new();
        for y in 0..size {
            let mut x = 0;
            while x < size {
                let run = (x..size).take_while(|x| code.get_module(*x, y)).count();
                let run = i32::try_from(run).unwrap_or_default();
                if run > 0 {
                    let (left, top) = (x + Self::MARGIN, y + Self::MARGIN);
                    path.push_str(&format!("M{left} {top}h{run}v1h-{run}z"));
                }
                x += run + 1;
            }
        }
        let size = i64::from(size + 2 * Self::MARGIN);
        Data::from([("size", size.into()), ("path", path.into())])
    }
}

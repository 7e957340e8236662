//! Template data for the subscribe page.

use mustache::{Data, object};
use qrcodegen::{QrCode, QrCodeEcc};

use crate::inputs::Shared;
use crate::subscribe_apps::{App, Group, Link, Ways, service_of_method};
use model::SubscribeMethod;
use theme::services::{Service, service_named};

/// Returns the context of the subscribe page.
pub fn subscribe<'a>(shared: &'a Shared<'a>) -> Data<'a> {
    let (config, channel) = (shared.config, shared.channel);
    let ways = Ways { config, channel, is_podcast: shared.is_podcast };
    Data::from([("subscribe", Data::object(SubscribeData { shared, ways }))])
}

struct SubscribeData<'a> {
    shared: &'a Shared<'a>,
    ways: Ways<'a>,
}

impl<'a> SubscribeData<'a> {
    /// Returns the address of the main feed: RSS, or else JSON Feed.
    fn address(&self) -> String {
        self.ways.rss().unwrap_or_else(|| self.ways.json())
    }

    fn group(&self, group: &'static Group, apps: &[&'static App]) -> Data<'a> {
        let address = self.address();
        let is_rss = self.ways.rss().is_some();
        let any = (is_rss || !group.is_of_podcasts).then(|| Link::Any.link_to(&address));
        let name = match group.name {
            "" => self.shared.words.text("feed_readers"),
            name => name,
        };
        Data::from([
            ("name", name.into()),
            ("is_readers", group.name.is_empty().into()),
            ("any_url", any.into()),
            ("apps", apps.iter().map(|app| self.app(app, &address)).collect()),
        ])
    }

    fn app(&self, app: &'static App, address: &str) -> Data<'a> {
        let [letter, colour, logo] = self.tile(app.name, service_named(app.name));
        let url = app.link.link_to(address).into();
        Data::from([("name", app.name.into()), ("url", url), letter, colour, logo])
    }

    fn method(&self, method: &'a SubscribeMethod) -> Data<'a> {
        let [letter, colour, logo] = self.tile(&method.name, service_of_method(method));
        let image = self.ways.image(method).into();
        let (name, url) = (Data::from(&method.name), Data::from(&method.url));
        Data::from([("name", name), ("url", url), ("image", image), letter, colour, logo])
    }

    /// Returns the data of a service's tile: its logo, and the letter that replaces a missing logo.
    fn tile(&self, name: &str, service: Option<&Service>) -> [(&'static str, Data<'a>); 3] {
        let letter = name.chars().find(|c| c.is_alphanumeric());
        let letter = letter.map_or_else(String::new, |letter| letter.to_uppercase().collect());
        let logo = service.and_then(Service::logo);
        let logo = logo.map(|logo| self.shared.config.root_path(&logo.path()));
        let colour = service.map(Service::colour);
        [("letter", letter.into()), ("colour", colour.into()), ("logo", logo.into())]
    }
}

object!(impl SubscribeData<'a>, |this| {
    "address" => this.address(),
    "rss_address" => this.ways.rss(),
    "json_address" => this.ways.json(),
    "is_podcast" => this.shared.is_podcast,
    "own" => {
        let own: Vec<Data<'a>> = this.ways.own().map(|method| this.method(method)).collect();
        own.into_iter().collect::<Data<'a>>()
    },
    "groups" => {
        let groups: Vec<Data<'a>> = this.ways.groups().map(|(group, apps)| this.group(group, &apps)).collect();
        groups.into_iter().collect::<Data<'a>>()
    },
    "qr" => QrData::of(&this.address()),
});

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

//! Social cards as pictures in pages and feeds.

use crate::inputs::{Said, Shared, ShownClip};
use crate::social_cards::{CardSubject, SiteCards};
use model::podcast::PodcastImage;
use model::{CARD_HEIGHT, CARD_WIDTH, Image, SocialCard};

/// Returns the card of a page as a picture in its metadata. The query of the address changes with
/// the card, because social networks cache a picture by its address.
pub fn card_image(shared: &Shared<'_>, subject: CardSubject<'_>) -> Option<Image> {
    let config = shared.config;
    let is_original = subject.is_original(config);
    let cards = if is_original { shared.original_cards } else { shared.cards };
    let card = cards?.card(subject)?;
    let is_named = !card.title.is_empty() && !matches!(subject, CardSubject::Home);
    let path = SiteCards::path(&card, subject);
    let url = if is_original { config.root_url(&path) } else { config.url(&path) };
    Some(image(shared, &card, &url, is_named))
}

/// Returns the card of a clip as a picture in its metadata.
pub fn clip_card_image(shared: &Shared<'_>, shown: &ShownClip<'_>, said: &[Said]) -> Option<Image> {
    let card = shown.card(said, shared.recordings)?;
    let url = shared.config.url(&shown.card_path(&card));
    Some(image(shared, &card, &url, true))
}

fn image(shared: &Shared<'_>, card: &SocialCard<'_>, url: &str, is_named: bool) -> Image {
    Image {
        url: format!("{url}?{:08x}", card.key() & 0xffff_ffff),
        mime_type: Some(if card.extension() == "jpg" { "image/jpeg" } else { "image/png" }.into()),
        width: Some(CARD_WIDTH),
        height: Some(CARD_HEIGHT),
        alt: Some(if is_named {
            format!("{} – {}", card.title, card.name)
        } else {
            shared.title().into()
        }),
    }
}

/// Returns the card of a page as a picture for podcast apps, unless `own` pictures serve the same
/// purpose.
pub fn podcast_image(
    shared: &Shared<'_>,
    subject: CardSubject<'_>,
    own: &[PodcastImage],
) -> Option<PodcastImage> {
    const PURPOSE: &str = "social";
    let mut purposes = own.iter().filter_map(|image| image.purpose.as_deref());
    if purposes.any(|purpose| purpose.split_whitespace().any(|word| word == PURPOSE)) {
        return None;
    }
    let image = card_image(shared, subject)?;
    Some(PodcastImage {
        href: image.url,
        alt: image.alt,
        purpose: Some(PURPOSE.into()),
        aspect_ratio: Some("40/21".into()),
        width: image.width.map(u64::from),
        height: image.height.map(u64::from),
        media_type: image.mime_type,
    })
}

//! Social cards as pictures in pages and feeds.

use crate::inputs::Shared;
use crate::social_cards::{CardSubject, SiteCards};
use model::podcast::PodcastImage;
use model::{CARD_HEIGHT, CARD_WIDTH, Image};

/// Returns the card of a page as a picture in its metadata. The query of the address changes with
/// the card, because social networks cache a picture by its address.
pub fn card_image(shared: &Shared<'_>, subject: CardSubject<'_>) -> Option<Image> {
    let card = shared.cards?.card(subject)?;
    let path = SiteCards::path(&card, subject);
    let is_named = !card.title.is_empty() && !matches!(subject, CardSubject::Home);
    Some(Image {
        url: format!("{}?{:08x}", shared.config.url(&path), card.key() & 0xffff_ffff),
        mime_type: Some(if card.extension() == "jpg" { "image/jpeg" } else { "image/png" }.into()),
        width: Some(CARD_WIDTH),
        height: Some(CARD_HEIGHT),
        alt: Some(if is_named {
            format!("{} – {}", card.title, card.name)
        } else {
            shared.title().into()
        }),
    })
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

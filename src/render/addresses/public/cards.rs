//! The social cards of a site, by the document that each belongs to.

use super::Public;
use crate::social_cards::{CardSubject, SiteCards};
use model::SocialCard;
use site::Snapshot;

/// The page that a social card belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardOf {
    Home,
    Item(usize),
    /// The indices of an item and of the clip's soundbite.
    Clip(usize, usize),
    Page(usize),
}

impl CardOf {
    /// Returns the page in the snapshot.
    fn subject(self, snapshot: &Snapshot) -> Option<CardSubject<'_>> {
        Some(match self {
            Self::Home => CardSubject::Home,
            Self::Item(at) => CardSubject::Item(&snapshot.entries[at]),
            Self::Clip(at, soundbite) => {
                let entry = &snapshot.entries[at];
                CardSubject::Clip(entry, entry.clip_at(soundbite)?)
            }
            Self::Page(at) => CardSubject::Page(&snapshot.pages[at]),
        })
    }
}

impl<'a> Public<'a> {
    /// Returns the card of a page, if the page has its own. The card of a clip has no words yet.
    pub fn card(&self, of: CardOf) -> Option<SocialCard<'a>> {
        let snapshot = self.snapshot;
        let subject = of.subject(snapshot).filter(|one| !one.is_original(&snapshot.config))?;
        SiteCards::of(&snapshot.config, &snapshot.channel, self.theme)?.card(subject)
    }

    /// Returns the path of a social card, if the page has one.
    pub(super) fn card_path(&self, of: CardOf) -> Option<String> {
        Some(SiteCards::path(&self.card(of)?, of.subject(self.snapshot)?))
    }
}

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
    Page(usize),
}

impl CardOf {
    /// Returns the page in the snapshot.
    fn subject(self, snapshot: &Snapshot) -> CardSubject<'_> {
        match self {
            Self::Home => CardSubject::Home,
            Self::Item(at) => CardSubject::Item(&snapshot.entries[at]),
            Self::Page(at) => CardSubject::Page(&snapshot.pages[at]),
        }
    }
}

impl<'a> Public<'a> {
    /// Returns the card of a page, if the page has one.
    pub fn card(&self, of: CardOf) -> Option<SocialCard<'a>> {
        let snapshot = self.snapshot;
        SiteCards::of(&snapshot.config, &snapshot.channel, self.theme)?.card(of.subject(snapshot))
    }

    /// Returns the path of a social card, if the page has one.
    pub(super) fn card_path(&self, of: CardOf) -> Option<String> {
        Some(SiteCards::path(&self.card(of)?, of.subject(self.snapshot)))
    }
}

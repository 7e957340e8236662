//! The inputs of the pages and feeds of the planet: items of feeds from elsewhere.

use super::{FrameInputs, Provider, pages_of};
use model::{PlanetItem, PlanetSource};
use site::paths;
use theme::Slot;

/// A page of the planet.
#[derive(Debug, Hash)]
pub struct PlanetPage<'a> {
    /// The items of the page, newest first.
    pub items: Vec<ShownPlanetItem<'a>>,
    /// All sources.
    pub sources: &'a [PlanetSource],
    /// The page's number, starting at 1.
    pub number: usize,
    /// Number of pages.
    pub count: usize,
    pub frame: FrameInputs<'a>,
}

/// The newest items, for a feed.
#[derive(Debug, Hash)]
pub struct PlanetFeed<'a> {
    pub items: Vec<ShownPlanetItem<'a>>,
    /// Whether the planet also has pages.
    pub has_page: bool,
}

/// An item from elsewhere, with its source.
#[derive(Debug, Clone, Copy, Hash)]
pub struct ShownPlanetItem<'a> {
    pub item: &'a PlanetItem,
    pub source: &'a PlanetSource,
}

impl<'a> Provider<'a> {
    pub fn planet(&self, n: usize) -> PlanetPage<'a> {
        let per_page = self.snapshot.config.feed.items_per_page;
        let planet = &self.snapshot.planet;
        PlanetPage {
            items: self.planet_items((n - 1) * per_page, per_page),
            sources: &planet.sources,
            number: n,
            count: pages_of(planet.items.len(), per_page),
            frame: self.frame_at(Slot::WebPlanet, &paths::planet(n)),
        }
    }

    pub(super) fn planet_feed(&self) -> PlanetFeed<'a> {
        PlanetFeed {
            items: self.planet_items(0, self.snapshot.config.feed.limit),
            has_page: self.public().has_planet(),
        }
    }

    fn planet_items(&self, start: usize, count: usize) -> Vec<ShownPlanetItem<'a>> {
        let planet = &self.snapshot.planet;
        let items = planet.items.iter().skip(start).take(count);
        items.map(|(at, item)| ShownPlanetItem { item, source: &planet.sources[*at] }).collect()
    }
}

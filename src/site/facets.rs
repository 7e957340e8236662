//! Facets: the tags, seasons, authors, albums, series and sections of published items, each with its items.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::item_entry::{Entries, ItemEntry, insert_entry, remove_entry};
use model::{Author, Channel, Config, List, Slug, natural_order};

/// The kind of property that the items of a facet share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FacetKind {
    Tag,
    /// A season of a podcast.
    Season,
    Author,
    Album,
    Series,
    /// A folder of items with `section.md`.
    Section,
}

impl FacetKind {
    pub const ALL: [Self; 6] =
        [Self::Tag, Self::Season, Self::Author, Self::Album, Self::Series, Self::Section];
}

/// A tag, season, author, album, series or section, and the published items that have it.
#[derive(Debug, Clone)]
pub struct Facet {
    /// The name as the facet's first item spells it, or an album's title. A season's name may be
    /// empty.
    pub name: String,
    /// The segment of the facet's public path; for a season its number.
    pub slug: String,
    /// The facet's items, in feed order.
    pub entries: Entries,
}

/// All facets, sorted by slug. Names that differ only in case or punctuation belong to the same
/// facet.
#[derive(Debug, Clone, Default)]
pub struct Facets {
    lists: [List<Arc<Facet>>; FacetKind::ALL.len()],
    /// The channel's authors, who also count as the authors of items without authors.
    channel: ChannelAuthors,
}

/// The slugs and names of the channel's authors.
type ChannelAuthors = Vec<(Slug, String)>;

/// The slugs of an entry's facets, each with its name as the entry spells it.
type FacetNames<'e> = Vec<(Cow<'e, str>, Option<&'e str>)>;

impl Facet {
    /// Returns the items in the [order](series_order) of a series.
    pub fn parts(&self) -> Vec<Arc<ItemEntry>> {
        let mut parts: Vec<Arc<ItemEntry>> = self.entries.iter().cloned().collect();
        parts.sort_by(|one, other| series_order(one, other));
        parts
    }
}

/// Compares two parts of a series: by part number, then by date, and then by file name.
pub fn series_order(one: &ItemEntry, other: &ItemEntry) -> Ordering {
    let place = |entry: &ItemEntry| {
        let series = entry.item.series.as_ref();
        let number = series.and_then(|series| series.part).unwrap_or(u32::MAX);
        (number, entry.item.date_published)
    };
    let files = [one, other].map(|entry| entry.item.source.as_str());
    place(one)
        .cmp(&place(other))
        .then_with(|| natural_order(files[0], files[1]))
        .then_with(|| files[0].cmp(files[1]))
}

impl Facets {
    pub fn of(config: &Config, published: &Entries, channel: &Channel) -> Self {
        let channel = channel_authors(channel);
        let list = |kind| gathered(published, kind, (config, &channel));
        Self { lists: FacetKind::ALL.map(list), channel }
    }

    /// Returns the facets after the entries `gone` were replaced by `new`.
    pub fn changed(
        &self,
        config: &Config,
        (published, channel): (&Entries, &Channel),
        (gone, new): (&[Arc<ItemEntry>], &[Arc<ItemEntry>]),
    ) -> Self {
        let channel = channel_authors(channel);
        let list = |kind: FacetKind| {
            if kind == FacetKind::Author && channel != self.channel {
                return gathered(published, kind, (config, &channel));
            }
            let mut change = FacetUpdate {
                config,
                kind,
                channel: &channel,
                facets: self.lists[kind as usize].clone(),
                touched: BTreeSet::new(),
            };
            gone.iter().for_each(|entry| change.apply_to_each(entry, remove_entry));
            new.iter().for_each(|entry| change.apply_to_each(entry, insert_entry));
            change.finish()
        };
        Self { lists: FacetKind::ALL.map(list), channel }
    }

    pub fn all(&self, kind: FacetKind) -> &List<Arc<Facet>> {
        &self.lists[kind as usize]
    }

    /// Returns the index of the facet with this slug.
    pub fn position(&self, kind: FacetKind, slug: &str) -> Option<usize> {
        let all = self.all(kind);
        all.binary_search_by(|facet| facet.slug.as_str().cmp(slug)).ok()
    }
}

fn channel_authors(channel: &Channel) -> ChannelAuthors {
    let slug = |author: &Author| Some((Slug::from_title(&author.name)?, author.name.clone()));
    channel.authors.iter().filter_map(slug).collect()
}

fn gathered(
    published: &Entries,
    kind: FacetKind,
    site: (&Config, &ChannelAuthors),
) -> List<Arc<Facet>> {
    /// A facet's name and its items.
    type Named<'a> = (Option<&'a str>, Vec<Arc<ItemEntry>>);
    let mut facets: HashMap<Cow<'_, str>, Named<'_>> = HashMap::new();
    for entry in published {
        for (slug, name) in facet_names(kind, entry, site) {
            let (known, entries) = facets.entry(slug).or_default();
            *known = known.or(name);
            if !entries.last().is_some_and(|last| Arc::ptr_eq(last, entry)) {
                entries.push(Arc::clone(entry));
            }
        }
    }
    let facets = facets.into_iter().map(|(slug, (name, entries))| Facet {
        name: name.unwrap_or_default().to_owned(),
        slug: slug.into_owned(),
        entries: entries.into(),
    });
    let mut facets: Vec<Arc<Facet>> = facets.map(Arc::new).collect();
    facets.sort_by(|a, b| a.slug.cmp(&b.slug));
    facets.into()
}

fn facet_names<'e>(
    kind: FacetKind,
    entry: &'e ItemEntry,
    (config, channel): (&'e Config, &'e ChannelAuthors),
) -> FacetNames<'e> {
    let slugs = |names: &mut dyn Iterator<Item = &'e str>, slugs: &'e [Option<Slug>]| {
        let slugs = slugs.iter().map(|slug| slug.as_ref().map(Slug::as_str));
        let named = names.zip(slugs);
        named.filter_map(|(name, slug)| Some((Cow::from(slug?), Some(name)))).collect()
    };
    // The shows of a network have tags and authors in common. All else belongs to one show.
    if !entry.mount.is_empty() && !matches!(kind, FacetKind::Tag | FacetKind::Author) {
        return Vec::new();
    }
    match kind {
        FacetKind::Tag => slugs(&mut entry.item.tags.iter().map(|tag| &**tag), &entry.tags),
        FacetKind::Season => {
            let number = entry.item.season().map(|number| number.to_string().into());
            let season = entry.item.podcast.season.as_ref();
            let name = season.and_then(|season| season.name.as_deref());
            number.into_iter().map(|number| (number, name)).collect()
        }
        FacetKind::Series => {
            let series = entry.item.series.as_ref();
            let named = series.and_then(|series| Some((series, Slug::from_tag(&series.name)?)));
            let named = named.into_iter();
            named.map(|(series, slug)| (slug.to_string().into(), Some(&*series.name))).collect()
        }
        FacetKind::Author if entry.item.authors.is_empty() && entry.channel.is_some() => {
            let authors = entry.channel.iter().flat_map(|channel| &channel.authors);
            let slug = |author: &'e Author| Some((Slug::from_title(&author.name)?, author));
            let authors = authors.filter_map(slug);
            authors.map(|(slug, author)| (slug.to_string().into(), Some(&*author.name))).collect()
        }
        FacetKind::Author if entry.item.authors.is_empty() => {
            let authors = channel.iter();
            authors.map(|(slug, name)| (slug.as_str().into(), Some(name.as_str()))).collect()
        }
        FacetKind::Author => {
            let mut names = entry.item.authors.iter().map(|author| author.name.as_str());
            slugs(&mut names, &entry.authors)
        }
        FacetKind::Album => {
            let albums = config.albums.iter().filter(|album| entry.is_in(album));
            albums.map(|album| (album.slug.as_str().into(), Some(&*album.title))).collect()
        }
        FacetKind::Section => {
            let sections = config.sections_of(&entry.item);
            let public = sections.filter(|section| section.is_public);
            public.map(|section| (section.slug.as_str().into(), Some(&*section.title))).collect()
        }
    }
}

/// The facets of one kind, while they are updated.
struct FacetUpdate<'a> {
    config: &'a Config,
    kind: FacetKind,
    channel: &'a ChannelAuthors,
    facets: List<Arc<Facet>>,
    /// The slugs of changed facets.
    touched: BTreeSet<String>,
}

impl FacetUpdate<'_> {
    /// Applies a change to each facet of an entry, if the entry is published.
    fn apply_to_each(
        &mut self,
        entry: &Arc<ItemEntry>,
        change: fn(&Config, &mut Entries, &Arc<ItemEntry>),
    ) {
        if !entry.is_published() {
            return;
        }
        let facet_names = facet_names(self.kind, entry, (self.config, self.channel));
        let slugs: BTreeSet<Cow<'_, str>> = facet_names.into_iter().map(|(slug, _)| slug).collect();
        for slug in slugs {
            let at = self.entry_index(&slug);
            if self.facets.get(at).is_none_or(|facet| facet.slug != slug) {
                let facet = Facet {
                    name: String::new(),
                    slug: slug.clone().into_owned(),
                    entries: List::default(),
                };
                self.facets.insert(at, Arc::new(facet));
            }
            let mut facet = Arc::clone(&self.facets[at]);
            change(self.config, &mut Arc::make_mut(&mut facet).entries, entry);
            self.facets.replace(at, facet);
            self.touched.insert(slug.into_owned());
        }
    }

    fn entry_index(&self, slug: &str) -> usize {
        self.facets.partition_point(|facet| *facet.slug < *slug)
    }

    /// Updates the names of changed facets, and removes facets without items.
    fn finish(mut self) -> List<Arc<Facet>> {
        for slug in std::mem::take(&mut self.touched) {
            let at = self.entry_index(&slug);
            let mut facet = Arc::clone(&self.facets[at]);
            if facet.entries.is_empty() {
                drop(self.facets.remove(at));
                continue;
            }
            let name = self.name_of(&facet);
            if name != facet.name {
                Arc::make_mut(&mut facet).name = name;
                self.facets.replace(at, facet);
            }
        }
        self.facets
    }

    fn name_of(&self, facet: &Facet) -> String {
        let named = facet.entries.iter().find_map(|entry| {
            let mut facet_names =
                facet_names(self.kind, entry, (self.config, self.channel)).into_iter();
            facet_names.find_map(|(slug, name)| name.filter(|_| slug == facet.slug))
        });
        named.unwrap_or_default().to_owned()
    }
}

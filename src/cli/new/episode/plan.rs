//! The order, the numbers, the dates and the addresses of new episodes.

use std::cmp::Ordering;
use std::collections::HashSet;

use jiff::{SignedDuration, Zoned};
use model::content_folder::ITEMS;
use model::{
    Config, ContentFolder, EpisodeNumber, Item, ItemId, SitePath, Slug, folded, natural_order,
};
use source::dates;

use super::super::super::Failure;
use super::Arguments;
use super::recording::Recording;

/// A new episode before it is written.
pub struct Episode {
    pub recording: Recording,
    pub id: ItemId,
    pub slug: String,
    pub title: String,
    pub season: Option<i64>,
    pub number: Option<i64>,
    /// The date for front matter. A draft without a date in its tags has none.
    pub date: Option<String>,
    /// The text file.
    pub path: SitePath,
    /// The language, unless the file's path states it.
    pub language: Option<String>,
    /// Whether the text goes into the folder of the recording, which is already in the site.
    pub is_in_place: bool,
    pub is_draft: bool,
}

/// Puts recordings in order: by number if all have one, or else by date, or else by name.
pub fn sort(recordings: &mut [Recording], config: &Config) {
    let number = |one: &Recording| one.tags.episode.map(|number| (one.tags.season, number));
    let date = |one: &Recording| dates::parse(one.tags.date.as_deref()?, &config.timezone).ok();
    let by_name = |a: &Recording, b: &Recording| natural_order(&a.stem(), &b.stem());
    let have_numbers = recordings.iter().all(|one| number(one).is_some());
    let have_dates = recordings.iter().all(|one| date(one).is_some());
    recordings.sort_by(|a, b| {
        let order = match (have_numbers, have_dates) {
            (true, _) => number(a).cmp(&number(b)),
            (false, true) => date(a).cmp(&date(b)),
            (false, false) => Ordering::Equal,
        };
        order.then_with(|| by_name(a, b))
    });
}

/// The numbers that the show's episodes have.
struct Numbers {
    taken: HashSet<(Option<i64>, i64)>,
    season: Option<i64>,
    is_numbered: bool,
}

impl Numbers {
    fn of<'i>(items: impl Iterator<Item = &'i Item> + Clone) -> Self {
        let next = EpisodeNumber::after(items.clone());
        #[expect(clippy::cast_possible_truncation, reason = "a cast of a float stays in the range")]
        let taken = items.filter_map(|item| Some((item.season(), item.episode()?.floor() as i64)));
        let season = next.and_then(|next| next.season);
        Self { taken: taken.collect(), season, is_numbered: next.is_some() }
    }

    /// Returns the season and the number of the next recording. Without a number in its tags, or if
    /// that number is taken, the numbers of the show or the season continue.
    fn assign(&mut self, recording: &Recording) -> (Option<i64>, Option<i64>) {
        let season = recording.tags.season.map(i64::from).or(self.season);
        let tagged = recording.tags.episode.map(i64::from);
        let tagged = tagged.filter(|number| !self.taken.contains(&(season, *number)));
        let in_season = self.taken.iter().filter(|(own, _)| *own == season);
        let highest = in_season.map(|(_, number)| *number).max().unwrap_or(0);
        let next = highest.checked_add(1).filter(|_| self.is_numbered);
        let number = tagged.or(next);
        self.taken.extend(number.map(|number| (season, number)));
        self.is_numbered |= number.is_some();
        self.season = season;
        (season, number)
    }
}

/// Plans the episodes of recordings that are in order. Returns an error if an address is taken.
pub fn plan<'i>(
    recordings: Vec<Recording>,
    items: impl Iterator<Item = &'i Item> + Clone,
    arguments: &Arguments,
    (folder, extension, config): (&str, &str, &Config),
) -> Result<Vec<Episode>, Failure> {
    let mut taken = super::super::item::taken_slugs(items.clone());
    let mut numbers = Numbers::of(items);
    let now = edit::current_time(&config.timezone);
    let count = recordings.len();
    let parents: Vec<Option<String>> = recordings.iter().map(parent_in_site).collect();
    let is_alone =
        |parent: &str| parents.iter().flatten().filter(|own| *own == parent).count() == 1;
    let place = |(at, recording): (usize, Recording)| {
        let title = arguments.title.clone().unwrap_or_else(|| recording.title());
        let id = edit::new_id();
        let slug = Slug::from_title(&title).map_or_else(|| id.to_string(), |slug| slug.to_string());
        if !taken.insert(folded(&slug).into_owned()) {
            let advice =
                if count == 1 { "set another --title" } else { "add it alone, with --title" };
            return Err(Failure::Usage(format!(
                "{}: another item has the slug {slug:?}; {advice}",
                recording.path.display()
            )));
        }
        let (season, number) = numbers.assign(&recording);
        // Episodes of the same moment keep their order.
        let later = i64::try_from(count - 1 - at).unwrap_or_default();
        let now = now.checked_sub(SignedDuration::from_secs(later)).unwrap_or_else(|_| now.clone());
        let date = date(&recording, &now, config, arguments.draft);
        let (own, is_draft) = (parent_in_site(&recording), arguments.draft);
        let path = match &own {
            Some(parent) if is_alone(parent) && !has_texts(&recording) && !is_items(parent) => {
                format!("{parent}/index.{extension}")
            }
            Some(parent) => format!("{parent}/{slug}.{extension}"),
            None => format!("{folder}/{slug}/index.{extension}"),
        };
        let path = SitePath::parse(&path);
        let path =
            path.ok_or_else(|| Failure::Usage(format!("the slug {slug:?} cannot be a file name")))?;
        Ok(Episode {
            recording,
            id,
            slug,
            title,
            season,
            number,
            date,
            is_in_place: own.is_some(),
            is_draft,
            language: edit::unstated_language(
                &config.languages,
                &path,
                arguments.language.as_deref(),
            )
            .map(str::to_owned),
            path,
        })
    };
    recordings.into_iter().enumerate().map(place).collect()
}

/// Returns the folder of a recording that is already in the folder of the items.
fn parent_in_site(recording: &Recording) -> Option<String> {
    let parent = recording.in_site.as_ref()?.parent()?;
    let is_below = is_items(parent) || ContentFolder::inner(ITEMS, parent).is_some();
    is_below.then(|| parent.to_owned())
}

/// Returns whether a folder is the folder `items` of the site or of a show.
fn is_items(folder: &str) -> bool {
    ContentFolder::split(folder).is_some_and(|(_, inner)| inner == ITEMS)
}

/// Returns whether the folder of a recording has the texts of items.
fn has_texts(recording: &Recording) -> bool {
    let entries = recording.path.canonicalize().ok();
    let entries = entries.and_then(|path| std::fs::read_dir(path.parent()?).ok());
    let is_text = |path: &std::path::Path| path.extension().is_some_and(|own| own == "md");
    let has_index =
        |path: &std::path::Path| path.file_name().is_some_and(|own| own == "index.html");
    entries.into_iter().flatten().flatten().any(|entry| {
        let path = entry.path();
        is_text(&path) || has_index(&path)
    })
}

/// Returns the day or the time in the tags, or else the current time.
fn date(recording: &Recording, now: &Zoned, config: &Config, is_draft: bool) -> Option<String> {
    let tagged = recording.tags.date.as_deref().filter(|text| text.len() >= "2026-11-20".len());
    if let Some(day) = tagged.and_then(dates::day) {
        return Some(day.to_string());
    }
    let time = tagged.and_then(|text| dates::parse(text, &config.timezone).ok());
    match time {
        Some(time) => Some(edit::written(&time.to_zoned(config.timezone.clone()))),
        None => (!is_draft).then(|| edit::written(now)),
    }
}

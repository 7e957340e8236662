//! What happens to a site between two builds.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::sources::{SOURCES, Source};

/// The times at which the site is built: dates come between them, and a year ends.
pub const TIMES: [&str; 9] = [
    "2026-06-01T12:00:00Z", "2026-06-01T12:07:00Z", "2026-06-01T12:15:00Z", "2026-06-01T12:31:00Z",
    "2026-06-02T09:00:00Z", "2026-06-02T23:30:00Z", "2026-06-11T00:00:00Z", "2026-12-31T23:30:00Z",
    "2027-01-01T00:30:00Z",
];

/// Something that an author, a program or time does.
#[derive(Debug, Clone)]
pub enum Change {
    /// A part of a source says something else.
    EditPart {
        source: usize,
        part: usize,
        text: usize,
        saved: SaveMethod,
    },
    /// A source lies elsewhere, or nowhere.
    MoveSource {
        source: usize,
        path: usize,
    },
    /// All sources are as they were at the last build but one.
    Return,
    /// A source was written another time, and says the same.
    Touch(usize),
    /// The clock shows one of [`TIMES`].
    Time(usize),
    Drafts(bool),
    Future(bool),
    /// The site is built for another address, as a preview is, or for its own.
    Preview(bool),
    /// The site's folder has another name.
    Move,
    /// Everything so far is committed.
    Commit,
    /// The site is built into another folder as well.
    Aside,
    /// Longer than it takes until a file's time tells it from a later version.
    Wait,
    /// Something happens to what earlier builds wrote.
    Output(Damage, Index),
    /// Something happens to the local state. The next build follows at once.
    State(Damage, Index),
}

/// How a program saves a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SaveMethod {
    InPlace,
    /// Another file takes its place.
    Replaced,
    /// With the time that it had, as `cp -p` does.
    WithItsTime,
}

/// What happens to a file of the program's.
#[derive(Debug, Clone, Copy)]
pub enum Damage {
    Gone,
    Empty,
    /// The part after a place is missing.
    CutOff(Index),
    /// The folder that it lies in is gone, or everything.
    FolderGone,
    EverythingGone,
}

/// The changes between two builds.
pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop_oneof![
        4 => change().prop_map(|change| vec![change]),
        1 => proptest::collection::vec(change(), 2..5),
    ]
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        24 => edit_part(),
        4 => move_source(),
        1 => Just(Change::Return),
        1 => (0..SOURCES.len()).prop_map(Change::Touch),
        6 => (0..TIMES.len()).prop_map(Change::Time),
        1 => any::<bool>().prop_map(Change::Drafts),
        1 => any::<bool>().prop_map(Change::Future),
        1 => any::<bool>().prop_map(Change::Preview),
        1 => Just(Change::Move),
        1 => Just(Change::Commit),
        1 => Just(Change::Aside),
        2 => Just(Change::Wait),
        2 => (harm(), any::<Index>()).prop_map(|(harm, file)| Change::Output(harm, file)),
        1 => (harm(), any::<Index>()).prop_map(|(harm, file)| Change::State(harm, file)),
    ]
}

/// Items change more often than others.
fn edit_part() -> impl Strategy<Value = Change> {
    let saved = prop_oneof![
        6 => Just(SaveMethod::InPlace),
        1 => Just(SaveMethod::Replaced),
        1 => Just(SaveMethod::WithItsTime),
    ];
    let part = prop_oneof![
        2 => select(parts_in_folder("content/items/")),
        1 => select(parts_in_folder("content/")),
        1 => select(parts_in_folder("")),
    ];
    (part, any::<Index>(), saved).prop_map(|((source, part), text, saved)| Change::EditPart {
        source,
        part,
        text: text.index(SOURCES[source].parts[part].len()),
        saved,
    })
}

/// The parts with a choice of sources that lie below a folder at least at times.
fn parts_in_folder(folder: &str) -> Vec<(usize, usize)> {
    let sources = SOURCES.iter().enumerate();
    let below = |source: &Source| source.paths.iter().any(|path| path.starts_with(folder));
    let sources = sources.filter(|(_, source)| below(source));
    let parts = |(at, source): (usize, &'static Source)| {
        let parts = source.parts.iter().enumerate();
        let parts = parts.filter(|(_, part)| part.len() > 1);
        parts.map(move |(part, _)| (at, part))
    };
    sources.flat_map(parts).collect()
}

fn move_source() -> impl Strategy<Value = Change> {
    let sources = 0..SOURCES.len();
    let movable: Vec<usize> = sources.filter(|source| SOURCES[*source].paths.len() > 1).collect();
    (select(movable), any::<Index>()).prop_map(|(source, path)| Change::MoveSource {
        source,
        path: path.index(SOURCES[source].paths.len()),
    })
}

fn harm() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => Just(Damage::Gone),
        2 => Just(Damage::Empty),
        4 => any::<Index>().prop_map(Damage::CutOff),
        2 => Just(Damage::FolderGone),
        1 => Just(Damage::EverythingGone),
    ]
}

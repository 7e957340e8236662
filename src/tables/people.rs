//! `site.people`: everyone who takes part (`podcast:person`).

use warehouse::Type;

use super::column::{Column, column, fields, number, optional_text, required, text};
use super::{Live, SiteTables};
use model::podcast::Person;

pub(super) const TABLE: Live = Live {
    name: "people",
    about: "The people of the show and of each item.",
    fields: || fields(columns()),
    fill: |site, into| into.write(columns(), rows(site)),
};

struct Row<'a> {
    item: Option<&'a str>,
    at: usize,
    person: &'a Person,
}

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    let channel = (None, &site.snapshot.channel.podcast.shared.people);
    let items = site.snapshot.entries.iter().map(|entry| {
        let id = entry.item.id.as_str();
        (Some(id), &entry.item.podcast.shared.people)
    });
    [channel].into_iter().chain(items).flat_map(|(item, people)| {
        let people = people.iter().enumerate();
        people.map(move |(at, person)| Row { item, at, person })
    })
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Integer, String};
    vec![
        column("item_id", String, "Id of the item; NULL for the show itself.", |row: &Row<'_>| {
            optional_text(row.item)
        }),
        required("number", Integer, "Position in the item's list, from 1.", |row| {
            number(Some(row.at + 1))
        }),
        required("name", String, "Name.", |row| text(&row.person.name)),
        required("role", String, "Role in the Podcast Taxonomy; host by default.", |row| {
            text(row.person.role.as_deref().unwrap_or("host"))
        }),
        required(
            "role_group",
            String,
            "Role's group in the Podcast Taxonomy; cast by default.",
            |row| text(row.person.group.as_deref().unwrap_or("cast")),
        ),
        column("href", String, "Page about the person.", |row| {
            optional_text(row.person.href.as_deref())
        }),
        column("img", String, "Address of the person's picture.", |row| {
            optional_text(row.person.img.as_deref())
        }),
    ]
}

//! Podcast tags for people, places and licences.

use borsh::{BorshDeserialize, BorshSerialize};

use super::vocabulary;
use crate::declare::records;
use crate::named::words;
use crate::place::{GEO, OSM};
use crate::shape::Form;

records! {
    /// `podcast:person`: a person who takes part.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Person = "podcast:person" {
        /// Full name or alias, 1 to 128 characters.
        Required name: String = "name", Text(128), content, alone;
        /// Role from the Podcast Taxonomy; apps use `host` when left out.
        Optional role: Option<String> = "role", Known(128, "the Podcast Taxonomy", vocabulary::roles);
        /// Group from the Podcast Taxonomy; apps use `cast` when left out.
        Optional group: Option<String> = "group", Known(128, "the Podcast Taxonomy", vocabulary::groups);
        /// Absolute URL of a picture of the person.
        Optional img: Option<String> = "img", Address;
        /// Page about the person.
        Optional href: Option<String> = "href", Url;
    }

    /// `podcast:license`: what others may do with the media.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    License = "podcast:license" {
        /// Identifier of a known licence, or the name of a custom one; at most 128 characters.
        Required identifier: String = "identifier", Text(128), content, alone;
        /// Address of the licence's text. It is always present if the specification does not list
        /// the identifier.
        Optional url: Option<String> = "url", Address;
    }

    /// `podcast:location`: a place.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Location = "podcast:location" {
        /// Name of the place, for people; 1 to 128 characters.
        Required name: String = "name", Text(128), content, alone;
        /// Relation of the place to the content; apps use `subject` when left out.
        Optional rel: Option<LocationRel> = "rel", Word(LocationRel::NAMES);
        /// Geo URI (RFC 5870), such as `geo:48.858093,2.294694`.
        Optional geo: Option<String> = "geo", Form(&GEO);
        /// OpenStreetMap object, such as `R113314`.
        Optional osm: Option<String> = "osm", Form(&OSM);
        /// Country code (ISO 3166-1 alpha-2).
        Optional country: Option<String> = "country", Form(&COUNTRY);
    }
}

words! {
    /// Relation of a [`Location`] to the content.
    #[derive(BorshDeserialize, BorshSerialize)]
    LocationRel {
        /// The content is about the place.
        Subject = "subject",
        /// The content was made at the place.
        Creator = "creator",
    }
}

/// Form of a country code.
const COUNTRY: Form = Form {
    max: 256,
    name: "a country's code",
    help: "write its two capital letters of ISO 3166-1, as in \"GB\"",
    example: "GB",
    is_valid: vocabulary::is_country,
    pattern: None,
};

//! Who, where, and under which licence.

use borsh::{BorshDeserialize, BorshSerialize};

use super::vocabulary;
use crate::declare::records;
use crate::named::words;
use crate::place::{GEO, OSM};
use crate::shape::Form;

records! {
    /// `podcast:person`: someone who takes part.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Person = "podcast:person" {
        /// The full name or alias, 1 to 128 characters.
        Required name: String = "name", Text(128), content, alone;
        /// A role of the Podcast Taxonomy; apps take `host` where it is missing.
        Optional role: Option<String> = "role", Known(128, "the Podcast Taxonomy", vocabulary::roles);
        /// A group of the Podcast Taxonomy; apps take `cast` where it is missing.
        Optional group: Option<String> = "group", Known(128, "the Podcast Taxonomy", vocabulary::groups);
        /// The absolute URL of a picture.
        Optional img: Option<String> = "img", Address;
        /// A page about them.
        Optional href: Option<String> = "href", Url;
    }

    /// `podcast:license`: what others may do with the media.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    License = "podcast:license" {
        /// A known licence's identifier, or the name of one's own; at most 128 characters.
        Required identifier: String = "identifier", Text(128), content, alone;
        /// Its text. Always there where the identifier is not in the specification's list.
        Optional url: Option<String> = "url", Address;
    }

    /// `podcast:location`: a place.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Location = "podcast:location" {
        /// The place's name, for people; 1 to 128 characters.
        Required name: String = "name", Text(128), content, alone;
        /// What the place is to the content; apps take `subject` where it is missing.
        Optional rel: Option<LocationRel> = "rel", Word(LocationRel::NAMES);
        /// A geo URI (RFC 5870), such as `geo:48.858093,2.294694`.
        Optional geo: Option<String> = "geo", Form(&GEO);
        /// An OpenStreetMap object, such as `R113314`.
        Optional osm: Option<String> = "osm", Form(&OSM);
        /// A country's code (ISO 3166-1 alpha-2).
        Optional country: Option<String> = "country", Form(&COUNTRY);
    }
}

words! {
    /// What a [`Location`] is to the content.
    #[derive(BorshDeserialize, BorshSerialize)]
    LocationRel {
        /// What the content is about.
        Subject = "subject",
        /// Where it was made.
        Creator = "creator",
    }
}

/// A country.
const COUNTRY: Form = Form {
    most: 256,
    name: "a country's code",
    help: "write its two capital letters of ISO 3166-1, as in \"GB\"",
    example: "GB",
    is_valid: vocabulary::is_country,
    pattern: None,
};

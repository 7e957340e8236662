//! The documents of a site, as visitors get them.

mod addresses;
mod albums;
mod authors;
mod breadcrumbs;
mod documents;
mod embeds;
mod excerpts;
mod internal_links;
mod item_navigation;
mod lead_item;
mod lookup;
mod machine_readers;
mod page_tree;
mod photo_facts;
mod podcast_tags;
mod redirects_and_drafts;
mod seasons;
mod series;
mod social_cards;
mod subscribe;
mod transcript_pages;
mod translations;

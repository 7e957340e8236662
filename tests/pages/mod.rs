//! The documents of a site, as visitors get them.

mod addresses;
mod authors;
mod breadcrumbs;
mod documents;
mod embeds;
mod excerpts;
mod lead_item;
mod lookup;
mod own_paths;
mod page_tree;
mod redirects_and_drafts;
mod seasons;
mod shown;
mod subscribe;
mod transcript_pages;
mod translations;
mod ways_on;

//! Public views of the feed and its items: JSON Feed 1.1, with an extension for fields that JSON
//! Feed does not define. JSON Feed documents and the API are written from these views. Templates
//! read the same data.

mod feed;
mod item;
pub(super) mod json_text;
pub(super) mod numbers;
mod parts;

pub use feed::{
    FeedEnvelope, FeedView, JSON_FEED_VERSION, Neighbours, copyright, feed, subscribe_methods,
    title,
};
pub use item::{
    AttachmentView, ItemView, TranslationView, attachment_view, banner_image, external_url,
    in_document, item, link, seconds,
};

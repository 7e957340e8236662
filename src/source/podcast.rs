//! stub
use super::fields::Fields;
use crate::model::podcast::{ChannelPodcast, ItemPodcast};
/// stub
pub fn channel_podcast(_: &Fields<'_, '_>) -> ChannelPodcast {
    ChannelPodcast::default()
}
/// stub
pub fn item_podcast(_: &Fields<'_, '_>) -> ItemPodcast {
    ItemPodcast::default()
}

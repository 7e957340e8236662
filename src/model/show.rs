//! The settings of a show in a network of shows: `shows/<name>/show.toml`.

use super::addresses::ADDRESSES;
use super::album::ALBUM;
use super::config::HOSTING;
use super::declare::keys;
use super::deploy::DEPLOY;
use super::output_config::{FeedConfig, OutputConfig};
use super::social_card::SocialConfig;

keys! {
    /// Keys of `shows/<name>/show.toml`. A table replaces the table of `site.toml` with the same name.
    SHOW {
        /// public address of a show [published on its own](#own-address)
        Optional "base_url", Own("address", &[Plain]);
        /// path below which the show is published, such as `/walks/`
        Optional "path", Own("path", &[Plain]), left_out("`/<name>/`");
        /// feeds, and pages that list items
        Optional "feed", Own("table", &[Keys(FeedConfig::SHAPE)]);
        /// kinds of document to write
        Optional "output", Own("table", &[Keys(OutputConfig::SHAPE)]);
        /// addresses of the show's items, below its path
        Optional "addresses", Own("table", &[Keys(ADDRESSES)]);
        /// [defaults](sections.md#defaults) of front matter by folder
        Optional "defaults", Own("table", &[Each(&[Anything])]), example("{ notes = {} }");
        /// albums of photos
        Optional "albums", Own("list of tables", &[Keys(ALBUM)]), listed;
        /// pages on social networks
        Optional "social", Own("table", &[Keys(SocialConfig::SHAPE)]);
        /// hosts of a show with `base_url`
        Optional "hosting", Own("table", &[Keys(HOSTING)]);
        /// destination of a show with `base_url`
        Optional "deploy", Own("table", &[Keys(DEPLOY)]);
        /// options of the theme, in place of the site's values
        Optional "theme_options", Own("table", &[Anything]);
        /// custom words of the show's interface
        Optional "words", Own("table", &[Each(&[Anything])]);
    }
}

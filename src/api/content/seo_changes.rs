//! What of a file's `seo` table has to change, its social picture included.

use serde_json::{Value, json};

use super::changes::FileChanges;
use super::input::Patch;
use super::json_values::plain;
use super::shared_inputs::{SeoInput, SocialImageInput};
use crate::api::shared::{ApiError, as_held};

impl FileChanges<'_> {
    /// `seo`. Fields left out stay, null restores the default, and a null `seo` sets all of it to null.
    pub fn seo(&mut self, seo: &Patch<SeoInput>) -> Result<(), ApiError> {
        let seo = match seo {
            Patch::Omitted => return Ok(()),
            Patch::Null => {
                self.remove_all(&["seo"]);
                return Ok(());
            }
            Patch::Value(seo) => seo,
        };
        self.text(&self.at("seo/title"), &["seo", "title"], &seo.title);
        self.text(
            &self.at("seo/description"),
            &["seo", "description"],
            &seo.description,
        );
        let shown = self.shown_as::<SocialImageInput>(&self.at("seo/social_image"));
        match &seo.social_image {
            Patch::Value(image) if shown.as_ref() == Some(image) => {}
            Patch::Value(image) => {
                let read = shown.filter(|shown| shown.url == image.url);
                let is_read = read.is_some();
                let read = read.or_else(|| self.own_picture(&image.url));
                image.check(&self.named("seo.social_image"), read.as_ref())?;
                let declared = self.social_image(image, is_read);
                self.set(&["seo", "social_image"], declared);
            }
            Patch::Null => self.remove(&["seo", "social_image"]),
            Patch::Omitted => {}
        }
        Ok(())
    }

    /// A picture as front matter. `is_read`: it is the one that the file names, however it spells it.
    fn social_image(&self, image: &SocialImageInput, is_read: bool) -> Value {
        let held = self.held_social_image().filter(|_| is_read);
        let path = held.unwrap_or_else(|| self.own.path(&image.url));
        let is_file = self
            .own
            .reference(self.source, &path)
            .is_some_and(|reference| reference.facts().is_some());
        match (&image.alt, is_file) {
            (None, true) => path.into(),
            (Some(alt), true) => json!({ "url": path, "alt": alt }),
            (_, false) => {
                let mut value = plain(image);
                value["url"] = path.into();
                value
            }
        }
    }

    /// A picture of this site as the API shows it. None if it is not one.
    fn own_picture(&self, url: &str) -> Option<SocialImageInput> {
        let reference = self.own.reference(self.source, &self.own.path(url))?;
        let (width, height) = reference.facts()?.dimensions?;
        Some(SocialImageInput {
            url: url.to_owned(),
            width: Some(width),
            height: Some(height),
            mime_type: Some(reference.media_type()),
            alt: None,
        })
    }

    /// The path or URL of the social picture as the file has it.
    fn held_social_image(&self) -> Option<String> {
        let front_matter::Value::Table(seo) = &self.table.get("seo")?.value else {
            return None;
        };
        match as_held(seo.get("social_image")?) {
            Value::String(path) => Some(path),
            picture => picture["url"].as_str().map(str::to_owned),
        }
    }
}

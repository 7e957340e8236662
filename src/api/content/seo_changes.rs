//! Computes the changes to a file's `seo` table, including its social picture.

use serde_json::{Value, json};

use super::changes::FileChanges;
use super::input::Patch;
use super::json_values::to_plain_json;
use super::shared_inputs::SeoInput;
use api_shared::{ApiError, to_json_value};
use model::Image;
use model::sent::Sent;

impl FileChanges<'_> {
    /// Sets `seo`. Omitted fields keep their values, null restores a field's default, and null for
    /// `seo` removes the whole table.
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
        self.text(&self.at("seo/description"), &["seo", "description"], &seo.description);
        let shown = self.current_value::<Sent<Image>>(&self.at("seo/social_image"));
        match &seo.social_image {
            Patch::Value(image) if shown.as_ref() == Some(image) => {}
            Patch::Value(image) => {
                let image = &image.0;
                let read = shown.map(|shown| shown.0);
                let read = read.filter(|shown| shown.url == image.url);
                let is_read = read.is_some();
                let read = read.or_else(|| self.site_picture(&image.url));
                self.check(image, &read.unwrap_or_default())?;
                let front_value = self.social_image(image, is_read);
                self.set(&["seo", "social_image"], front_value);
            }
            Patch::Null => self.remove(&["seo", "social_image"]),
            Patch::Omitted => {}
        }
        Ok(())
    }

    /// Checks that a picture has the size and media type that social networks expect. Omitted
    /// fields are not checked. `read` contains the known values of the same picture. These values
    /// are accepted, because the client only sends them back.
    fn check(&self, image: &Image, read: &Image) -> Result<(), ApiError> {
        let invalid = |field: &str, must: &str| {
            Err(ApiError::bad(format!("_service.seo.social_image.{field}: must be {must}")))
        };
        if image.width.is_some_and(|own| own != 1200) && image.width != read.width {
            return invalid("width", "1200");
        }
        if image.height.is_some_and(|own| own != 630) && image.height != read.height {
            return invalid("height", "630");
        }
        match image.mime_type.as_deref() {
            None | Some("image/jpeg" | "image/png") => Ok(()),
            Some(_) if image.mime_type == read.mime_type => Ok(()),
            Some(_) => invalid("mime_type", "image/jpeg or image/png"),
        }
    }

    /// Returns a picture as front matter. If `is_read` is true, the file already contains this
    /// picture, and the path or URL in the file is kept unchanged.
    fn social_image(&self, image: &Image, is_read: bool) -> Value {
        let held = self.current_social_image().filter(|_| is_read);
        let path = held.unwrap_or_else(|| self.own.path(&image.url));
        let is_file = self
            .own
            .reference(self.source, &path)
            .is_some_and(|reference| reference.facts().is_some());
        match (&image.alt, is_file) {
            (None, true) => path.into(),
            (Some(alt), true) => json!({ "url": path, "alt": alt }),
            (_, false) => {
                let mut value = to_plain_json(image);
                value["url"] = path.into();
                value
            }
        }
    }

    /// Returns the properties of a picture on this site. Returns None if the URL is not a picture
    /// on this site.
    fn site_picture(&self, url: &str) -> Option<Image> {
        let reference = self.own.reference(self.source, &self.own.path(url))?;
        let (width, height) = reference.facts()?.dimensions?;
        Some(Image {
            url: url.to_owned(),
            width: Some(width),
            height: Some(height),
            mime_type: Some(reference.media_type()),
            alt: None,
        })
    }

    /// Returns the path or URL of the social picture from the file.
    fn current_social_image(&self) -> Option<String> {
        let front_matter::Value::Table(seo) = &self.table.get("seo")?.value else {
            return None;
        };
        match to_json_value(seo.get("social_image")?) {
            Value::String(path) => Some(path),
            picture => picture["url"].as_str().map(str::to_owned),
        }
    }
}

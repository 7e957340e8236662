//! Pictures in documents, with the sizes that browsers choose from.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use ::pictures::Format;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::inputs::Shared;
use model::pictures::{formats, height_of, media_type, path_of, widths};
use model::push_attribute;
use model::{Body, Image, ImageInfo, MediaFile, Size};
use source::html::{ImageTag, replace_images};

/// The `sizes` attribute of pictures in bodies, for browsers without automatic sizes: the width of
/// the column or screen.
const SIZES_ATTRIBUTE: &str = "(min-width: 48rem) 46rem, 100vw";

/// A picture preceded by fewer bytes of text than this counts as above the fold.
const ABOVE_FOLD_BYTES: usize = 600;

/// A local picture that is published in several sizes.
#[derive(Clone, Copy)]
pub struct ShownPicture<'a> {
    shared: Shared<'a>,
    file: &'a MediaFile,
    pub still: &'a ImageInfo,
}

/// The kind of program that displays a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// Any program, including feed readers and themes that feedwright does not know.
    Anyone,
    /// A theme that shows a picture on top of its placeholder.
    OverlayTheme,
}

impl<'a> ShownPicture<'a> {
    /// Returns the picture at an address, if the picture is in `media` and has sizes for pages.
    pub fn at(shared: &Shared<'a>, media: &'a [MediaFile], address: &str) -> Option<Self> {
        let picture = Self::of(shared, media, address)?;
        (!picture.widths().is_empty()).then_some(picture)
    }

    /// Returns the picture at an address, if the picture is in `media` and may be resized.
    pub fn of(shared: &Shared<'a>, media: &'a [MediaFile], address: &str) -> Option<Self> {
        if !shared.config.images.enabled {
            return None;
        }
        let file = shared.config.medium(media, address)?;
        let still = file.still.as_ref()?;
        Some(Self { shared: *shared, file, still })
    }

    fn address(&self, width: u32, format: Format) -> String {
        // Resized pictures are always on the site itself, even if other media files are on another
        // host.
        let path = path_of(self.file, self.still, Size { width, format });
        self.shared.config.root_url(&path)
    }

    /// Returns one of the picture's sizes as an image.
    pub fn in_size(&self, size: Size, image: &Image) -> Image {
        let Size { width, format } = size;
        Image {
            url: self.address(width, format),
            mime_type: Some(media_type(format).into()),
            width: Some(width),
            height: Some(height_of(self.still, width)),
            alt: image.alt.clone(),
        }
    }

    /// Returns the formats. The last one works in every program.
    fn formats(&self) -> Vec<Format> {
        formats(self.still, &self.shared.config.images).collect()
    }

    fn widths(&self) -> Vec<u32> {
        widths(self.still, &self.shared.config.images)
    }

    /// Returns the address of the widest size in the format that works in every program.
    pub fn src(&self) -> String {
        let widest = self.widths().last().copied();
        let format = self.formats().last().copied();
        widest.zip(format).map_or_else(String::new, |(width, format)| self.address(width, format))
    }

    /// Returns the narrowest size with at least this width, or else the widest size. Programs
    /// without WebP support can show this format.
    pub fn portable_size(&self, width: u32) -> Option<Size> {
        let widths = self.widths();
        let found = widths.iter().find(|found| **found >= width);
        let width = *found.or(widths.last())?;
        let format = *self.formats().last()?;
        Some(Size { width, format })
    }

    /// Returns all sizes of a format as a `srcset`.
    fn srcset_of(&self, format: Format) -> String {
        let mut srcset = String::new();
        for width in self.widths() {
            let comma = if srcset.is_empty() { "" } else { ", " };
            let _ = write!(srcset, "{comma}{} {width}w", self.address(width, format));
        }
        srcset
    }

    /// Returns the `srcset` in the format that works in every program.
    pub fn srcset(&self) -> String {
        let last = self.formats().last().copied();
        last.map_or_else(String::new, |format| self.srcset_of(format))
    }

    /// Returns the `srcset` in WebP, if the picture also has another format.
    pub fn webp_srcset(&self) -> Option<String> {
        let formats = self.formats();
        (formats.len() > 1).then(|| self.srcset_of(formats[0]))
    }

    /// Returns the dimensions of the original picture, in pixels.
    pub fn dimensions(&self) -> (u32, u32) {
        (self.still.width, self.still.height)
    }

    /// Returns a data URL of a tiny placeholder, to be shown until the picture has loaded.
    pub fn placeholder_image(&self) -> Option<String> {
        let bytes = self.shared.pictures?.placeholder_image(self.file)?;
        let mut address = String::from("data:image/webp;base64,");
        STANDARD.encode_string(bytes, &mut address);
        Some(address)
    }

    /// Returns an `<img>` from which browsers can choose a size of the picture.
    fn tag(&self, image: &ImageTag<'_>, shows: Viewer) -> String {
        // `auto` needs both width and height. It is left out if the author wrote only one of them.
        let sizes = match image.has {
            [true, false, _] | [false, true, _] => SIZES_ATTRIBUTE.to_owned(),
            _ => format!("auto, {SIZES_ATTRIBUTE}"),
        };
        let mut tag = String::new();
        let webp = self.webp_srcset().filter(|_| shows == Viewer::OverlayTheme);
        let placeholder_image = match shows {
            Viewer::OverlayTheme => self.placeholder_image(),
            Viewer::Anyone => None,
        };
        if let Some(placeholder_image) = &placeholder_image {
            tag.push_str("<span class=\"picture\"><img class=\"stand-in\" src=\"");
            tag.push_str(placeholder_image);
            tag.push_str("\" alt=\"\" aria-hidden=\"true\">");
        }
        if let Some(webp) = &webp {
            tag.push_str("<picture><source type=\"image/webp\" srcset=\"");
            push_attribute(&mut tag, webp);
            let _ = write!(tag, "\" sizes=\"{sizes}\">");
        }
        let (before, after) =
            (&image.written[..image.place.start], &image.written[image.place.end..]);
        tag.push_str(before);
        tag.push('"');
        push_attribute(&mut tag, &self.src());
        tag.push_str("\" srcset=\"");
        push_attribute(&mut tag, &self.srcset());
        let _ = write!(tag, "\" sizes=\"{sizes}\"");
        let [has_width, has_height, has_loading] = image.has;
        if !has_width && !has_height {
            let (width, height) = self.dimensions();
            let _ = write!(tag, " width=\"{width}\" height=\"{height}\"");
        }
        if !has_loading {
            tag.push_str(" loading=\"lazy\"");
        }
        tag.push_str(after);
        if webp.is_some() {
            tag.push_str("</picture>");
        }
        if placeholder_image.is_some() {
            tag.push_str("</span>");
        }
        tag
    }
}

/// Returns a body with several sizes of its pictures, for any program. `media` are the media files
/// of the content file that contains the body.
pub fn body_with_sizes(shared: &Shared<'_>, media: &[MediaFile], body: Arc<Body>) -> Arc<Body> {
    match with_sizes(shared, media, &body.html, Viewer::Anyone) {
        Cow::Borrowed(_) => body,
        Cow::Owned(html) => Arc::new(Body {
            html,
            text: body.text.clone(),
            lead: body.lead.clone(),
            ..Body::default()
        }),
    }
}

/// Returns HTML with several sizes of its pictures. `media` are the media files of the content file
/// that contains the HTML.
pub fn with_sizes<'h>(
    shared: &Shared<'_>,
    media: &[MediaFile],
    html: &'h str,
    shows: Viewer,
) -> Cow<'h, str> {
    if !shared.config.images.enabled || media.iter().all(|file| file.still.is_none()) {
        return html.into();
    }
    let mut is_at_top =
        shows == Viewer::OverlayTheme && html.find("<img").is_some_and(|at| at < ABOVE_FOLD_BYTES);
    let new = replace_images(html, |image| {
        let is_first = std::mem::take(&mut is_at_top);
        let picture = ShownPicture::at(shared, media, &image.src)?;
        let tag = (!image.has_sizes).then(|| picture.tag(image, shows))?;
        // A picture above the fold is not loaded lazily.
        Some(match is_first {
            true => tag.replacen(" loading=\"lazy\"", " fetchpriority=\"high\"", 1),
            false => tag,
        })
    });
    new.map_or(Cow::Borrowed(html), Cow::Owned)
}

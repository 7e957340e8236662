//! Pictures as documents show them: in the sizes that browsers choose from.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use ::pictures::Format;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::inputs::Shared;
use model::pictures::{formats, height_of, media_type, path_of, widths};
use model::push_attribute;
use model::{Body, Image, MediaFile, Size, Still};
use source::html::{ImageTag, replace_images};

/// How wide a picture in a text is shown, for browsers that cannot tell by themselves: as the column, or the screen.
const COLUMN: &str = "(min-width: 48rem) 46rem, 100vw";

/// Bytes of a text before a picture up to which it is on the first screen.
const TOP: usize = 600;

/// A local picture that is published in sizes.
#[derive(Clone, Copy)]
pub struct ShownPicture<'a> {
    shared: Shared<'a>,
    file: &'a MediaFile,
    pub still: &'a Still,
}

/// Who shows a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// Anyone: feeds, themes and readers that we do not know.
    Anyone,
    /// A theme that lays a picture over its stand-in.
    OwnTheme,
}

impl<'a> ShownPicture<'a> {
    /// The picture at an address, if it is one of these media and has sizes for pages.
    pub fn at(shared: &Shared<'a>, media: &'a [MediaFile], address: &str) -> Option<Self> {
        let picture = Self::of(shared, media, address)?;
        (!picture.widths().is_empty()).then_some(picture)
    }

    /// The picture at an address, if it is one of these media and not left as it is.
    pub fn of(shared: &Shared<'a>, media: &'a [MediaFile], address: &str) -> Option<Self> {
        if !shared.config.images.enabled {
            return None;
        }
        let file = shared.config.medium(media, address)?;
        let still = file.still.as_ref()?;
        Some(Self { shared: *shared, file, still })
    }

    fn address(&self, width: u32, format: Format) -> String {
        // The site has them itself, wherever the others are served from.
        let path = path_of(self.file, self.still, Size { width, format });
        self.shared.config.url(&path)
    }

    /// One of its sizes, in place of the picture itself.
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

    /// The formats, with the one that every program shows last.
    fn formats(&self) -> Vec<Format> {
        formats(self.still, &self.shared.config.images).collect()
    }

    fn widths(&self) -> Vec<u32> {
        widths(self.still, &self.shared.config.images)
    }

    /// The widest one that every program shows.
    pub fn src(&self) -> String {
        let widest = self.widths().last().copied();
        let format = self.formats().last().copied();
        widest.zip(format).map_or_else(String::new, |(width, format)| self.address(width, format))
    }

    /// The narrowest size that is at least so wide, or the widest, for programs that may not know WebP.
    pub fn for_everyone(&self, width: u32) -> Option<Size> {
        let widths = self.widths();
        let found = widths.iter().find(|found| **found >= width);
        let width = *found.or(widths.last())?;
        let format = *self.formats().last()?;
        Some(Size { width, format })
    }

    /// All sizes of a format, as a `srcset` has them.
    fn srcset_of(&self, format: Format) -> String {
        let mut srcset = String::new();
        for width in self.widths() {
            let comma = if srcset.is_empty() { "" } else { ", " };
            let _ = write!(srcset, "{comma}{} {width}w", self.address(width, format));
        }
        srcset
    }

    /// The sizes that every program shows.
    pub fn srcset(&self) -> String {
        let last = self.formats().last().copied();
        last.map_or_else(String::new, |format| self.srcset_of(format))
    }

    /// The sizes in WebP, where others come after it.
    pub fn webp_srcset(&self) -> Option<String> {
        let formats = self.formats();
        (formats.len() > 1).then(|| self.srcset_of(formats[0]))
    }

    /// In pixels, of the picture itself.
    pub fn dimensions(&self) -> (u32, u32) {
        (self.still.width, self.still.height)
    }

    /// A tiny picture to be shown until it is there, as an address that holds it.
    pub fn stand_in(&self) -> Option<String> {
        let bytes = self.shared.pictures?.stand_in(self.file)?;
        let mut address = String::from("data:image/webp;base64,");
        STANDARD.encode_string(bytes, &mut address);
        Some(address)
    }

    /// An `<img>` that shows it, in sizes.
    fn tag(&self, image: &ImageTag<'_>, shows: Shows) -> String {
        // A browser that lays it out by itself has to know both.
        let sizes = match image.has {
            [true, false, _] | [false, true, _] => COLUMN.to_owned(),
            _ => format!("auto, {COLUMN}"),
        };
        let mut tag = String::new();
        let webp = self.webp_srcset().filter(|_| shows == Shows::OwnTheme);
        let stand_in = match shows {
            Shows::OwnTheme => self.stand_in(),
            Shows::Anyone => None,
        };
        if let Some(stand_in) = &stand_in {
            tag.push_str("<span class=\"picture\"><img class=\"stand-in\" src=\"");
            tag.push_str(stand_in);
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
        if stand_in.is_some() {
            tag.push_str("</span>");
        }
        tag
    }
}

/// A body with its pictures in sizes, for anyone; `media` are those of its file.
pub fn body_with_sizes(shared: &Shared<'_>, media: &[MediaFile], body: Arc<Body>) -> Arc<Body> {
    match with_sizes(shared, media, &body.html, Shows::Anyone) {
        Cow::Borrowed(_) => body,
        Cow::Owned(html) => {
            Arc::new(Body { html, text: body.text.clone(), lead: body.lead.clone() })
        }
    }
}

/// A text with its pictures in sizes; `media` are those of its file.
pub fn with_sizes<'h>(
    shared: &Shared<'_>,
    media: &[MediaFile],
    html: &'h str,
    shows: Shows,
) -> Cow<'h, str> {
    if !shared.config.images.enabled || media.iter().all(|file| file.still.is_none()) {
        return html.into();
    }
    let mut is_at_top = shows == Shows::OwnTheme && html.find("<img").is_some_and(|at| at < TOP);
    let new = replace_images(html, |image| {
        let is_first = std::mem::take(&mut is_at_top);
        let picture = ShownPicture::at(shared, media, &image.src)?;
        let tag = (!image.has_sizes).then(|| picture.tag(image, shows))?;
        // What a visitor sees first is not waited for.
        Some(match is_first {
            true => tag.replacen(" loading=\"lazy\"", " fetchpriority=\"high\"", 1),
            false => tag,
        })
    });
    new.map_or(Cow::Borrowed(html), Cow::Owned)
}

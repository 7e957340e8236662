//! Pictures in template contexts, with the sizes that browsers choose from.

use mustache::{Data, object};

use crate::inputs::Shared;
use crate::pictures::shown::ShownPicture;
use model::MediaFile;
use model::pictures::rounded_ratio;

struct PictureData<'a>(ShownPicture<'a>);

object!(impl PictureData<'a>, |this| {
    "src" => this.0.src(),
    "srcset" => this.0.srcset(),
    "webp_srcset" => this.0.webp_srcset(),
    "stand_in" => this.0.placeholder_image(),
    "width" => this.0.dimensions().0,
    "height" => this.0.dimensions().1,
    "ratio" => {
        let (width, height) = this.0.dimensions();
        rounded_ratio(width, height).to_string()
    },
});

/// Returns the picture at an address, if the picture is in `media` and is published in several
/// sizes.
pub fn picture<'a>(
    shared: &'a Shared<'a>,
    media: &'a [MediaFile],
    address: &str,
) -> Option<Data<'a>> {
    let shown = ShownPicture::at(shared, media, address)?;
    Some(Data::object(PictureData(shown)))
}

/// Returns a single address for a picture: the address of the widest size, or else the original
/// address.
pub fn shown_address(shared: &Shared<'_>, media: &[MediaFile], address: &str) -> String {
    let shown = ShownPicture::at(shared, media, address);
    shown.map_or_else(|| address.to_owned(), |shown| shown.src())
}

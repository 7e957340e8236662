//! The pixels of a card, and everything that is drawn on them.

use ab_glyph_rasterizer::{Point, Rasterizer, point};
use harfrust::font::glyph::outline::{DrawMemory, DrawOptions, PathSink};

use super::fonts::Fonts;
use super::paragraph::PlacedGlyph;

/// Shades between the background and the colour of a text. A small number keeps PNG files small,
/// without a visible difference.
const SHADES: f32 = 16.0;

/// Radius of the artwork's corners in pixels.
const RADIUS: f32 = 20.0;

pub struct Canvas {
    pub width: u32,
    pub height: u32,
    /// Red, green and blue of each pixel, row by row.
    pub pixels: Vec<u8>,
}

#[derive(Debug, Clone, Copy)]
pub struct Rectangle {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Rectangle {
    fn contains(self, x: i32, y: i32) -> bool {
        (self.x..self.x + self.width).contains(&x) && (self.y..self.y + self.height).contains(&y)
    }
}

impl Canvas {
    pub fn new(width: u32, height: u32, background: [u8; 3]) -> Self {
        let count = width as usize * height as usize;
        Self { width, height, pixels: background.repeat(count) }
    }

    /// Returns the width and the height.
    pub fn size(&self) -> (i32, i32) {
        (self.width.cast_signed(), self.height.cast_signed())
    }

    pub fn fill(&mut self, rectangle: Rectangle, colour: [u8; 3]) {
        let Rectangle { x, y, width, height } = rectangle;
        for y in y..y + height {
            for x in x..x + width {
                if let Some(pixel) = self.pixel((x, y)) {
                    *pixel = colour;
                }
            }
        }
    }

    /// Draws a square picture with rounded corners. `pixels` are its red, green, blue and alpha.
    pub fn draw_square(&mut self, pixels: &[u8], (left, top): (i32, i32), side: u16) {
        let side = i32::from(side);
        for (at, pixel) in (0..side * side).zip(pixels.chunks_exact(4)) {
            let (x, y) = (at % side, at / side);
            let share = corner_share((x, y), side) * f32::from(pixel[3]) / 255.0;
            self.blend((left + x, top + y), [pixel[0], pixel[1], pixel[2]], share);
        }
    }

    /// Draws the glyphs of a line inside `clip`. `origin` is the start of the line's baseline.
    pub fn draw_glyphs(
        &mut self,
        glyphs: &[PlacedGlyph],
        fonts: &Fonts,
        origin: (f32, f32),
        size: f32,
        colour: [u8; 3],
        clip: Rectangle,
    ) {
        // Letters reach at most 1.5 em above the baseline, and 1 em below.
        #[allow(clippy::cast_possible_truncation)]
        let top = (origin.1 - 1.5 * size) as i32;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let height = (2.5 * size) as usize;
        let mut outline = Outline::within(self.width as usize, height);
        for glyph in glyphs {
            let font = fonts.font(glyph.font);
            outline.scale = size / f32::from(font.units_per_em());
            #[allow(clippy::cast_precision_loss)]
            let baseline = origin.1 - top as f32;
            outline.origin = point(origin.0 + glyph.x * size, baseline - glyph.y * size);
            if let Some(drawn) = font.outline_glyphs().get(glyph.id) {
                // A damaged glyph is left out.
                let _ = drawn.draw(&DrawOptions::new(), DrawMemory::Scratch, &mut outline);
            }
        }
        outline.rasterized().for_each_pixel_2d(|x, y, share| {
            if share <= 0.01 {
                return;
            }
            let (x, y) = (x.cast_signed(), top + y.cast_signed());
            if clip.contains(x, y) {
                let share = f32::from(rounded(share.min(1.0) * SHADES)) / SHADES;
                self.blend((x, y), colour, share);
            }
        });
    }

    /// Mixes the colour of a pixel with another colour. A position outside the canvas is ignored.
    fn blend(&mut self, position: (i32, i32), colour: [u8; 3], share: f32) {
        let Some(pixel) = self.pixel(position).filter(|_| share > 0.0) else {
            return;
        };
        for (under, over) in pixel.iter_mut().zip(colour) {
            *under = rounded(f32::from(*under) + (f32::from(over) - f32::from(*under)) * share);
        }
    }

    /// Returns the pixel at a position, unless the position is outside the canvas.
    fn pixel(&mut self, (x, y): (i32, i32)) -> Option<&mut [u8; 3]> {
        let (width, height) = self.size();
        let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
        let at = usize::try_from((y * width + x) * 3).ok().filter(|_| is_inside)?;
        self.pixels.get_mut(at..)?.first_chunk_mut()
    }
}

/// Rounds a number between 0 and 255. On x86-64, `f32::round` would be a slow function call.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn rounded(number: f32) -> u8 {
    (number + 0.5) as u8
}

/// Returns which share of a pixel is inside a square with rounded corners.
fn corner_share((x, y): (i32, i32), side: i32) -> f32 {
    // The distance from the nearest edge, to the middle of the pixel.
    #[allow(clippy::cast_precision_loss)]
    let distance = |at: i32| at.min(side - 1 - at) as f32 + 0.5;
    let (x, y) = (RADIUS - distance(x), RADIUS - distance(y));
    if x <= 0.0 || y <= 0.0 {
        return 1.0;
    }
    (RADIUS - x.hypot(y) + 0.5).clamp(0.0, 1.0)
}

/// The outlines of glyphs in pixels.
struct Outline {
    curves: Vec<Curve>,
    /// Pixels per font unit.
    scale: f32,
    /// Position of the glyph.
    origin: Point,
    start: Point,
    last: Point,
    width: f32,
    height: f32,
}

/// A part of an outline, between its first and its last point.
enum Curve {
    Line([Point; 2]),
    Quad([Point; 3]),
    Cubic([Point; 4]),
}

impl Curve {
    fn points(&self) -> &[Point] {
        match self {
            Self::Line(points) => points,
            Self::Quad(points) => points,
            Self::Cubic(points) => points,
        }
    }
}

impl Outline {
    /// Creates an empty outline. Points beyond this width and height are moved to the edge.
    fn within(width: usize, height: usize) -> Self {
        let zero = point(0.0, 0.0);
        #[allow(clippy::cast_precision_loss)]
        let (right, bottom) = (width as f32, height as f32);
        Self {
            curves: Vec::new(),
            scale: 1.0,
            origin: zero,
            start: zero,
            last: zero,
            width: right,
            height: bottom,
        }
    }

    /// Draws the outlines into a rasterizer of the smallest size: reading it takes time for every
    /// pixel.
    fn rasterized(&self) -> Rasterizer {
        let points = || self.curves.iter().flat_map(Curve::points);
        let (right, bottom) =
            points().fold((0.0_f32, 0.0_f32), |far, at| (far.0.max(at.x), far.1.max(at.y)));
        // The rasterizer also changes the pixel to the right of a curve.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let (width, height) = ((right + 3.0).min(self.width) as usize, bottom.ceil() as usize);
        let mut rasterizer = Rasterizer::new(width, height);
        for curve in &self.curves {
            match *curve {
                Curve::Line([from, to]) => rasterizer.draw_line(from, to),
                Curve::Quad([from, by, to]) => rasterizer.draw_quad(from, by, to),
                Curve::Cubic([from, by, and, to]) => rasterizer.draw_cubic(from, by, and, to),
            }
        }
        rasterizer
    }

    /// Converts a position of the font.
    fn place(&self, x: f32, y: f32) -> Point {
        let (x, y) = (self.origin.x + x * self.scale, self.origin.y - y * self.scale);
        point(x.clamp(0.0, self.width - 1.0), y.clamp(0.0, self.height))
    }
}

impl PathSink for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.close();
        self.start = self.place(x, y);
        self.last = self.start;
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.place(x, y);
        self.curves.push(Curve::Line([self.last, to]));
        self.last = to;
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (by, to) = (self.place(x1, y1), self.place(x, y));
        self.curves.push(Curve::Quad([self.last, by, to]));
        self.last = to;
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let (by, and, to) = (self.place(x1, y1), self.place(x2, y2), self.place(x, y));
        self.curves.push(Curve::Cubic([self.last, by, and, to]));
        self.last = to;
    }

    fn close(&mut self) {
        self.curves.push(Curve::Line([self.last, self.start]));
        self.last = self.start;
    }
}

//! Fits a text into an area: its font size and balanced lines.

use std::ops::Range;

use super::canvas::{Canvas, Rectangle};
use super::paragraph::Paragraph;

/// A part of the card, in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Area {
    pub left: i32,
    pub right: i32,
    pub top: i32,
    pub bottom: i32,
    /// Whether lines start at the right.
    pub is_rtl: bool,
}

/// A text in its final size.
pub struct Block<'f> {
    text: Paragraph<'f>,
    lines: Vec<Range<usize>>,
    /// Font size in pixels.
    size: f32,
    line_height: f32,
    area: Area,
}

impl<'f> Block<'f> {
    /// Fits a text into an area, in the first of the `sizes` in which it has at most `max_lines`
    /// lines and no broken word. If there is none, words can be broken. If the text is too long for
    /// the last size, it ends with an ellipsis.
    pub fn fit(text: Paragraph<'f>, sizes: &[f32], max_lines: Option<usize>, area: Area) -> Self {
        let width = pixels(area.right - area.left);
        let leading = if text.is_tall() { 1.45 } else { 1.16 };
        let room = |size: f32| {
            // At least one line, even if the area is too low.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let lines = (pixels(area.bottom - area.top) / (size * leading)) as usize;
            lines.clamp(1, max_lines.unwrap_or(usize::MAX))
        };
        let last = sizes.last().copied().unwrap_or(1.0);
        let fitting = |can_break_words: bool| {
            sizes.iter().copied().find_map(|size| {
                let (lines, is_word_broken) = text.lines(width / size);
                let fits = lines.len() <= room(size) && (can_break_words || !is_word_broken);
                fits.then_some((size, lines))
            })
        };
        if let Some((size, lines)) = fitting(false).or_else(|| fitting(true)) {
            let lines = balanced(&text, lines, width / size);
            return Self { text, lines, size, line_height: size * leading, area };
        }
        let text = shortened(&text, width / last, room(last));
        let (lines, _) = text.lines(width / last);
        Self { text, lines, size: last, line_height: last * leading, area }
    }

    /// Returns the height of all lines in pixels.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    pub fn height(&self) -> i32 {
        (self.lines.len() as f32 * self.line_height).ceil() as i32
    }

    /// Draws the text, with the top of its first line at `top`. Letters and marks can overhang a
    /// line, but not reach the letters of the next line.
    #[allow(clippy::cast_possible_truncation)]
    pub fn draw(&self, top: i32, colour: [u8; 3], canvas: &mut Canvas) {
        // Capital letters of most fonts are 0.7 em high, so that this baseline centres them.
        let mut baseline = pixels(top) + self.line_height / 2.0 + 0.35 * self.size;
        let overhang = self.line_height / 2.0 - 0.35 * self.size;
        let left = self.area.left - overhang as i32;
        let width = self.area.right + overhang as i32 - left;
        let height = (self.line_height + 2.0 * overhang) as i32;
        for line in &self.lines {
            let y = (baseline - self.line_height) as i32;
            let clip = Rectangle { x: left, y, width, height };
            let x = match self.area.is_rtl {
                true => pixels(self.area.right) - self.text.width(line) * self.size,
                false => pixels(self.area.left),
            };
            let glyphs = self.text.glyphs(line);
            canvas.draw_glyphs(&glyphs, self.text.fonts(), (x, baseline), self.size, colour, clip);
            baseline += self.line_height;
        }
    }
}

/// Returns lines of similar width, without a change in their number. The width decreases as long
/// as the number of lines and all words stay the same.
fn balanced(text: &Paragraph<'_>, lines: Vec<Range<usize>>, max_width: f32) -> Vec<Range<usize>> {
    let (count, mut best) = (lines.len(), lines);
    if text.lines(max_width).1 {
        return best;
    }
    let (mut narrow, mut wide) = (0.0, max_width);
    for _ in 0..10 {
        let width = f32::midpoint(narrow, wide);
        match text.lines(width) {
            (lines, false) if lines.len() == count => {
                wide = width;
                best = lines;
            }
            _ => narrow = width,
        }
    }
    best
}

/// Returns the longest beginning of a text that fits into `max_lines` lines with an ellipsis.
fn shortened<'f>(text: &Paragraph<'f>, max_width: f32, max_lines: usize) -> Paragraph<'f> {
    let (mut fits, mut all) = (0, text.cluster_count());
    let mut best = text.shortened(0);
    while all - fits > 1 {
        let count = usize::midpoint(fits, all);
        let shorter = text.shortened(count);
        if shorter.lines(max_width).0.len() <= max_lines {
            (fits, best) = (count, shorter);
        } else {
            all = count;
        }
    }
    best
}

/// Converts a coordinate of the card, which f32 represents exactly.
#[allow(clippy::cast_precision_loss)]
fn pixels(coordinate: i32) -> f32 {
    coordinate as f32
}

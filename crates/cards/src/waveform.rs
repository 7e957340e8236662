//! Draws the waveform of a passage.

use super::canvas::{Canvas, Rectangle};
use super::layout::Area;

/// Height of the loudest bar in pixels.
pub const HEIGHT: i32 = 104;

/// Height of a bar for silence in pixels.
const SILENCE: i32 = 6;

/// Maximum number of bars. The rest of a longer waveform is left out.
const MAX_BARS: usize = 200;

/// Draws a bar for each digit of base 36, as high as the digit, with the lowest point of the area as
/// the lowest point of the bars. Other characters are silence.
pub fn draw(waveform: &str, area: Area, colour: [u8; 3], canvas: &mut Canvas) {
    let digits = waveform.chars().take(MAX_BARS);
    let heights = digits.map(|digit| digit.to_digit(36).unwrap_or(0).cast_signed());
    let heights: Vec<i32> =
        heights.map(|digit| SILENCE + (HEIGHT - SILENCE) * digit / 35).collect();
    let count = i32::try_from(heights.len()).unwrap_or(i32::MAX);
    let width = area.right - area.left;
    for (at, height) in (0..count).zip(heights) {
        let place = if area.is_rtl { count - 1 - at } else { at };
        let [x, next] = [place, place + 1].map(|place| area.left + width * place / count);
        let gap = (next - x) / 3;
        let y = area.bottom - (HEIGHT + height) / 2;
        canvas.fill(Rectangle { x, y, width: (next - x - gap).max(1), height }, colour);
    }
}

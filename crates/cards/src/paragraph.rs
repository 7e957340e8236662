//! A shaped text: the glyphs of its letters, and the places where a line can end.

use std::ops::Range;

use harfrust::{
    Buffer, Direction, Font, GlyphId, Language, Script, ShapeOptions, ShaperFont, shape, unicode,
};
use unicode_bidi::{Level, ParagraphBidiInfo};

use super::fonts::{Fonts, is_invisible, is_neutral};

/// A text on one line. Lengths are in ems, which are font sizes.
pub struct Paragraph<'f> {
    text: String,
    fonts: &'f Fonts,
    language: &'f str,
    pub is_rtl: bool,
    levels: Vec<Level>,
    runs: Vec<Run>,
    /// For each byte, the width of the text before it.
    widths: Vec<f32>,
    /// The starts of all groups of letters that glyphs cannot divide.
    clusters: Vec<usize>,
}

/// A part of the text with one font, script and direction.
struct Run {
    range: Range<usize>,
    font: usize,
    /// The glyphs from left to right.
    glyphs: Vec<Glyph>,
}

/// A glyph with its distance from the pen, in ems.
#[derive(Clone, Copy)]
struct Glyph {
    id: GlyphId,
    /// Position in the text.
    cluster: usize,
    advance: f32,
    offset: (f32, f32),
}

/// A glyph with its position on a line, in ems.
pub struct PlacedGlyph {
    pub font: usize,
    pub id: GlyphId,
    pub x: f32,
    pub y: f32,
}

impl<'f> Paragraph<'f> {
    /// Shapes a text, which must not be empty.
    pub fn new(text: String, fonts: &'f Fonts, language: &'f str, is_rtl: bool) -> Self {
        let level = if is_rtl { Level::rtl() } else { Level::ltr() };
        let levels = ParagraphBidiInfo::new(&text, Some(level)).levels;
        let runs = runs(&text, &levels, fonts, language);
        let mut widths = vec![0.0; text.len() + 1];
        let mut clusters = Vec::new();
        for glyph in runs.iter().flat_map(|run| &run.glyphs) {
            widths[glyph.cluster + 1] += glyph.advance;
            clusters.push(glyph.cluster);
        }
        clusters.sort_unstable();
        clusters.dedup();
        let mut before = 0.0;
        for width in &mut widths {
            before += *width;
            *width = before;
        }
        Self { text, fonts, language, is_rtl, levels, runs, widths, clusters }
    }

    pub fn fonts(&self) -> &'f Fonts {
        self.fonts
    }

    /// Returns the text, shortened to its first `count` clusters, with an ellipsis. The last word is
    /// left out if it is incomplete, unless it is very long.
    pub fn shortened(&self, count: usize) -> Self {
        const LONG_WORD_BYTES: usize = 40;
        let end = self.clusters.get(count).copied().unwrap_or(self.text.len());
        let space = self.text[..end].rfind(' ').filter(|space| end - space < LONG_WORD_BYTES);
        let end = space.filter(|_| !self.text[end..].starts_with(' ')).unwrap_or(end);
        let is_end = |character: char| character.is_whitespace() || ",;:–—-".contains(character);
        let start = self.text[..end].trim_end_matches(is_end);
        Self::new(format!("{start}…"), self.fonts, self.language, self.is_rtl)
    }

    pub fn cluster_count(&self) -> usize {
        self.clusters.len()
    }

    /// Returns whether letters of a script with high or deep letters occur.
    pub fn is_tall(&self) -> bool {
        const LOW: [Script; 5] =
            [Script::LATIN, Script::GREEK, Script::CYRILLIC, Script::HEBREW, Script::COMMON];
        let mut scripts = self.text.chars().map(|character| unicode::script(character.into()));
        scripts.any(|script| !LOW.contains(&script) && script != Script::INHERITED)
    }

    pub fn width(&self, range: &Range<usize>) -> f32 {
        self.widths[range.end] - self.widths[range.start]
    }

    /// Breaks the text into lines of at most this width. The second value is whether a word is
    /// broken because it is too long.
    pub fn lines(&self, max_width: f32) -> (Vec<Range<usize>>, bool) {
        let (mut lines, mut is_word_broken) = (Vec::new(), false);
        let mut start = 0;
        while start < self.text.len() {
            let mut ends = self.line_ends(start).peekable();
            let mut end = None;
            while let Some(next) =
                ends.next_if(|next| self.width(&(start..self.trimmed(start, *next))) <= max_width)
            {
                end = Some(next);
            }
            let end = end.unwrap_or_else(|| {
                is_word_broken = true;
                self.forced_end(start, max_width)
            });
            lines.push(start..self.trimmed(start, end));
            start = end;
        }
        (lines, is_word_broken)
    }

    /// Returns the end of the range without spaces at its end.
    fn trimmed(&self, start: usize, end: usize) -> usize {
        start + self.text[start..end].trim_end().len()
    }

    /// Returns the positions after `start` where a line can end.
    fn line_ends(&self, start: usize) -> impl Iterator<Item = usize> {
        let rest = &self.text[start..];
        let pairs = rest.char_indices().zip(rest.chars().skip(1));
        let ends = pairs.filter_map(move |((at, before), after)| {
            can_break(before, after).then_some(start + at + before.len_utf8())
        });
        ends.chain([self.text.len()])
    }

    /// Returns the end of a line that contains only a part of a long word.
    fn forced_end(&self, start: usize, max_width: f32) -> usize {
        let first = self.clusters.partition_point(|at| *at <= start);
        let after = &self.clusters[first..];
        let fit = after.partition_point(|at| self.width(&(start..*at)) <= max_width);
        // A cluster wider than the line has a separate line.
        after.get(fit.max(1) - 1).copied().unwrap_or(self.text.len())
    }

    /// Returns the glyphs of a line from left to right.
    pub fn glyphs(&self, line: &Range<usize>) -> Vec<PlacedGlyph> {
        let mut placed = Vec::new();
        let mut pen = 0.0;
        for (run, range) in self.visual_runs(line) {
            for glyph in run.glyphs.iter().filter(|glyph| range.contains(&glyph.cluster)) {
                let (x, y) = glyph.offset;
                placed.push(PlacedGlyph { font: run.font, id: glyph.id, x: pen + x, y });
                pen += glyph.advance;
            }
        }
        placed
    }

    /// Returns the parts of runs on a line, from left to right (Unicode Bidirectional Algorithm,
    /// rule L2). A line has no spaces at its end, so that rule L1 changes nothing.
    fn visual_runs(&self, line: &Range<usize>) -> Vec<(&Run, Range<usize>)> {
        let parts = self.runs.iter().filter_map(|run| {
            let range = run.range.start.max(line.start)..run.range.end.min(line.end);
            (!range.is_empty()).then_some((run, range))
        });
        let parts: Vec<_> = parts.collect();
        let levels: Vec<Level> = parts.iter().map(|(_, range)| self.levels[range.start]).collect();
        let order = ParagraphBidiInfo::reorder_visual(&levels);
        order.into_iter().map(|at| parts[at].clone()).collect()
    }
}

/// Divides a text into runs, and shapes them.
fn runs(text: &str, levels: &[Level], fonts: &Fonts, language: &str) -> Vec<Run> {
    let mut parts: Vec<(Range<usize>, usize)> = Vec::new();
    let (mut script, mut font) = (None, None);
    for (at, character) in text.char_indices() {
        let own = (!is_neutral(character)).then(|| unicode::script(character.into()));
        let chosen = fonts.choose(character, font);
        let is_same_script = own.is_none() || script.is_none() || own == script;
        let end = at + character.len_utf8();
        match parts.last_mut() {
            Some((range, font))
                if is_same_script && *font == chosen && levels[range.start] == levels[at] =>
            {
                range.end = end;
            }
            _ => parts.push((at..end, chosen)),
        }
        script = own.or(script);
        font = Some(chosen);
    }
    let runs = parts.into_iter().map(|(range, font)| {
        let is_rtl = levels[range.start].is_rtl();
        let glyphs = glyphs(text, &range, is_rtl, fonts.font(font), language);
        Run { range, font, glyphs }
    });
    runs.collect()
}

/// Shapes a part of a text, and returns its glyphs from left to right.
fn glyphs(
    text: &str,
    range: &Range<usize>,
    is_rtl: bool,
    font: &Font,
    language: &str,
) -> Vec<Glyph> {
    let mut buffer = Buffer::new();
    for (at, character) in text[range.clone()].char_indices() {
        buffer.push(character.into(), u32::try_from(range.start + at).unwrap_or(u32::MAX));
    }
    buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
    buffer.set_language(Language::new(language));
    buffer.guess_segment_properties();
    if shape(&ShaperFont::new(font), &mut buffer, ShapeOptions::new()).is_err() {
        return Vec::new();
    }
    let em = f32::from(font.units_per_em());
    // Lengths of glyphs are small integers, which f32 represents exactly.
    #[allow(clippy::cast_precision_loss)]
    let ems = |units: i32| units as f32 / em;
    let glyphs = buffer.glyph_infos().iter().zip(buffer.glyph_positions());
    let glyphs = glyphs.map(|(info, position)| Glyph {
        id: GlyphId::new(info.glyph_id),
        cluster: info.cluster as usize,
        advance: ems(position.x_advance),
        offset: (ems(position.x_offset), ems(position.y_offset)),
    });
    glyphs.collect()
}

/// Returns whether a line can end between two characters (a small part of Unicode Line Breaking):
/// after spaces, hyphens and slashes, and between ideographs, except before closing and after
/// opening punctuation.
fn can_break(before: char, after: char) -> bool {
    const NOT_FIRST: &str =
        "、。，．・：；！？）」』】》〉〕］｝…ー々ゝゞっゃゅょぁぃぅぇぉッャュョァィゥェォ";
    const NOT_LAST: &str = "（「『【《〈〔［｛";
    if before == ' ' || before == '\u{200b}' {
        return true;
    }
    if "-‐–—/".contains(before) {
        return after.is_alphabetic();
    }
    let is_wide = |character: char| matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}');
    (is_wide(before) || is_wide(after))
        && after != ' '
        && !is_invisible(after)
        && !NOT_FIRST.contains(after)
        && !NOT_LAST.contains(before)
}

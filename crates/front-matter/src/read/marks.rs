//! Converts the lines and columns that parsers report to byte positions.

/// Converts a line (1-based) and a column (0-based, in characters) to a byte position. A file can
/// consist of one long line, so an index of positions is used instead of counting from the start of
/// the line.
pub(super) struct OffsetConverter<'a> {
    text: &'a str,
    base: usize,
    /// Number of characters before each line.
    starts: Vec<usize>,
    /// Byte position of each `STEP`th character.
    marks: Vec<usize>,
}

impl<'a> OffsetConverter<'a> {
    const STEP: usize = 64;

    /// Creates a converter for `text`, which starts at byte `base` of its file.
    pub fn new(text: &'a str, base: usize) -> Self {
        let (mut starts, mut marks) = (vec![0], Vec::new());
        for (count, (at, c)) in text.char_indices().enumerate() {
            if count % Self::STEP == 0 {
                marks.push(at);
            }
            if c == '\n' {
                starts.push(count + 1);
            }
        }
        Self { text, base, starts, marks }
    }

    pub fn offset(&self, line: usize, column: usize) -> usize {
        let start = self.starts.get(line.saturating_sub(1));
        let count = start.map_or(usize::MAX, |start| start.saturating_add(column));
        let Some(mark) = self.marks.get(count / Self::STEP) else {
            return self.base + self.text.len();
        };
        let rest = &self.text[*mark..];
        let within = rest.char_indices().nth(count % Self::STEP);
        self.base + mark + within.map_or(rest.len(), |(at, _)| at)
    }
}

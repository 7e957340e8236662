//! Bar charts in the terminal.

/// The character set of a bar chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Unicode Block Elements, with eight steps per line.
    Blocks,
    /// ASCII characters.
    Plain,
}

/// The height of a bar chart in lines.
const HEIGHT: u64 = 8;

impl Ink {
    /// Returns [`Blocks`](Self::Blocks) if the terminal supports Unicode, otherwise
    /// [`Plain`](Self::Plain).
    pub fn of(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        let is_utf8 = locale.is_none_or(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        if is_terminal && is_utf8 && set("NO_COLOR").is_none() { Self::Blocks } else { Self::Plain }
    }
}

/// Returns the number of columns for bars. The remaining columns contain the label of the largest
/// number.
pub fn room(width: usize, largest: u64) -> usize {
    width.saturating_sub(label(largest).len() + 3)
}

fn label(largest: u64) -> String {
    largest.to_string()
}

/// Draws a bar chart with one bar for each number. The bars are as wide as possible. The labels
/// below the first and the last bar are `first` and `last`.
pub fn draw(counts: &[u64], first: &str, last: &str, width: usize, ink: Ink) -> Vec<String> {
    let largest = counts.iter().copied().max().unwrap_or_default();
    let margin = label(largest).len();
    let wide = (room(width, largest) / counts.len().max(1)).clamp(1, 6);
    let mut lines: Vec<String> = (0..HEIGHT)
        .rev()
        .map(|line| {
            let label = match line {
                line if line == HEIGHT - 1 => label(largest),
                0 => "0".to_owned(),
                _ => String::new(),
            };
            let bars: String =
                counts.iter().map(|count| cell(*count, largest, line, wide, ink)).collect();
            format!("{label:>margin$} {}{bars}", edge(ink)).trim_end().to_owned()
        })
        .collect();
    let across = wide * counts.len();
    let gap = across.saturating_sub(first.len()).max(last.len() + 1);
    let days = match counts.len() {
        0 | 1 => first.to_owned(),
        _ => format!("{first}{last:>gap$}"),
    };
    lines.push(format!("{:margin$}  {days}", ""));
    lines
}

fn edge(ink: Ink) -> char {
    match ink {
        Ink::Blocks => '│',
        Ink::Plain => '|',
    }
}

/// Returns one line of a bar, followed by a space if the bar is wide enough. Line 0 is the lowest
/// line.
fn cell(count: u64, largest: u64, line: u64, wide: usize, ink: Ink) -> String {
    const STEPS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let eighths = u128::from(count) * u128::from(HEIGHT * 8);
    // Round up, so that even the smallest count is visible.
    let eighths = eighths.div_ceil(u128::from(largest.max(1)));
    let filled = eighths.saturating_sub(u128::from(line * 8)).min(8) as usize;
    let ink = match ink {
        Ink::Blocks => STEPS[filled],
        Ink::Plain if filled >= 4 || (line == 0 && filled > 0) => '#',
        Ink::Plain => ' ',
    };
    let bar = wide.saturating_sub(usize::from(wide > 1)).max(1);
    format!("{}{}", String::from(ink).repeat(bar), " ".repeat(wide - bar))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_scale_with_counts_and_fit_the_terminal() {
        let lines = draw(&[0, 1, 32, 64], "2026-11-01", "2026-11-04", 40, Ink::Blocks);
        assert_eq!(
            lines,
            [
                "64 │                  █████",
                "   │                  █████",
                "   │                  █████",
                "   │                  █████",
                "   │            █████ █████",
                "   │            █████ █████",
                "   │            █████ █████",
                " 0 │      ▁▁▁▁▁ █████ █████",
                "    2026-11-01    2026-11-04",
            ]
        );
        let many: Vec<u64> = (0..70).collect();
        for ink in [Ink::Blocks, Ink::Plain] {
            let lines = draw(&many, "2026-11-01", "2027-01-09", 80, ink);
            assert!(lines.iter().all(|line| line.chars().count() <= 80));
            assert!(ink == Ink::Blocks || lines.concat().is_ascii());
        }
        assert_eq!(draw(&[3], "2026-11-01", "2026-11-01", 10, Ink::Plain).len(), 9);
        assert!(draw(&[u64::MAX, 1], "a", "b", 0, Ink::Plain)[0].contains('#'));
    }

    #[test]
    fn blocks_need_a_unicode_terminal() {
        let with = |pairs: &'static [(&str, &str)]| {
            move |name: &str| {
                let found = pairs.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            }
        };
        assert_eq!(Ink::of(true, with(&[])), Ink::Blocks);
        assert_eq!(Ink::of(true, with(&[("LANG", "de_DE.UTF-8")])), Ink::Blocks);
        assert_eq!(Ink::of(true, with(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")])), Ink::Plain);
        assert_eq!(Ink::of(true, with(&[("NO_COLOR", "1")])), Ink::Plain);
        assert_eq!(Ink::of(false, with(&[])), Ink::Plain);
    }
}

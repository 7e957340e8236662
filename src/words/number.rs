//! Formats numbers, sizes and durations (Unicode Technical Standard 35, part 3).

use super::Words;

impl Words {
    /// Formats a whole number with grouping: `12,345`.
    pub fn number(&self, n: u64) -> String {
        self.decimal(&n.to_string())
    }

    /// Replaces ASCII digits with the language's digits.
    pub fn localize_digits(&self, text: &str) -> String {
        text.chars().map(|c| self.digit(c)).collect()
    }

    pub(super) fn digit(&self, c: char) -> char {
        let at = c.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
        let own = at.and_then(|at| self.locale.digits.get(at).copied());
        own.unwrap_or(c)
    }

    /// Formats a number given in ASCII digits, such as `12345.6`.
    fn decimal(&self, number: &str) -> String {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let fact = |key| self.locale.fact(key);
        let (first, others) = match fact("groups") {
            "3 2" => (3, 2),
            _ => (3, 3),
        };
        let least: usize = fact("least").parse().unwrap_or(1);
        let mut out = String::new();
        let is_grouped = whole.len() >= first + least;
        for (at, digit) in whole.char_indices() {
            let left = whole.len() - at;
            let starts_group = left == first || (left > first && (left - first) % others == 0);
            if at > 0 && is_grouped && starts_group {
                out.push_str(fact("group"));
            }
            out.push(digit);
        }
        if !fraction.is_empty() {
            out.push_str(fact("decimal"));
            out.push_str(fraction);
        }
        self.localize_digits(&out)
    }

    fn with_unit(&self, key: &str, number: &str) -> String {
        let form = self.locale.unit(key, number);
        form.replace("{0}", &self.decimal(number))
    }

    /// Formats a size in powers of 1000 bytes: `4.2 MB`, `4,2 Mo`.
    #[allow(clippy::cast_precision_loss)]
    pub fn size(&self, bytes: u64) -> String {
        if bytes < 1000 {
            return self.with_unit("byte", &bytes.to_string());
        }
        let mut value = bytes as f64 / 1000.0;
        let mut unit = "kilobyte";
        for larger in ["megabyte", "gigabyte"] {
            if value >= 1000.0 {
                value /= 1000.0;
                unit = larger;
            }
        }
        let places = usize::from(value < 100.0);
        self.with_unit(unit, &format!("{value:.places$}"))
    }

    /// Formats a number of minutes: `15 min`.
    pub fn minutes(&self, n: u64) -> String {
        self.with_unit("minute", &n.to_string())
    }

    /// Formats the number of a season or an episode, given in ASCII digits, without grouping:
    /// `2026`, `1.5`.
    pub fn ungrouped(&self, number: &str) -> String {
        self.localize_digits(&number.replace('.', self.locale.fact("decimal")))
    }

    /// Formats a percentage given in ASCII digits: `5%`, `2,5 %`.
    pub fn percent(&self, number: &str) -> String {
        self.with_unit("percent", number)
    }

    /// Returns the language's digits and its decimal separator, if they are not `0123456789.`.
    pub fn numerals(&self) -> Option<String> {
        let digits = self.locale.digits.iter().collect::<String>();
        Some(digits + self.locale.fact("decimal")).filter(|all| all != "0123456789.")
    }

    /// Formats a duration in words: `1 hr, 21 min`. Durations below a minute are in seconds.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn duration(&self, seconds: f64) -> String {
        let seconds = seconds.max(0.0).floor() as u64;
        let minutes = seconds.saturating_add(30) / 60;
        let unit = |key, n: u64| self.with_unit(key, &n.to_string());
        match (minutes / 60, minutes % 60) {
            _ if seconds < 60 => unit("second", seconds),
            (0, minutes) => unit("minute", minutes),
            (hours, 0) => unit("hour", hours),
            (hours, minutes) => {
                let join = self.locale.fact("join");
                let both = join.replace("{0}", &unit("hour", hours));
                both.replace("{1}", &unit("minute", minutes))
            }
        }
    }
}

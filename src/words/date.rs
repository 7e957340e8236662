//! Formats dates and times of day (Unicode Technical Standard 35, part 4).

use std::iter;

use jiff::civil::{Date, Time};

use super::Words;

impl Words {
    /// Formats a day: `Nov 20, 2026`, `20. Nov. 2026`.
    pub fn date(&self, day: Date) -> String {
        self.pattern("date", Some(day), None)
    }

    /// Formats a day with the full name of the month: `November 20, 2026`.
    pub fn long_date(&self, day: Date) -> String {
        self.pattern("long-date", Some(day), None)
    }

    /// Formats a day with its weekday: `Fri, Nov 20, 2026`.
    pub fn day_date(&self, day: Date) -> String {
        self.pattern("day-date", Some(day), None)
    }

    /// Formats a day without its year: `Nov 20`.
    pub fn day(&self, day: Date) -> String {
        self.pattern("day", Some(day), None)
    }

    /// Formats a month: `November 2026`.
    pub fn month(&self, day: Date) -> String {
        self.pattern("month", Some(day), None)
    }

    /// Formats a time of day on a 24-hour clock: `20:00`.
    pub fn time(&self, time: Time) -> String {
        self.pattern("time", None, Some(time))
    }

    fn pattern(&self, key: &str, day: Option<Date>, time: Option<Time>) -> String {
        let mut out = String::new();
        let mut rest = self.locale.fact(key).chars().peekable();
        while let Some(letter) = rest.next() {
            if letter == '\'' {
                self.quoted(&mut rest, &mut out);
                continue;
            }
            if !letter.is_ascii_alphabetic() {
                out.push(letter);
                continue;
            }
            let mut count = 1;
            while rest.next_if_eq(&letter).is_some() {
                count += 1;
            }
            if let Some(day) = day {
                self.date_field(letter, count, day, &mut out);
            }
            if let Some(time) = time {
                self.time_field(letter, count, time, &mut out);
            }
        }
        out
    }

    /// Copies quoted text in a pattern. Two adjacent quotes are an escaped quote.
    fn quoted(&self, rest: &mut std::iter::Peekable<impl Iterator<Item = char>>, out: &mut String) {
        if rest.next_if_eq(&'\'').is_some() {
            return out.push('\'');
        }
        for letter in rest.by_ref() {
            if letter == '\'' {
                return;
            }
            out.push(letter);
        }
    }

    fn date_field(&self, letter: char, count: usize, day: Date, out: &mut String) {
        let locale = &self.locale;
        let mut number = |number: i64, width| self.padded(number, width, out);
        let month = || usize::try_from(day.month() - 1).unwrap_or_default();
        let weekday = || usize::try_from(day.weekday().to_sunday_zero_offset()).unwrap_or_default();
        match (letter, count) {
            ('y', 2) => number(i64::from(day.year()).rem_euclid(100), 2),
            ('y', width) => number(day.year().into(), width),
            ('d', width) => number(day.day().into(), width),
            ('M' | 'L', width @ (1 | 2)) => number(day.month().into(), width),
            ('M', 3) => out.push_str(locale.name("MMM", month())),
            ('M', _) => out.push_str(locale.name("MMMM", month())),
            ('L', 3) => out.push_str(locale.name("LLL", month())),
            ('L', _) => out.push_str(locale.name("LLLL", month())),
            ('E', 4) => out.push_str(locale.name("EEEE", weekday())),
            ('E', _) => out.push_str(locale.name("EEE", weekday())),
            ('c', 4) => out.push_str(locale.name("cccc", weekday())),
            ('c', _) => out.push_str(locale.name("ccc", weekday())),
            ('G', _) => out.push_str(locale.fact("G")),
            _ => {}
        }
    }

    fn time_field(&self, letter: char, count: usize, time: Time, out: &mut String) {
        match letter {
            'H' => self.padded(time.hour().into(), count, out),
            'm' => self.padded(time.minute().into(), count, out),
            _ => {}
        }
    }

    /// Appends a number in the language's digits, without grouping, padded with zeros to `width`
    /// digits.
    fn padded(&self, number: i64, width: usize, out: &mut String) {
        let number = number.to_string();
        let missing = width.saturating_sub(number.len());
        let digits = iter::repeat_n('0', missing).chain(number.chars());
        out.extend(digits.map(|digit| self.digit(digit)));
    }
}

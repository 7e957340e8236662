//! Plural rules of CLDR (Unicode Technical Standard 35, part 3, section 5).

pub(super) const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// Returns the plural category of a number in ASCII digits. The rules have the form `one: i = 1 and
/// v = 0; other`.
pub(super) fn category(rules: &'static str, number: &str) -> &'static str {
    let operands = Operands::of(number);
    for rule in rules.split("; ") {
        match rule.split_once(": ") {
            Some((category, condition)) if operands.meets_condition(condition) => return category,
            Some(_) => {}
            None => return rule,
        }
    }
    "other"
}

/// Returns the plural categories that the rules name.
#[cfg(test)]
pub(super) fn categories(rules: &'static str) -> Vec<&'static str> {
    let rules = rules.split("; ");
    rules.filter_map(|rule| rule.split(": ").next()).collect()
}

struct Operands {
    whole: u64,
    /// The digits after the decimal point as a number; `places` counts these digits.
    fraction: u64,
    places: u64,
}

impl Operands {
    fn of(number: &str) -> Self {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        Self {
            whole: whole.parse().unwrap_or(u64::MAX),
            fraction: fraction.parse().unwrap_or(0),
            places: fraction.len() as u64,
        }
    }

    fn meets_condition(&self, condition: &str) -> bool {
        let mut any = condition.split(" or ");
        any.any(|all| all.split(" and ").all(|one| self.relation_holds(one)))
    }

    /// Evaluates a relation such as `n % 10 = 2..4,9`, or the same with `!=`.
    fn relation_holds(&self, relation: &str) -> bool {
        let (left, right, is_equal) = match relation.split_once(" != ") {
            Some((left, right)) => (left, right, false),
            None => match relation.split_once(" = ") {
                Some((left, right)) => (left, right, true),
                None => return false,
            },
        };
        let (operand, modulus) = left.split_once(" % ").unwrap_or((left, ""));
        let value = match operand.trim() {
            // Ranges contain only whole numbers, so a number with a fraction is not in any range.
            "n" if self.fraction > 0 => None,
            "n" | "i" => Some(self.whole),
            "v" => Some(self.places),
            "w" => Some(if self.fraction > 0 { self.places } else { 0 }),
            "f" | "t" => Some(self.fraction),
            _ => Some(0),
        };
        let value = value.map(|value| match modulus.trim().parse::<u64>() {
            Ok(modulus) if modulus > 0 => value % modulus,
            _ => value,
        });
        let is_in = |range: &str| {
            let (first, last) = range.split_once("..").unwrap_or((range, range));
            match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
                (Ok(first), Ok(last)) => value.is_some_and(|value| (first..=last).contains(&value)),
                _ => false,
            }
        };
        right.split(',').any(is_in) == is_equal
    }
}

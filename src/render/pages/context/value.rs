//! `podcast:value` for display on pages: the recipients and their shares.

use mustache::{Data, object};

use super::parts::each;
use super::record_data::RecordObject;
use model::podcast::{Value, ValueRecipient};
use words::Words;

pub struct ValueData<'a> {
    pub value: &'a Value,
    pub words: &'a Words,
}

impl<'a> ValueData<'a> {
    fn recipients(&self) -> Data<'a> {
        let (words, shares) = (self.words, Shares::of(&self.value.recipients));
        each(&self.value.recipients, move |recipient| {
            Data::object(RecipientData { recipient, words, percent: shares.percent(recipient) })
        })
    }
}

object!(impl ValueData<'a>, |this| {
    "recipients" => this.recipients(),
} else RecordObject(this.value));

/// The sums of all shares.
#[derive(Clone, Copy)]
struct Shares {
    /// Total percentage of the fees, which are deducted before other shares.
    fees: f64,
    others: f64,
}

impl Shares {
    #[allow(clippy::cast_precision_loss)]
    fn of(all: &[ValueRecipient]) -> Self {
        let sum = |fee: bool| -> f64 {
            let some = all.iter().filter(|one| one.fee.unwrap_or_default() == fee);
            some.map(|one| one.split as f64).sum()
        };
        Self { fees: sum(true), others: sum(false) }
    }

    /// Returns a recipient's percentage of a payment. Returns None if the numbers are invalid.
    #[allow(clippy::cast_precision_loss)]
    fn percent(self, recipient: &ValueRecipient) -> Option<f64> {
        let split = recipient.split as f64;
        let percent = if recipient.fee.unwrap_or_default() {
            split
        } else {
            (100.0 - self.fees) * split / self.others
        };
        (percent.is_finite() && (0.0..=100.0).contains(&percent)).then_some(percent)
    }
}

struct RecipientData<'a> {
    recipient: &'a ValueRecipient,
    words: &'a Words,
    percent: Option<f64>,
}

object!(impl RecipientData<'a>, |this| {
    "name" => this.recipient.name.as_deref(),
    "is_fee" => this.recipient.fee.unwrap_or_default(),
    "share_text" => this.percent.map(|percent| {
        let tenths = format!("{percent:.1}");
        let number = tenths.strip_suffix(".0").unwrap_or(&tenths);
        this.words.percent(number)
    }),
} else RecordObject(this.recipient));

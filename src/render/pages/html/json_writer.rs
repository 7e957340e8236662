//! Writes JSON into a `<script>` element, in one pass.

use crate::view::json_text::json_text;

/// An object that is being written. Its keys must be written in alphabetical order.
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    /// The key that was written last.
    last: &'static str,
}

impl<'o> ObjectWriter<'o> {
    pub fn write(out: &'o mut String, fields: impl FnOnce(&mut Self)) {
        out.push('{');
        let mut object = Self { out, last: "" };
        fields(&mut object);
        object.out.push('}');
    }

    /// Writes a string. An empty string is left out, because validators complain about empty
    /// values.
    pub fn text(&mut self, key: &'static str, text: &str) {
        if !text.is_empty() {
            self.key(key);
            push_text(text, self.out);
        }
    }

    pub fn optional(&mut self, key: &'static str, text: Option<&str>) {
        self.text(key, text.unwrap_or_default());
    }

    pub fn number(&mut self, key: &'static str, number: u32) {
        self.key(key);
        self.out.push_str(&number.to_string());
    }

    /// Writes a number of seconds, rounded to milliseconds.
    pub fn seconds(&mut self, key: &'static str, seconds: f64) {
        self.key(key);
        self.out.push_str(&((seconds * 1000.0).round() / 1000.0).to_string());
    }

    pub fn object(&mut self, key: &'static str, fields: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.key(key);
        ObjectWriter::write(self.out, fields);
    }

    pub fn list<T>(
        &mut self,
        key: &'static str,
        all: impl IntoIterator<Item = T>,
        fields: impl Fn(T, &mut ObjectWriter<'_>),
    ) {
        self.key(key);
        self.out.push('[');
        for (number, one) in all.into_iter().enumerate() {
            if number > 0 {
                self.out.push(',');
            }
            ObjectWriter::write(self.out, |object| fields(one, object));
        }
        self.out.push(']');
    }

    fn key(&mut self, key: &'static str) {
        debug_assert!(self.last < key, "{key:?} sorts before {:?}", self.last);
        if !self.last.is_empty() {
            self.out.push(',');
        }
        self.last = key;
        push_text(key, self.out);
        self.out.push(':');
    }
}

fn push_text(text: &str, out: &mut String) {
    json_text(text, true, |part| out.push_str(part));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_texts_are_left_out() {
        let mut out = String::new();
        ObjectWriter::write(&mut out, |object| {
            object.text("a", "");
            object.list("b", ["x", ""], |text, object| object.text("c", text));
            object.number("d", 1);
            object.optional("e", None);
        });
        assert_eq!(out, r#"{"b":[{"c":"x"},{}],"d":1}"#);
    }
}

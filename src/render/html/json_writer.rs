//! Writes JSON into a `<script>` element, in one pass.

/// An object that is being written. Its keys come in their order, as in a sorted map.
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    /// The key that was written last.
    last: &'static str,
}

impl<'o> ObjectWriter<'o> {
    /// Writes an object.
    pub fn write(out: &'o mut String, fields: impl FnOnce(&mut Self)) {
        out.push('{');
        let mut object = Self { out, last: "" };
        fields(&mut object);
        object.out.push('}');
    }

    /// A text. An empty one says nothing, and validators ask what it means: it is left out.
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

    pub fn object(&mut self, key: &'static str, fields: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.key(key);
        ObjectWriter::write(self.out, fields);
    }

    /// A list of objects.
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
        debug_assert!(self.last < key, "{key:?} stands before {:?}", self.last);
        if !self.last.is_empty() {
            self.out.push(',');
        }
        self.last = key;
        push_text(key, self.out);
        self.out.push(':');
    }
}

/// A text as JSON. `</script>` and `<!--` inside it would end or change the element, so `<` is escaped too.
fn push_text(text: &str, out: &mut String) {
    out.push('"');
    let mut clean_from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !matches!(byte, b'"' | b'\\' | b'<' | 0..=0x1f) {
            continue;
        }
        out.push_str(&text[clean_from..at]);
        clean_from = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            other => out.push_str(&format!("\\u{other:04x}")),
        }
    }
    out.push_str(&text[clean_from..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_is_as_serde_writes_it(text in any::<String>(), dense in "[\0-\u{1f}<\"\\\\é\u{7f}]{0,20}") {
            for text in [text, dense] {
                let mut out = String::new();
                push_text(&text, &mut out);
                let expected = serde_json::Value::from(text).to_string().replace('<', "\\u003c");
                prop_assert_eq!(out, expected);
            }
        }
    }

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

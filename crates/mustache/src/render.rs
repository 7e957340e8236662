//! Rendering of a template's steps to text.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;
use serde_json::Value;

use super::data::Data;
use super::found::LookupResult;
use super::steps::{Key, PartialStep, Step};
use super::{MAX_OUTPUT, MAX_PARTIAL_DEPTH, MAX_STEPS, Partials, RenderError, Template};

/// A function that can replace the string value of a key, for example a URL, in the output. It
/// receives the key and the string, and returns `None` to keep the string. It must not replace an
/// empty string with a non-empty string, or the reverse.
pub type Rewrite<'r> = dyn for<'t> Fn(&str, &'t str) -> Option<Cow<'t, str>> + 'r;

/// A range of the output, and the position in a template that produced it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'t> {
    /// Byte range in the output.
    pub range: Range<usize>,
    /// Name of the partial that produced this output, or `None` for the rendered template itself.
    pub partial: Option<&'t str>,
    /// Byte offset where the text or the value's tag starts, in the source of the partial or of the
    /// rendered template.
    pub at: usize,
    /// For a value, the key under which it was found, or `""` for a list element. `None` for text.
    pub value: Option<&'t str>,
}

/// Settings of the output.
#[derive(Clone, Copy)]
struct Output<'r> {
    /// Maximum number of bytes to append.
    limit: usize,
    /// The rewrite for pages that people read. Without it, lists and objects print as JSON.
    readers: Option<&'r Rewrite<'r>>,
}

impl Template {
    /// Renders the template with JSON data and appends the output to `out`.
    ///
    /// `context` is the stack in which names are looked up, from the outermost (the site) to the
    /// innermost (the page). The innermost context that has the name's first key is used. A partial
    /// missing from `partials` renders as nothing. [`partial_names`](Self::partial_names) lists the
    /// included partials beforehand.
    ///
    /// # Errors
    ///
    /// Returns an error if partials are nested more than [`MAX_PARTIAL_DEPTH`] deep, or if the
    /// rendering exceeds [`MAX_STEPS`] or [`MAX_OUTPUT`].
    pub fn render(
        &self,
        context: &[&Value],
        partials: &Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let context: Vec<Data<'_>> = context.iter().copied().map(Data::from).collect();
        self.render_within(MAX_OUTPUT, &context, partials, out)
    }

    /// Renders like [`render`](Self::render), with any data, and stops soon after `limit` bytes.
    pub fn render_within(
        &self,
        limit: usize,
        context: &[Data<'_>],
        partials: &Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let output = Output { limit, readers: None };
        render(self, context, partials, output, out, None)
    }

    /// Renders like [`render`](Self::render), with any data, for a page that people read. An object
    /// prints its `name`, and a list prints nothing. `rewrite` is applied to every string that has
    /// a key, even to compute its `length`.
    pub fn render_for_readers(
        &self,
        context: &[Data<'_>],
        partials: &Partials,
        rewrite: &Rewrite<'_>,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let output = Output { limit: MAX_OUTPUT, readers: Some(rewrite) };
        render(self, context, partials, output, out, None)
    }

    /// Renders like [`render_for_readers`](Self::render_for_readers), and adds to `trace` a
    /// [`Piece`] for each part of the output, in order. If `rewrite` is `None`, renders like
    /// [`render_within`](Self::render_within) with a limit of [`MAX_OUTPUT`].
    ///
    /// ```
    /// use mustache::{Data, Partials, Template};
    /// use serde_json::json;
    ///
    /// let page = Template::parse("<a href=\"{{url}}\">")?;
    /// let link = json!({ "url": "/about" });
    /// let (mut out, mut trace) = (String::new(), Vec::new());
    /// let partials = Partials::new();
    /// page.render_traced(&[Data::from(&link)], &partials, None, &mut out, &mut trace)?;
    /// let value = trace.iter().find(|piece| piece.value == Some("url")).unwrap();
    /// assert_eq!((&out[value.range.clone()], value.at), ("&#x2F;about", 9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn render_traced<'t>(
        &'t self,
        context: &[Data<'_>],
        partials: &'t Partials,
        rewrite: Option<&Rewrite<'_>>,
        out: &mut String,
        trace: &mut Vec<Piece<'t>>,
    ) -> Result<(), RenderError> {
        let output = Output { limit: MAX_OUTPUT, readers: rewrite };
        render(self, context, partials, output, out, Some(trace))
    }
}

fn render<'t>(
    template: &'t Template,
    context: &[Data<'_>],
    partials: &'t Partials,
    output: Output<'_>,
    out: &mut String,
    trace: Option<&mut Vec<Piece<'t>>>,
) -> Result<(), RenderError> {
    let mut frames = Vec::with_capacity(context.len() + 8);
    frames.extend(context.iter().map(|data| Frame::single(LookupResult::new(data.clone()))));
    let output_limit = out.len().saturating_add(output.limit);
    Renderer {
        partials,
        frames,
        indent: String::new(),
        line_indent: 0,
        depth: 0,
        steps: 0,
        output_limit,
        readers: output.readers,
        out,
        trace,
    }
    .run(CurrentTemplate { template, name: None })
}

/// A context. For the section of a list, also the list and the index of the next element.
struct Frame<'t, 'd> {
    value: LookupResult<'t, 'd>,
    list: Data<'d>,
    /// Index of the next element.
    next: usize,
}

impl<'t, 'd> Frame<'t, 'd> {
    fn single(value: LookupResult<'t, 'd>) -> Self {
        Frame { value, list: Data::default(), next: 0 }
    }

    /// Returns the first context of a section with this value, or `None` if the section is not
    /// rendered.
    fn enter(value: LookupResult<'t, 'd>) -> Option<Self> {
        if value.data.length().is_none() {
            return value.data.is_true().then(|| Frame::single(value));
        }
        let first = value.data.element(0)?;
        Some(Frame { value: LookupResult::new(first), list: value.data, next: 1 })
    }

    /// Advances to the next element. Returns false if there is none.
    fn advance(&mut self) -> bool {
        let next = self.list.element(self.next);
        self.next += 1;
        next.map(|element| self.value = LookupResult::new(element)).is_some()
    }
}

/// The template whose steps are being rendered, with its name if it is a partial.
#[derive(Clone, Copy)]
struct CurrentTemplate<'a> {
    template: &'a Template,
    name: Option<&'a str>,
}

struct Renderer<'t, 'd, 'o> {
    partials: &'t Partials,
    frames: Vec<Frame<'t, 'd>>,
    /// The concatenated indentations of all partials that are being rendered, the outermost first.
    /// `indent[line_indent..]` is written before each line of the innermost partial.
    indent: String,
    line_indent: usize,
    /// Current depth of nested partials.
    depth: usize,
    /// Number of sections and partials entered so far.
    steps: usize,
    output_limit: usize,
    readers: Option<&'o Rewrite<'o>>,
    out: &'o mut String,
    trace: Option<&'o mut Vec<Piece<'t>>>,
}

impl<'t, 'd> Renderer<'t, 'd, '_> {
    /// Renders a template's steps. The function is recursive only for partials, whose depth is
    /// limited.
    fn run(&mut self, current: CurrentTemplate<'t>) -> Result<(), RenderError> {
        let template = current.template;
        let mut next = 0;
        while let Some(step) = template.steps.get(next) {
            next += 1;
            match *step {
                Step::Text(ref range) => self.text(current, range.clone()),
                Step::Indent => self.out.push_str(&self.indent[self.line_indent..]),
                Step::Value { name, escaped, is_same_as_section, at } => {
                    let start = self.out.len();
                    let around = self.frames.last().map(|frame| &frame.value);
                    let key = match around
                        .filter(|value| is_same_as_section && value.data.has_no_keys())
                    {
                        Some(value) => {
                            value.write(escaped, self.readers, self.out);
                            value.key()
                        }
                        None => self.find(template.keys(name)).and_then(|value| {
                            value.write(escaped, self.readers, self.out);
                            value.key()
                        }),
                    };
                    self.record_piece(start, current, at, Some(key.unwrap_or_default()));
                    self.check_output(current, at)?;
                }
                Step::Section { name, after, at } => {
                    match self.find(template.keys(name)).and_then(Frame::enter) {
                        Some(frame) => {
                            self.count_step(current, at)?;
                            self.frames.push(frame);
                        }
                        None => next = after,
                    }
                }
                Step::Next { body, at } => {
                    if self.frames.last_mut().is_some_and(Frame::advance) {
                        self.count_step(current, at)?;
                        next = body;
                    } else {
                        self.frames.pop();
                    }
                }
                Step::Inverted { name, after, .. } => {
                    let value = self.find(template.keys(name));
                    if value.is_some_and(|value| value.data.is_true()) {
                        next = after;
                    }
                }
                Step::Partial(index) => self.partial(current, &template.partial_steps[index])?,
            }
        }
        Ok(())
    }

    /// Looks up the first key from the innermost context outwards, and each further key in the
    /// value of the previous key. Returns `None` if a further key is missing, even if an outer
    /// context has all the keys.
    fn find(&self, keys: &'t [Key]) -> Option<LookupResult<'t, 'd>> {
        let Some((first, rest)) = keys.split_first() else {
            return self.frames.last().map(|frame| frame.value.clone());
        };
        let mut value = self.frames.iter().rev().find_map(|frame| frame.value.get(first))?;
        for key in rest {
            value = value.get_in(key, self.readers)?;
        }
        Some(value)
    }

    /// Records which tag or text produced the output from `start` on, if tracing is on.
    fn record_piece(
        &mut self,
        start: usize,
        current: CurrentTemplate<'t>,
        at: usize,
        value: Option<&'t str>,
    ) {
        let range = start..self.out.len();
        if let Some(trace) = self.trace.as_mut().filter(|_| !range.is_empty()) {
            trace.push(Piece { range, partial: current.name, at, value });
        }
    }

    fn text(&mut self, current: CurrentTemplate<'t>, range: Range<usize>) {
        let source = &current.template.source;
        let (start, text) = (range.start, &source[range]);
        if self.indent.len() == self.line_indent {
            let from = self.out.len();
            self.out.push_str(text);
            self.record_piece(from, current, start, None);
            return;
        }
        let mut at_line_start = source[..start].is_empty() || source[..start].ends_with('\n');
        let mut rest = text;
        while !rest.is_empty() {
            let end = memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            if at_line_start && line != "\n" && line != "\r\n" {
                self.out.push_str(&self.indent[self.line_indent..]);
            }
            let from = self.out.len();
            self.out.push_str(line);
            self.record_piece(from, current, start + text.len() - rest.len(), None);
            at_line_start = true;
            rest = after;
        }
    }

    fn partial(
        &mut self,
        current: CurrentTemplate<'t>,
        step: &'t PartialStep,
    ) -> Result<(), RenderError> {
        let name = &*step.name;
        let Some(template) = self.partials.get(name) else {
            return Ok(());
        };
        self.count_step(current, step.at)?;
        if self.depth == MAX_PARTIAL_DEPTH {
            let message = format!(
                "partial `{name}` is nested {MAX_PARTIAL_DEPTH} partials deep; \
                 if it includes itself, put that tag in a section that becomes empty"
            );
            let position = current.template.position(step.at);
            return Err(RenderError::at(position, current.name, message).with_partial(name));
        }

        let (indent_end, line_indent) = (self.indent.len(), self.line_indent);
        match &step.indent {
            Some(range) => self.indent.push_str(&current.template.source[range.clone()]),
            // Outer indentation does not apply to a partial within a line.
            None => self.line_indent = indent_end,
        }
        self.depth += 1;
        self.run(CurrentTemplate { template, name: Some(name) })?;
        self.depth -= 1;
        self.indent.truncate(indent_end);
        self.line_indent = line_indent;
        Ok(())
    }

    fn count_step(&mut self, current: CurrentTemplate<'t>, at: usize) -> Result<(), RenderError> {
        self.steps += 1;
        if self.steps <= MAX_STEPS {
            self.check_output(current, at)
        } else {
            Err(self.limit_error(current, at))
        }
    }

    fn check_output(&self, current: CurrentTemplate<'t>, at: usize) -> Result<(), RenderError> {
        if self.out.len() <= self.output_limit {
            Ok(())
        } else {
            Err(self.limit_error(current, at))
        }
    }

    fn limit_error(&self, current: CurrentTemplate<'t>, at: usize) -> RenderError {
        let message = format!(
            "rendering stopped after {} sections and partials and {} MiB of output; \
             check for lists nested in lists and partials that include each other",
            self.steps,
            self.out.len() / (1024 * 1024),
        );
        let position = current.template.position(at);
        RenderError::at(position, current.name, message)
    }
}

//! Renders the steps of a template with data to text.

use std::slice;

use serde_json::Value;

use super::data::{Context, Datum};
use super::steps::{Key, PartialStep, Step};
use super::{MAX_OUTPUT, MAX_PARTIAL_DEPTH, MAX_STEPS, Partials, RenderError, Template};

/// What a rendering may write.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Bytes.
    output: usize,
    /// Whether lists and objects print as JSON.
    json: bool,
}

impl Template {
    /// Renders into `out`, after what it holds already.
    ///
    /// `context` is the stack that names are looked up in, the outermost (the site's) first, the
    /// innermost (the page's) last; the innermost that has the name's first key decides. A partial that
    /// is not among `partials` renders as nothing; [`partial_names`](Self::partial_names) finds those beforehand.
    ///
    /// # Errors
    ///
    /// When partials include one another more than [`MAX_PARTIAL_DEPTH`] deep, or
    /// the work exceeds [`MAX_STEPS`] or [`MAX_OUTPUT`].
    pub fn render(
        &self,
        context: &[&Value],
        partials: &Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        self.render_within(MAX_OUTPUT, context, partials, out)
    }

    /// [`render`](Self::render) for pages that people read: an object prints its `name`, and a list nothing. A
    /// context may be a value under a name of its own.
    pub fn render_in<'a>(
        &'a self,
        context: &[Context<'a>],
        partials: &'a Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let limits = Limits {
            output: MAX_OUTPUT,
            json: false,
        };
        render(self, context, partials, limits, out)
    }

    /// [`render`](Self::render) that is stopped soon after `limit` bytes.
    pub fn render_within(
        &self,
        limit: usize,
        context: &[&Value],
        partials: &Partials,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let contexts: Vec<Context<'_>> =
            context.iter().map(|value| Context::Object(value)).collect();
        let limits = Limits {
            output: limit,
            json: true,
        };
        render(self, &contexts, partials, limits, out)
    }
}

fn render<'a>(
    template: &'a Template,
    context: &[Context<'a>],
    partials: &'a Partials,
    limits: Limits,
    out: &mut String,
) -> Result<(), RenderError> {
    let mut frames = Vec::with_capacity(context.len() + 8);
    frames.extend(
        context
            .iter()
            .map(|context| Frame::once(Datum::from(*context))),
    );
    let output_limit = out.len().saturating_add(limits.output);
    Renderer {
        partials,
        frames,
        indent: String::new(),
        line_indent: 0,
        depth: 0,
        steps: 0,
        output_limit,
        json: limits.json,
        out,
    }
    .run(CurrentTemplate {
        template,
        name: None,
    })
}

/// A context, and what its section has still to render.
struct Frame<'a> {
    value: Datum<'a>,
    rest: slice::Iter<'a, Value>,
}

impl<'a> Frame<'a> {
    fn once(value: Datum<'a>) -> Self {
        Frame {
            value,
            rest: [].iter(),
        }
    }
}

/// The template whose steps are being taken, and its name if it is a partial.
#[derive(Clone, Copy)]
struct CurrentTemplate<'a> {
    template: &'a Template,
    name: Option<&'a str>,
}

struct Renderer<'a, 'o> {
    partials: &'a Partials,
    frames: Vec<Frame<'a>>,
    /// The indentations of all partials that are being rendered, the outermost first. The part from
    /// `line_indent` on goes before each line of the innermost.
    indent: String,
    line_indent: usize,
    /// How many partials are being rendered inside one another.
    depth: usize,
    /// How many sections and partials have been entered.
    steps: usize,
    output_limit: usize,
    json: bool,
    out: &'o mut String,
}

impl<'a> Renderer<'a, '_> {
    /// Calls itself for partials only, whose depth is bounded.
    fn run(&mut self, current: CurrentTemplate<'a>) -> Result<(), RenderError> {
        let template = current.template;
        let mut next = 0;
        while let Some(step) = template.steps.get(next) {
            next += 1;
            match *step {
                Step::Text(ref range) => self.text(&template.source, range.start, range.end),
                Step::Indent => self.out.push_str(&self.indent[self.line_indent..]),
                Step::Value { name, escaped, at } => {
                    if let Some(value) = self.find(template.keys(name)) {
                        let value = if self.json {
                            value
                        } else {
                            value.for_readers()
                        };
                        value.write(escaped, self.out);
                        self.check_output(current, at)?;
                    }
                }
                Step::Section { name, after, at } => {
                    match self.find(template.keys(name)).and_then(enter) {
                        Some(frame) => {
                            self.count_step(current, at)?;
                            self.frames.push(frame);
                        }
                        None => next = after,
                    }
                }
                Step::Next { body, at } => {
                    let item = self.frames.last_mut().and_then(|frame| {
                        frame.value = Datum::Value(frame.rest.next()?);
                        Some(())
                    });
                    if item.is_some() {
                        self.count_step(current, at)?;
                        next = body;
                    } else {
                        self.frames.pop();
                    }
                }
                Step::Inverted { name, after, .. } => {
                    if self.find(template.keys(name)).is_some_and(Datum::is_true) {
                        next = after;
                    }
                }
                Step::Partial(index) => self.partial(current, &template.partial_steps[index])?,
            }
        }
        Ok(())
    }

    /// Looks the first key up from the innermost context outwards, the others in what it finds: a
    /// name that breaks off in the middle is missing, even if a context further out has it whole.
    fn find(&self, keys: &[Key]) -> Option<Datum<'a>> {
        let Some((first, rest)) = keys.split_first() else {
            return self.frames.last().map(|frame| frame.value);
        };
        let mut value = self
            .frames
            .iter()
            .rev()
            .find_map(|frame| frame.value.get(first))?;
        for key in rest {
            value = value.get_in(key)?;
        }
        Some(value)
    }

    fn text(&mut self, source: &str, start: usize, end: usize) {
        let text = &source[start..end];
        let indent = &self.indent[self.line_indent..];
        if indent.is_empty() {
            self.out.push_str(text);
            return;
        }
        let mut at_line_start = source[..start].is_empty() || source[..start].ends_with('\n');
        for line in text.split_inclusive('\n') {
            if at_line_start && line != "\n" && line != "\r\n" {
                self.out.push_str(indent);
            }
            self.out.push_str(line);
            at_line_start = true;
        }
    }

    fn partial(
        &mut self,
        current: CurrentTemplate<'a>,
        step: &'a PartialStep,
    ) -> Result<(), RenderError> {
        let name = &*step.name;
        let Some(template) = self.partials.get(name) else {
            return Ok(());
        };
        self.count_step(current, step.at)?;
        if self.depth == MAX_PARTIAL_DEPTH {
            let message = format!(
                "partial `{name}` is included {MAX_PARTIAL_DEPTH} partials deep; \
                 if it includes itself, put that tag in a section that ends"
            );
            let position = current.template.position(step.at);
            return Err(RenderError::at(position, current.name, message).about_partial(name));
        }

        let (indent_end, line_indent) = (self.indent.len(), self.line_indent);
        match &step.indent {
            Some(range) => self
                .indent
                .push_str(&current.template.source[range.clone()]),
            // The lines of a partial within a line are not lines of the template around it.
            None => self.line_indent = indent_end,
        }
        self.depth += 1;
        self.run(CurrentTemplate {
            template,
            name: Some(name),
        })?;
        self.depth -= 1;
        self.indent.truncate(indent_end);
        self.line_indent = line_indent;
        Ok(())
    }

    fn count_step(&mut self, current: CurrentTemplate<'a>, at: usize) -> Result<(), RenderError> {
        self.steps += 1;
        if self.steps <= MAX_STEPS {
            self.check_output(current, at)
        } else {
            Err(self.stopped(current, at))
        }
    }

    fn check_output(&self, current: CurrentTemplate<'a>, at: usize) -> Result<(), RenderError> {
        if self.out.len() <= self.output_limit {
            Ok(())
        } else {
            Err(self.stopped(current, at))
        }
    }

    fn stopped(&self, current: CurrentTemplate<'a>, at: usize) -> RenderError {
        let message = format!(
            "rendering stopped after {} sections and partials and {} MiB of output; \
             look for lists nested in lists or partials that include one another",
            self.steps,
            self.out.len() / (1024 * 1024),
        );
        let position = current.template.position(at);
        RenderError::at(position, current.name, message)
    }
}

/// The first context of a section of this value, or `None` when the section does not render.
fn enter(value: Datum<'_>) -> Option<Frame<'_>> {
    if let Datum::Value(Value::Array(items)) = value {
        let mut rest = items.iter();
        return rest.next().map(|first| Frame {
            value: Datum::Value(first),
            rest,
        });
    }
    value.is_true().then(|| Frame::once(value))
}

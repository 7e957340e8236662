//! The tools that agents use to work with the site's files. Agents in the browser and in a terminal
//! share one table of tools.
//!
//! The tools use the editor's own functions, so an agent can make only changes that the author
//! could make in the editor. A tool writes only to drafts. It proposes changes to published files,
//! and a person accepts them ([`super::proposals`]). No tool deletes or publishes files, or reads
//! files other than items and pages. There is one exception: the author can allow an agent in a
//! terminal to publish. [`agent_files`] enforces the limits for every agent and every call.

mod agent_files;
mod arguments;
mod reading;
mod writing;

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{Answer, records};
use api_shared::{ApiError, Finder};
use arguments::{parse, schema};
use server::App;

/// Maximum length of the description of a call in the journal, in characters.
const MAX_DESCRIPTION: usize = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    name: &'static str,
    may_publish: bool,
}

impl Agent {
    /// Returns the agent's name in the journal.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns whether the agent is allowed to publish.
    pub fn may_publish(self) -> bool {
        self.may_publish
    }
}

/// The agent in the browser, on the page of a signed-in person.
pub const BROWSER: Agent = Agent { name: "agent-browser", may_publish: false };

/// Returns the agent in a terminal.
pub fn in_terminal(may_publish: bool) -> Agent {
    Agent { name: "agent-terminal", may_publish }
}

/// A pattern for the names of all agents in the journal.
pub const AGENT_NAMES: &str = "agent-*";

/// A tool that an agent may call.
pub struct Tool {
    /// The name used in calls.
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// Whether the tool is read-only.
    pub only_reads: bool,
    /// Whether a second call with the same arguments has no further effect.
    pub is_idempotent: bool,
    schema: fn() -> Value,
    run: fn(&Call<'_>, Value) -> Result<CallResult, ApiError>,
}

impl Tool {
    /// Returns the JSON Schema of the arguments.
    pub fn schema(&self) -> Map<String, Value> {
        match (self.schema)() {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }
}

static TOOLS: [Tool; 7] = [
    Tool {
        name: "search",
        title: "Search",
        description: "Finds items and pages of this site, including drafts, by words in their titles and bodies, or lists the newest. \
Returns the file of each, for use with the other tools.",
        only_reads: true,
        is_idempotent: true,
        schema: schema::<arguments::Search>,
        run: |call, sent| reading::search(call, &parse(sent)?),
    },
    Tool {
        name: "read",
        title: "Read",
        description: "Reads an item or a page: its whole text with front matter and Markdown, its fields, its problems, and \
the version that propose_edit requires.",
        only_reads: true,
        is_idempotent: true,
        schema: schema::<arguments::Read>,
        run: |call, sent| reading::read(call, &parse(sent)?),
    },
    Tool {
        name: "create_draft",
        title: "Create a draft",
        description: "Creates an item or a page with the status unpublished. Only the author sees it.",
        only_reads: false,
        is_idempotent: false,
        schema: schema::<arguments::CreateDraft>,
        run: |call, sent| writing::create_draft(call, &parse(sent)?),
    },
    Tool {
        name: "propose_edit",
        title: "Propose an edit",
        description: "Edits the version of an item or page that you read, with exact replacements, front matter fields, or a \
complete new text. A draft changes at once. An edit of published content is a proposal that a person must accept, unless the \
author lets you publish. `state` in the result is `saved` or `proposed`.",
        only_reads: false,
        is_idempotent: true,
        schema: schema::<arguments::ProposeEdit>,
        run: |call, sent| writing::propose_edit(call, &parse(sent)?),
    },
    Tool {
        name: "validate",
        title: "Check",
        description: "Checks new text before it is proposed, one file, or the whole site. Returns each problem with its file, \
line, column and fix.",
        only_reads: true,
        is_idempotent: true,
        schema: schema::<arguments::Validate>,
        run: |call, sent| reading::validate(call, &parse(sent)?),
    },
    Tool {
        name: "preview",
        title: "Preview",
        description: "Shows an item or a page as visitors would see it today, with its current text or new text. Changes \
nothing.",
        only_reads: true,
        is_idempotent: true,
        schema: schema::<arguments::Preview>,
        run: |call, sent| reading::preview(call, &parse(sent)?),
    },
    Tool {
        name: "publish",
        title: "Publish",
        description: "Publishes a draft: removes its unpublished status, and adds the current time if it has no date. Readers \
see it after the first build and deploy that follows its date.",
        only_reads: false,
        is_idempotent: false,
        schema: schema::<arguments::Publish>,
        run: |call, sent| writing::publish(call, &parse(sent)?),
    },
];

/// Returns the tools of an agent. The last tool is only for agents that may publish.
pub fn tools_of(agent: Agent) -> &'static [Tool] {
    match agent.may_publish {
        true => &TOOLS,
        false => &TOOLS[..TOOLS.len() - 1],
    }
}

pub struct Tools {
    finder: Finder,
}

struct Call<'a> {
    app: &'a App,
    finder: &'a Finder,
    agent: Agent,
}

/// The result of a call.
struct CallResult {
    answer: Value,
    /// A description of the call, for the journal.
    about: String,
    /// Whether the journal already contains the write.
    is_noted: bool,
}

impl CallResult {
    fn read(about: impl Into<String>, answer: Value) -> Result<Self, ApiError> {
        let (about, is_noted) = (about.into(), false);
        Ok(Self { answer, about, is_noted })
    }

    fn written(answer: Value) -> Result<Self, ApiError> {
        let (about, is_noted) = (String::new(), true);
        Ok(Self { answer, about, is_noted })
    }
}

impl Tools {
    /// Creates the tools of the site at `root`.
    pub fn new(root: &Path) -> Self {
        let finder = Finder::new(root);
        Self { finder }
    }

    /// Calls a tool. The journal records every call, including rejected calls.
    pub fn call(&self, app: &App, agent: Agent, name: &str, sent: Value) -> Answer {
        let tool = tools_of(agent).iter().find(|tool| tool.name == name);
        let call = Call { app, finder: &self.finder, agent };
        let done = match tool {
            Some(tool) => (tool.run)(&call, sent),
            None => Err(unknown(agent, name)),
        };
        let (note, about) = match &done {
            Ok(CallResult { is_noted: true, answer, .. }) => return Ok(answer.clone()),
            Ok(done) => (name.to_owned(), done.about.as_str()),
            Err(fault) => (format!("{name} refused"), fault.message.as_str()),
        };
        let short = |text: &str| text.chars().take(MAX_DESCRIPTION).collect();
        records::note(app, agent.name, short(&note), short(about))?;
        done.map(|done| done.answer)
    }
}

fn unknown(agent: Agent, name: &str) -> ApiError {
    let names: Vec<&str> = tools_of(agent).iter().map(|tool| tool.name).collect();
    ApiError::not_found(format!(
        "unknown tool {name:?}; the available tools are: {}",
        names.join(", ")
    ))
}

/// Returns the tools in the format that a page in the browser uses to register them.
pub fn for_browser() -> Value {
    let tools = tools_of(BROWSER).iter().map(|tool| {
        json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.schema(),
            // Files can contain text written by anyone, so the agent must not treat it as
            // instructions.
            "annotations": { "readOnlyHint": tool.only_reads, "untrustedContentHint": true },
        })
    });
    json!({ "tools": tools.collect::<Value>() })
}

//! Agents in a terminal and in the browser: what they may, what they are refused, and that a person decides the rest.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::support::program;
use crate::support::served::{diff, serve};
use crate::support::small_site::{SmallSite, site, tree};
use crate::support::wait;

const WALK: &str = "content/items/walk.md";
const FOG: &str = "content/items/fog.md";

const WALK_TEXT: &str = "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"A walk\" # by the sea\ndate_published = 2026-01-05T09:00:00Z\n+++\nThe ferry was **late**.\n";

const SECRET: &str = "s3cret-of-the-author";

/// A draft.
fn draft(name: &str) -> String {
    format!(
        "---\nid: {name}\nslug: {name}\ntitle: {name}\nstatus: unpublished # mine\n---\nGrey.\n"
    )
}

/// A site with something that readers have, drafts, and files with secrets that are nobody's business.
fn sample_site() -> SmallSite {
    let mut walks = site().with(WALK, WALK_TEXT);
    for name in ["fog", "rain", "snow"] {
        walks = walks.with(&format!("content/items/{name}.md"), draft(name));
    }
    walks
        .with(".env", format!("KEY={SECRET}\n"))
        .with("keys.json", format!("{{\"key\": \"{SECRET}\"}}\n"))
        .with("content/items/.hidden.md", format!("{SECRET}\n"))
}

/// An agent in a terminal: a real process and its two pipes.
struct Terminal {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Terminal {
    fn start(root: &Path, options: &[&str]) -> Self {
        let mut child = program::command()
            .args(["mcp", "--site"])
            .arg(root)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let input = child.stdin.take();
        let mut own = Self { child, input, output, asked: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        let answer = own.ask("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "feedwright");
        own.write_line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        own
    }

    fn write_line(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
    }

    /// The answer to a request: the next line, for standard output carries nothing else.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.write_line(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string(),
        );
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn tools(&mut self) -> Vec<Value> {
        let answer = self.ask("tools/list", json!({}));
        answer["result"]["tools"].as_array().unwrap().clone()
    }

    fn answer_ping(&mut self) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.write_line(&json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string());
        // What was no request may be answered before.
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0);
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return answer["result"].clone();
            }
            assert!(answer["error"].is_object(), "{answer}");
        }
    }

    /// Ends the input, and answers the exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whoever calls tools.
trait Agent {
    /// The answer of a tool, or why it refuses.
    fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, String>;

    fn read(&mut self, file: &str) -> Value {
        self.call("read", json!({ "file": file })).unwrap()
    }

    fn version(&mut self, file: &str) -> Value {
        self.read(file)["version"].clone()
    }

    fn replace(&mut self, file: &str, old: &str, new: &str) -> Result<Value, String> {
        let version = self.version(file);
        let replacements = json!([{ "old": old, "new": new }]);
        self.call(
            "propose_edit",
            json!({ "file": file, "version": version, "replacements": replacements }),
        )
    }

    fn set(&mut self, file: &str, fields: Value) -> Result<Value, String> {
        let version = self.version(file);
        self.call("propose_edit", json!({ "file": file, "version": version, "fields": fields }))
    }

    fn replace_text(&mut self, file: &str, text: &str) -> Result<Value, String> {
        let version = self.version(file);
        self.call("propose_edit", json!({ "file": file, "version": version, "text": text }))
    }
}

impl Agent for Terminal {
    fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, String> {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        if let Some(error) = answer["error"]["message"].as_str() {
            return Err(error.to_owned());
        }
        let result = &answer["result"];
        let said = result["content"][0]["text"].as_str().unwrap();
        if result["isError"] == true {
            return Err(said.to_owned());
        }
        let structured = result["structuredContent"].clone();
        assert_eq!(serde_json::from_str::<Value>(said).unwrap(), structured);
        Ok(structured)
    }
}

/// An agent on the page of someone who has signed in.
impl Agent for Person<'_> {
    fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, String> {
        let reply = self.ask("call", &json!({ "name": tool, "arguments": arguments }));
        match reply.status {
            200 => Ok(reply.json()),
            _ => Err(reply.json()["error"].as_str().unwrap().to_owned()),
        }
    }
}

#[test]
fn each_tool_has_a_strict_schema() {
    let walks = sample_site();
    let mut agent = Terminal::start(walks.root(), &[]);
    let tools = agent.tools();
    let names = |tools: &[Value]| -> Vec<String> {
        let names = tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
        names.collect()
    };
    let own = ["search", "read", "create_draft", "propose_edit", "validate", "preview"];
    assert_eq!(names(&tools), own);
    for tool in &tools {
        let schema = &tool["inputSchema"];
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&json!("object"), &json!(false))
        );
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{}: {name}", tool["name"]);
        }
        let writes = ["create_draft", "propose_edit"].contains(&tool["name"].as_str().unwrap());
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], !writes, "{tool}");
        assert_eq!(
            (&hints["destructiveHint"], &hints["openWorldHint"]),
            (&json!(false), &json!(false))
        );
    }
    let mut publisher = Terminal::start(walks.root(), &["--allow-publish"]);
    assert_eq!(names(&publisher.tools()), [own.as_slice(), &["publish"]].concat());
    // The browser has the same ones, and never more.
    let served = serve(walks);
    let registered = person(&served).ask("tools", &json!({})).ok();
    let registered = registered["tools"].as_array().unwrap();
    assert_eq!(names(registered), own);
    for (one, other) in registered.iter().zip(&tools) {
        assert_eq!(one["inputSchema"], other["inputSchema"]);
    }
    assert_eq!(agent.end(), Some(0));
}

#[test]
fn an_agent_can_search_read_draft_and_preview() {
    let walks = sample_site();
    let mut agent = Terminal::start(walks.root(), &[]);
    let found = agent.call("search", json!({ "words": "ferry" })).unwrap();
    assert_eq!(found["results"][0]["file"], WALK);
    assert!(found["results"][0]["excerpt"].as_str().unwrap().contains("ferry"));
    let drafts = agent.call("search", json!({ "status": "unpublished", "limit": 2 })).unwrap();
    assert_eq!(drafts["results"].as_array().unwrap().len(), 2);
    assert_eq!(drafts["more"], true);
    for name in ["walk", WALK] {
        let read = agent.read(name);
        assert_eq!((&read["file"], &read["text"]), (&json!(WALK), &json!(WALK_TEXT)));
        assert_eq!(
            (&read["fields"]["title"], &read["is_public"]),
            (&json!("A walk"), &json!(true))
        );
    }
    let made = agent.call(
        "create_draft",
        json!({ "title": "A \"long\" walk", "text": "We went **far**.", "fields": { "tags": ["sea"] } }),
    );
    let made = made.unwrap();
    assert_eq!(made["file"], "content/items/a-long-walk.md");
    let text = walks.read("content/items/a-long-walk.md");
    let (id, rest) = text.split_once("\nslug").unwrap();
    assert!(id.starts_with("+++\nid = \""), "{text}");
    assert_eq!(
        rest,
        " = \"a-long-walk\"\ntitle = \"A \\\"long\\\" walk\"\nstatus = \"unpublished\"\ntags = [\"sea\"]\n+++\n\nWe went **far**.\n"
    );
    let page = agent.call("create_draft", json!({ "title": "Map", "kind": "page" })).unwrap();
    assert_eq!(page["file"], "content/pages/map.md");
    let shown = agent.call("preview", json!({ "file": "a-long-walk" })).unwrap();
    assert!(shown["text"].as_str().unwrap().contains("We went far."), "{shown}");
    let other = agent.call(
        "preview",
        json!({ "file": "walk", "text": WALK_TEXT.replace("late", "early"), "format": "html" }),
    );
    assert!(other.unwrap()["html"].as_str().unwrap().contains("<strong>early</strong>"));
    let wrong =
        agent.call("validate", json!({ "file": "walk", "text": "+++\ntitle = 3\n+++\n" })).unwrap();
    assert_eq!(
        (&wrong["problems"][0]["line"], &wrong["problems"][0]["column"]),
        (&json!(2), &json!(9))
    );
    walks.write(FOG, draft("fog").replace("Grey", "[Grey](nowhere.md)"));
    let found = agent.call("validate", json!({})).unwrap();
    assert!(found["problems"].to_string().contains("nowhere.md"), "{found}");
    assert_eq!(agent.call("validate", json!({ "file": "walk" })).unwrap()["problems"], json!([]));
    assert_eq!(walks.read(WALK), WALK_TEXT);
}

#[test]
fn an_agents_edit_of_a_draft_is_a_minimal_change() {
    let walks = sample_site();
    let mut agent = Terminal::start(walks.root(), &[]);
    agent.replace("fog", "Grey.", "White.").unwrap();
    agent.set("fog", json!({ "tags": ["sea"] })).unwrap();
    assert_eq!(diff(&draft("fog"), &walks.read(FOG)), "+tags:\n+  - sea\n-Grey.\n+White.\n");
    // Lines that end as Windows ends them stay so.
    walks.write(FOG, draft("fog").replace('\n', "\r\n"));
    agent.replace("fog", "---\nGrey.\n", "---\nGrey.\nWhite.\n").unwrap();
    assert_eq!(walks.read(FOG), format!("{}White.\r\n", draft("fog").replace('\n', "\r\n")));
    for (old, why) in [("e", "occurs 2 times"), ("Blue", "not found"), ("", "empty")] {
        let refused = agent.replace("rain", old, "x").unwrap_err();
        assert!(
            refused.contains("replacements[0].old") && (refused.contains(why) || old == "e"),
            "{refused}"
        );
    }
    assert!(agent.replace_text("fog", &walks.read(FOG)).unwrap_err().contains("changes nothing"));
}

#[test]
fn a_write_requires_the_version_that_was_read() {
    let served = serve(sample_site());
    let mut agent = Terminal::start(served.site.root(), &[]);
    let seen = agent.version("fog");
    let theirs = draft("fog").replace("Grey", "Theirs");
    served.site.write(FOG, &theirs);
    let arguments = json!({ "file": "fog", "version": seen, "fields": { "title": "Mine" } });
    let refused = agent.call("propose_edit", arguments).unwrap_err();
    assert!(refused.contains("read it again"), "{refused}");
    assert_eq!(served.site.read(FOG), theirs);
    // What the author and the server write is seen at once, and the other way round.
    assert_eq!(agent.read("fog")["text"], theirs);
    let ada = person(&served);
    let made = ada.ask("create", &json!({ "kind": "item", "title": "Tide" })).ok();
    let tide = agent.read(made["path"].as_str().unwrap());
    assert_eq!(tide["title"], "Tide");
    agent.set("tide", json!({ "summary": "High" })).unwrap();
    assert_eq!(ada.open("content/items/tide.md")["values"]["summary"], "High");
}

/// What stands in the table of who may do what.
fn mark(is_done: bool) -> &'static str {
    if is_done { "yes" } else { "no" }
}

/// What comes of all that an agent can try, on a site of its own.
fn try_all_tools(agent: &mut dyn Agent, site: &SmallSite) -> [&'static str; 7] {
    let names = || -> Vec<String> { tree(&site.path("content")).into_keys().collect() };
    let read = agent.call("read", json!({ "file": "walk" })).is_ok();
    let before = names();
    let drafted =
        agent.call("create_draft", json!({ "title": "New" })).is_ok() && names() != before;
    let _ = agent.replace("fog", "Grey", "White");
    let edited = site.read(FOG).contains("White");
    let proposed = agent.replace("walk", "late", "early");
    let changed = match (proposed, site.read(WALK).contains("early")) {
        (Ok(_), false) => "asks",
        (_, is_changed) => mark(is_changed),
    };
    let rain = draft("rain");
    let public = rain.replace("status: unpublished # mine\n", "");
    let version = agent.version("rain");
    let _ = agent.set("rain", json!({ "status": null }));
    let _ = agent
        .set("rain", json!({ "status": "published", "date_published": "2026-01-01T00:00:00Z" }));
    let _ = agent.set("rain", json!({ "status": "unlisted" }));
    let _ = agent.replace("rain", "status: unpublished # mine\n", "");
    let _ = agent.replace_text("rain", &public);
    let _ = agent.replace_text("rain", "---\ntitle: [\n---\n");
    let _ = agent.replace_text("rain", "No front matter.\n");
    let _ = agent.call("publish", json!({ "file": "rain", "version": version }));
    let version = agent.version("rain");
    let _ = agent.call("publish", json!({ "file": "rain", "version": version }));
    for fields in
        [json!({ "status": "published" }), json!({ "status": null }), json!({ "id": "rain" })]
    {
        let _ = agent.call("create_draft", json!({ "title": "Loud", "fields": fields }));
    }
    let published =
        site.read("content/items/rain.md") != rain || site.path("content/items/loud.md").exists();
    let version = agent.version("snow");
    for tool in ["delete", "remove", "remove_draft", "accept", "discard", "save", "sign-out"] {
        let _ = agent.call(tool, json!({ "file": "snow", "version": version, "path": "content/items/snow.md", "id": "" }));
    }
    let _ = agent.replace_text("snow", "");
    let deleted = !site.path("content/items/snow.md").exists()
        || site.read("content/items/snow.md").is_empty();
    let mut learned = String::new();
    for file in [
        ".env",
        "keys.json",
        "../.env",
        "/.env",
        "content/../.env",
        "content/items/../../.env",
        "site.toml",
        "content/channel.md",
        "content/items/.hidden.md",
        ".hidden",
        ".feedwright/state.sqlite",
        site.path(".env").to_str().unwrap(),
        "content/items",
        "",
        "\0",
        "content/items/walk.md/../../../.env",
    ] {
        for tool in ["read", "preview", "validate"] {
            if let Ok(told) = agent.call(tool, json!({ "file": file })) {
                learned += &told.to_string();
            }
        }
    }
    for field in ["transcripts", "chapters"] {
        for file in [
            "../../.env", "../../keys.json", "%2E%2E/../keys.json", "\" ../../keys.json\"",
            "\"../../keys.json \"",
        ] {
            let text = draft("fog").replace(
                "---\nGrey",
                &format!("podcast:\n  {field}: {file}\nattachment: {file}\n---\nGrey"),
            );
            for tool in ["preview", "validate"] {
                learned += &match agent.call(tool, json!({ "file": "fog", "text": text })) {
                    Ok(told) => told.to_string(),
                    Err(told) => told,
                };
            }
        }
    }
    [
        mark(read),
        mark(drafted),
        mark(edited),
        changed,
        mark(published),
        mark(deleted),
        mark(learned.contains(SECRET)),
    ]
}

/// The same for who has no tools, by all operations of the editor.
fn try_all_operations(
    person: &Person<'_>,
    headers: Option<&[(&str, &str)]>,
    site: &SmallSite,
) -> [&'static str; 7] {
    let ask = |operation: &str, body: Value| match headers {
        Some(headers) => person.ask_with(operation, headers, &body),
        None => person.ask(operation, &body),
    };
    let text = |path: &str| fs::read_to_string(site.path(path)).unwrap_or_default();
    let open = |path: &str| ask("open", json!({ "path": path })).json();
    let save = |path: &str, text: &str| {
        let version = open(path)["version"].clone();
        ask("save", json!({ "path": path, "text": text, "version": version }))
    };
    let read = ask("open", json!({ "path": WALK })).status == 200;
    ask("create", json!({ "kind": "item", "title": "New" }));
    let drafted = site.path("content/items/new.md").exists();
    save(FOG, &draft("fog").replace("Grey", "White"));
    save(WALK, &WALK_TEXT.replace("late", "early"));
    let rain = "content/items/rain.md";
    save(rain, &draft("rain").replace("status: unpublished # mine\n", ""));
    ask("call", json!({ "name": "create_draft", "arguments": { "title": "Called" } }));
    let is_called = site.path("content/items/called.md").exists();
    assert_eq!(is_called, headers.is_none());
    ask("remove", json!({ "path": "content/items/snow.md" }));
    let learned: String = [".env", "keys.json", "content/items/.hidden.md"]
        .map(|path| ask("open", json!({ "path": path })).text())
        .concat();
    [
        mark(read),
        mark(drafted),
        mark(text(FOG).contains("White")),
        mark(text(WALK).contains("early")),
        mark(!text(rain).contains("status")),
        mark(!site.path("content/items/snow.md").exists()),
        mark(learned.contains(SECRET)),
    ]
}

#[test]
fn each_client_has_its_permissions() {
    let served = || serve(sample_site());
    let mut table = String::new();
    let mut row = |who: &str, marks: [&'static str; 7]| {
        let marks = marks.map(|mark| format!("{mark:<6}")).concat();
        table += &format!("{who:<20}{}\n", marks.trim_end());
    };
    let (site, other) = (served(), served());
    row("anonymous", try_all_operations(&person(&site), Some(&[]), &site.site));
    row("person", try_all_operations(&person(&other), None, &other.site));
    let site = served();
    row("browser agent", try_all_tools(&mut person(&site), &site.site));
    for (who, options) in
        [("terminal agent", &[][..]), ("with --allow-publish", &["--allow-publish"])]
    {
        let site = sample_site();
        row(who, try_all_tools(&mut Terminal::start(site.root(), options), &site));
    }
    assert_eq!(
        table,
        //                  read  draft edit  edit  publish delete key
        //                              draft published
        "anonymous           no    no    no    no    no    no    no\n\
         person              yes   yes   yes   yes   yes   yes   no\n\
         browser agent       yes   yes   yes   asks  no    no    no\n\
         terminal agent      yes   yes   yes   asks  no    no    no\n\
         with --allow-publishyes   yes   yes   yes   yes   no    no\n"
    );
}

#[test]
fn publishing_sets_a_date() {
    let walks = sample_site();
    let mut agent = Terminal::start(walks.root(), &["--allow-publish"]);
    let date = |name: &str| {
        let text = walks.read(&format!("content/items/{name}.md"));
        assert!(!text.contains("unpublished"), "{text}");
        let line = text.lines().find_map(|line| line.strip_prefix("date_published: "));
        line.map(|date| date.trim_matches(['"', '\'']).parse::<jiff::Timestamp>().unwrap())
    };
    let is_now =
        |date: jiff::Timestamp| jiff::Timestamp::now().duration_since(date).as_secs().abs() < 100;
    let version = agent.version("fog");
    agent.call("publish", json!({ "file": "fog", "version": version })).unwrap();
    assert!(date("fog").is_some_and(is_now));
    // At a chosen time, and by an edit.
    let version = agent.version("rain");
    let chosen = json!({ "file": "rain", "version": version, "date": "2030-01-05T09:00:00Z" });
    agent.call("publish", chosen).unwrap();
    assert_eq!(date("rain"), Some("2030-01-05T09:00:00Z".parse().unwrap()));
    agent.set("snow", json!({ "status": null })).unwrap();
    assert!(date("snow").is_some_and(is_now));
}

#[test]
fn arguments_outside_the_schema_are_refused() {
    let walks = sample_site();
    let mut agent = Terminal::start(walks.root(), &["--allow-publish"]);
    let before = tree(&walks.path("content"));
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    for (tool, arguments, why) in [
        ("search", json!({ "words": 5 }), "arguments.words: invalid type: integer `5`"),
        ("search", json!({ "word": "x" }), "arguments.word: unknown field"),
        ("search", json!({ "limit": -1 }), "arguments.limit"),
        ("search", json!({ "limit": 0 }), "arguments.limit: must be 1 to 100"),
        ("search", json!({ "limit": 1e300 }), "arguments.limit"),
        ("search", json!({ "words": "x".repeat(201) }), "arguments.words"),
        ("search", json!({ "status": "draft" }), "arguments.status: unknown variant `draft`"),
        ("read", json!({}), "missing field `file`"),
        ("read", json!({ "file": ["walk"] }), "arguments.file"),
        ("read", json!({ "file": "walk", "file2": "x" }), "arguments.file2"),
        ("read", json!({ "file": "x".repeat(100_000) }), "not found"),
        ("create_draft", json!({ "title": "" }), "title"),
        ("create_draft", json!({ "title": "\u{202e}\0" }), "title"),
        ("create_draft", json!({ "title": "x", "fields": [] }), "arguments.fields"),
        ("create_draft", json!({ "title": "x", "fields": { "tags": deep } }), ""),
        ("create_draft", json!({ "title": "x", "fields": { "a\nstatus": "published" } }), ""),
        ("create_draft", json!({ "title": "x", "fields": { "language": 5 } }), "language"),
        ("create_draft", json!({ "title": "x", "fields": { "slug": "walk" } }), "already used by"),
        (
            "create_draft",
            json!({ "title": "x", "fields": { "aliases": ["walk"] } }),
            "already used by",
        ),
        ("propose_edit", json!({ "file": "fog" }), "missing field `version`"),
        ("propose_edit", json!({ "file": "fog", "version": "0" }), "read it again"),
        (
            "propose_edit",
            json!({ "file": "fog", "version": "0", "replacements": [{ "old": "x" }] }),
            "arguments.replacements[0]: missing field `new`",
        ),
        ("validate", json!({ "text": "x" }), "arguments.file"),
        (
            "preview",
            json!({ "file": "fog", "format": "pdf" }),
            "arguments.format: unknown variant `pdf`",
        ),
        ("publish", json!({ "file": "walk", "version": agent.version("walk") }), "is not a draft"),
        (
            "publish",
            json!({ "file": "rain", "version": agent.version("rain"), "date": "soon" }),
            "arguments.date: \"soon\" is not an RFC 3339 date",
        ),
        ("no such tool", json!({}), "unknown tool"),
        ("", json!({}), "unknown tool"),
    ] {
        match agent.call(tool, arguments.clone()) {
            Err(refused) => assert!(refused.contains(why), "{tool} {arguments}: {refused}"),
            // What is a field of nobody is one that the author might have typed.
            Ok(done) => assert!(why.is_empty(), "{tool} {arguments}: {done}"),
        }
    }
    for path in before.keys() {
        assert_eq!(tree(&walks.path("content"))[path], before[path], "{path}");
    }
    // What is no message of the protocol ends nothing.
    for line in ["rubbish", "[]", "{}", "\u{1}", r#"{"jsonrpc":"2.0","method":"tools/call"}"#] {
        agent.write_line(line);
    }
    assert_eq!(agent.answer_ping(), json!({}));
    assert_eq!(agent.end(), Some(0));
    let mut gone = program::command();
    gone.args(["mcp", "--site"]).arg(walks.root()).stdin(Stdio::null());
    let gone = gone.output().unwrap();
    assert_eq!((gone.status.code(), gone.stdout.len()), (Some(0), 0));
}

#[cfg(unix)]
#[test]
fn symbolic_links_do_not_lead_agents_out_of_the_site() {
    let walks = sample_site()
        .link("content/items/env.md", "../../.env")
        .link("content/items/keys.md", "../../keys.json")
        .link("content/items/away.md", "/etc/passwd")
        .link("content/items/folder", "../..")
        .link("content/items/same.md", "walk.md")
        .link("content/media/keys.txt", "../../keys.json");
    let mut agent = Terminal::start(walks.root(), &["--allow-publish"]);
    for file in [
        "content/items/env.md", "content/items/keys.md", "content/items/away.md",
        "content/items/folder/README.md", "env",
    ] {
        for tool in ["read", "preview", "validate"] {
            let refused = agent.call(tool, json!({ "file": file })).unwrap_err();
            assert!(refused.starts_with("file: ") && !refused.contains(SECRET), "{refused}");
        }
    }
    assert_eq!(agent.read("content/items/same.md")["text"], WALK_TEXT);
    // Nor do its own texts name what lies elsewhere, whatever they name it by.
    for named in
        ["../media/keys.txt", "/media/keys.txt", "env.md", "../../keys.json", " ../../keys.json"]
    {
        for fields in [
            json!({ "podcast": { "transcripts": [{ "url": named, "type": "text/plain" }] } }),
            json!({ "podcast": { "chapters": named } }),
            json!({ "attachment": named }),
        ] {
            let draft = json!({ "title": "Taken", "fields": fields });
            let refused = agent.call("create_draft", draft).unwrap_err();
            assert!(!refused.contains(SECRET), "{refused}");
        }
    }
    for text in ["[x](../../keys.json)", "![x](../media/keys.txt)", "<img src='../../keys.json'>"] {
        let draft = json!({ "title": "Taken", "text": text });
        assert!(agent.call("create_draft", draft).is_err(), "{text}");
    }
    // What its author named, an agent leaves there.
    let own = "---\nid: own\ntitle: Own\nstatus: unpublished\n---\n[Keys](../../keys.json)\n";
    walks.write("content/items/own.md", own);
    agent.replace("own", "title: Own", "title: Mine").unwrap();
    for (tool, arguments) in [
        ("validate", json!({})),
        ("search", json!({ "limit": 100 })),
        ("search", json!({ "words": "s3cret" })),
    ] {
        let told = agent.call(tool, arguments).unwrap().to_string();
        assert!(!told.contains(SECRET) && !told.contains("keys.md\",\"id"), "{told}");
    }
}

#[test]
fn public_changes_need_acceptance_by_a_person() {
    let served = serve(sample_site());
    let mut agent = Terminal::start(served.site.root(), &[]);
    let mut ada = person(&served);
    let proposed = agent.replace("walk", "late", "early").unwrap();
    assert_eq!(proposed["state"], "proposed");
    // The same once more is the same; the one in the browser may propose, too.
    assert_eq!(agent.replace("walk", "late", "early").unwrap()["proposal"], proposed["proposal"]);
    ada.set("walk", json!({ "title": "A long walk" })).unwrap();
    assert_eq!(ada.ask("site", &json!({})).ok()["proposals"], 2);
    let waiting = ada.ask("agents", &json!({})).ok();
    let ids: Vec<&str> = waiting["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(waiting["proposals"][1]["after"], WALK_TEXT.replace("late", "early"));
    assert_eq!(served.site.read(WALK), WALK_TEXT);
    ada.ask("accept", &json!({ "id": ids[1] })).ok();
    assert_eq!(served.site.read(WALK), WALK_TEXT.replace("late", "early"));
    assert!(served.get("/i/walk/").text().contains("early"));
    // The other was made for a text that is no more: both are shown, and nothing is written.
    let conflict = ada.ask("accept", &json!({ "id": ids[0] }));
    assert_eq!(conflict.status, 409);
    assert_eq!(conflict.json()["there"], WALK_TEXT.replace("late", "early"));
    assert_eq!(served.site.read(WALK), WALK_TEXT.replace("late", "early"));
    fs::remove_file(served.site.path(WALK)).unwrap();
    let gone = ada.ask("accept", &json!({ "id": ids[0] }));
    assert_eq!((gone.status, &gone.json()["there"]), (409, &Value::Null));
    ada.ask("discard", &json!({ "id": ids[0] })).ok();
    ada.ask("accept", &json!({ "id": ids[0] })).error(404);
    assert_eq!(ada.ask("agents", &json!({})).ok()["proposals"], json!([]));
}

#[test]
fn an_acceptance_without_a_received_answer_is_applied_once() {
    let served = serve(sample_site());
    let mut agent = Terminal::start(served.site.root(), &[]);
    let ada = person(&served);
    let proposed = agent.replace("walk", "late", "early").unwrap();
    // The server ended after the write.
    served.site.write(WALK, WALK_TEXT.replace("late", "early"));
    let id = &proposed["proposal"];
    ada.ask("accept", &json!({ "id": id })).ok();
    assert_eq!(ada.ask("agents", &json!({})).ok()["proposals"], json!([]));
    ada.ask("accept", &json!({ "id": id })).error(404);
}

#[test]
fn a_draft_does_not_change_published_content() {
    let public = WALK_TEXT.replace("late", "late, says [[Ada]]");
    let ada = WALK_TEXT.replace("walk", "ada").replace("A ada", "Ada");
    let served = serve(sample_site().with(WALK, public).with("content/items/ada.md", ada));
    let read = || ["/i/walk/", "/rss/", "/json/", "/"].map(|path| served.get(path).text());
    let before = read();
    assert!(before[0].contains("/i/ada/\">Ada</a>"), "{}", before[0]);
    let mut agent = Terminal::start(served.site.root(), &[]);
    for kind in ["item", "page"] {
        let drafted = agent.call("create_draft", json!({ "title": "Ada", "kind": kind }));
        drafted.unwrap();
        assert_eq!(read(), before, "{kind}");
    }
    // Published by its author, it is another one of this name.
    let path = served.site.path("content/pages/ada.md");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("status = \"unpublished\"\n", "")).unwrap();
    wait::until(|| read()[0] != before[0]);
}

#[test]
fn at_most_a_hundred_proposals_are_pending() {
    let walks = sample_site();
    let mut agent = Terminal::start(walks.root(), &[]);
    for number in 0..100 {
        agent.set("walk", json!({ "title": format!("Walk {number}") })).unwrap();
    }
    let refused = agent.set("walk", json!({ "title": "One more" })).unwrap_err();
    assert!(refused.contains("a person must"), "{refused}");
    assert_eq!(walks.read(WALK), WALK_TEXT);
}

#[test]
fn each_call_is_in_the_journal() {
    let served = serve(sample_site());
    let mut agent = Terminal::start(served.site.root(), &[]);
    let mut ada = person(&served);
    agent.call("search", json!({ "words": "ferry" })).unwrap();
    agent.read("walk");
    ada.set("fog", json!({ "title": "Fog!" })).unwrap();
    agent.call("publish", json!({})).unwrap_err();
    let proposed = agent.replace("walk", "late", "early").unwrap();
    ada.ask("accept", &json!({ "id": proposed["proposal"] })).ok();
    let journal = served.journal();
    let journal: Vec<String> = journal
        .iter()
        .map(|entry| format!("{} {} {}", entry.key_id, entry.operation, entry.subject))
        .collect();
    assert_eq!(
        journal,
        [
            "agent-terminal search \"ferry\"",
            "agent-terminal read content/items/walk.md",
            "agent-browser read content/items/fog.md",
            "agent-browser propose_edit content/items/fog.md",
            "agent-terminal publish refused unknown tool \"publish\"; the available tools are: search, read, create_draft, propose_edit, validate, preview",
            "agent-terminal read content/items/walk.md",
            "agent-terminal propose_edit content/items/walk.md",
            "editor accept_proposal content/items/walk.md",
        ]
    );
    // A person sees the calls of agents, the newest first, and which of them wrote.
    let calls = ada.ask("agents", &json!({})).ok()["calls"].clone();
    assert_eq!(calls.as_array().unwrap().len(), 7);
    let wrote: Vec<&Value> =
        calls.as_array().unwrap().iter().filter(|call| call["path"].is_string()).collect();
    assert_eq!(wrote.len(), 1);
    assert_eq!((&wrote[0]["agent"], &wrote[0]["path"]), (&json!("agent-browser"), &json!(FOG)));
}

#[test]
fn agents_cannot_read_configuration_and_secrets() {
    let walks = sample_site()
        .with(
            "content/calendars/private/event.md",
            format!("+++\nsummary = \"Private\"\nstart = 2026-11-20\n+++\n{SECRET}\n"),
        )
        .with(
            "content/calendars/private/calendar.toml",
            format!("description = \"{SECRET}\"\ntimeZone = \"Europe/Berlin\"\n"),
        )
        .with("content/redirects.toml", format!("# {SECRET}\n"));
    let mut agent = Terminal::start(walks.root(), &["--allow-publish"]);
    for named in [
        "../calendars/private/event.md", "../calendars/private/calendar.toml", "../redirects.toml",
        "%2e%2e/calendars/private/event.md", "/media/calendars/private/event.md",
        "../pages/../calendars/private/event.md",
    ] {
        for fields in [
            json!({ "podcast": { "transcripts": [{ "url": named, "type": "text/plain" }] } }),
            json!({ "podcast": { "chapters": named } }),
            json!({ "attachment": named }),
        ] {
            let draft = json!({ "title": "Taken", "fields": fields });
            let refused = agent.call("create_draft", draft).unwrap_err();
            assert!(!refused.contains(SECRET), "{refused}");
        }
        let text = format!(
            "---\nid: walk\ntitle: Taken\npodcast:\n  transcripts:\n    - url: \"{named}\"\n      type: text/plain\n---\n![x]({named})\n"
        );
        for (tool, arguments) in [
            ("preview", json!({ "file": "walk", "text": text })),
            ("preview", json!({ "file": "walk", "text": text, "format": "html" })),
            ("validate", json!({ "file": "walk", "text": text })),
        ] {
            let told = match agent.call(tool, arguments) {
                Ok(answer) => answer.to_string(),
                Err(refused) => refused,
            };
            assert!(!told.contains(SECRET), "{tool} of {named}: {told}");
        }
    }
}

//! The help texts of all commands and options: short, in one style, with examples that the program accepts.

/// The verbs with which help texts of commands start. Add the verb of a new command.
const VERBS: [&str; 20] = [
    "Build", "Check", "Count", "Create", "Fetch", "Import", "List", "Manage", "Open", "Preview",
    "Print", "Render", "Replace", "Retry", "Revoke", "Search", "Send", "Serve", "Test", "Validate",
];

/// Words with which no help text of an option starts: it starts with a noun or a verb.
const FORBIDDEN_FIRST_WORDS: [&str; 20] = [
    "A", "All", "An", "At", "Her", "His", "How", "It", "Its", "Let", "That", "The", "Their",
    "This", "Those", "What", "When", "Where", "Which", "Who",
];

const MAX_WORDS: usize = 12;

/// The page with the longer explanations.
const PAGE: &str = include_str!("../../content/pages/command-line.md");

/// The faults of the help text of a command or an option.
fn faults(text: &str, is_command: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let words = text.split_whitespace().count();
    let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if words > MAX_WORDS {
        faults.push(format!("has {words} words, and may have {MAX_WORDS}"));
    }
    if !text.starts_with(char::is_uppercase) {
        faults.push("does not start with a capital letter".into());
    }
    if text.ends_with('.') || text.contains(". ") || text.contains("; ") {
        faults.push("is more than one phrase, or ends in a period".into());
    }
    if is_command && !VERBS.contains(&first) {
        faults.push(format!("starts with {first:?}, which is not in VERBS"));
    }
    if FORBIDDEN_FIRST_WORDS.contains(&first) {
        faults.push(format!("starts with {first:?}, not with a noun or a verb"));
    }
    faults
}

/// The arguments of a command line, without what the shell does with the output.
fn words(line: &str) -> Vec<String> {
    let line = line.split(" >").next().unwrap_or_default();
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            (' ', None) => words.push(std::mem::take(&mut word)),
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (c, _) => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The command lines that end a help text, and the faults of their heading and number.
fn examples(after_help: &str) -> (Vec<&str>, Option<&'static str>) {
    let mut lines = after_help.lines();
    let heading = lines.next().unwrap_or_default();
    let lines: Vec<&str> = lines.collect();
    let fault = match (heading, lines.len()) {
        ("Example:", 1) | ("Examples:", 2 | 3) => None,
        _ => Some("has to end with \"Example:\" or \"Examples:\" and one to three command lines"),
    };
    (lines, fault)
}

#[test]
fn every_help_text_is_short_and_has_examples() {
    let program = feedwright::cli::command();
    let mut wrong = Vec::new();
    let mut commands = vec![(program.get_name().to_owned(), program.clone())];
    let mut checked = 0;
    while let Some((name, command)) = commands.pop() {
        checked += 1;
        let mut check = |what: &str, text: String, is_command| {
            let faults = faults(&text, is_command).into_iter();
            wrong.extend(faults.map(|fault| format!("{name}{what}: {text:?} {fault}")));
        };
        let about = command.get_about().map(ToString::to_string);
        check("", about.unwrap_or_default(), true);
        for argument in command.get_arguments().filter(|one| !one.is_hide_set()) {
            let what = format!(" ({})", argument.get_id());
            let help = argument.get_help().map(ToString::to_string);
            check(&what, help.unwrap_or_default(), false);
            for value in argument.get_possible_values() {
                if let Some(help) = value.get_help() {
                    check(&format!("{what} {}", value.get_name()), help.to_string(), false);
                }
            }
        }
        let after_help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let (lines, fault) = examples(&after_help);
        wrong.extend(fault.map(|fault| format!("{name}: the help {fault}")));
        for line in lines {
            let typed = words(line).join(" ");
            if !format!("{typed} ").starts_with(&format!("{name} ")) || !line.starts_with("  ") {
                wrong.push(format!("{name}: {line:?} is not an indented line of this command"));
            }
            if line.chars().count() > 80 {
                wrong.push(format!("{name}: {line:?} is wider than 80 columns"));
            }
            if let Err(error) = program.clone().try_get_matches_from(words(line)) {
                wrong.push(format!("{name}: {line:?} is not accepted: {error}"));
            }
        }
        let inner = command.get_subcommands().filter(|one| !one.is_hide_set());
        commands.extend(inner.map(|one| (format!("{name} {}", one.get_name()), one.clone())));
    }
    assert!(checked > 40, "only {checked} commands");
    assert!(wrong.is_empty(), "{} help texts:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_poor_help_text_is_reported() {
    for (text, is_command) in [
        ("Print JSON Schemas for site.toml and front matter", true),
        ("Site folder [default: this or the nearest parent with site.toml]", false),
    ] {
        assert!(faults(text, is_command).is_empty(), "{text}");
    }
    for (text, is_command) in [
        ("", false),
        ("the folder", false),
        ("The folder", false),
        ("What a line is for", false),
        ("Folder of the site.", false),
        ("Write nothing; answer no API", false),
        ("Bring a show here", true),
        ("Build one two three four five six seven eight nine ten eleven twelve", true),
    ] {
        assert!(!faults(text, is_command).is_empty(), "{text}");
    }
}

/// The section of the page about a command and its subcommands, up to the next heading of its level.
fn section(command: &str) -> &'static str {
    let heading = format!("\n## {command}");
    let (_, section) = PAGE.split_once(&heading).unwrap_or_else(|| panic!("no section {command}"));
    section.split("\n## ").next().unwrap_or_default()
}

#[test]
fn the_documentation_explains_every_option() {
    let program = feedwright::cli::command();
    let mut missing = Vec::new();
    for argument in program.get_arguments().filter_map(|one| one.get_long()) {
        if !PAGE.contains(&format!("`--{argument}")) {
            missing.push(format!("--{argument}"));
        }
    }
    let outer = program.get_subcommands().map(|one| (one.get_name().to_owned(), one.clone()));
    let mut commands: Vec<_> = outer.collect();
    while let Some((name, command)) = commands.pop() {
        let section = section(name.split(' ').next().unwrap_or_default());
        if name.contains(' ') && !section.contains(&name) {
            missing.push(name.clone());
        }
        for option in command.get_arguments().filter(|one| !one.is_hide_set()) {
            if let Some(option) = option.get_long()
                && !section.contains(&format!("`--{option}"))
            {
                missing.push(format!("{name} --{option}"));
            }
        }
        let inner = command.get_subcommands();
        commands.extend(inner.map(|one| (format!("{name} {}", one.get_name()), one.clone())));
    }
    assert!(missing.is_empty(), "not in content/pages/command-line.md: {missing:#?}");
}

#[test]
fn the_documentation_is_short() {
    let words = PAGE.split_whitespace().count();
    assert!(words <= 2800, "{words} words");
}

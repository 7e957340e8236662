//! Parses the text of a statement to a syntax tree of limited depth.

use sqlparser::ast::Statement;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::bind_error::{BindError, BindResult};
use super::dialect::{WarehouseDialect, typed_arrays};

/// Maximum length of a statement, in bytes: 1 MiB.
const MAX_STATEMENT_BYTES: usize = 1024 * 1024;
/// Maximum nesting depth of parentheses and prefix operators.
const MAX_DEPTH: usize = 40;
/// Maximum number of tokens in an expression, not counting tokens in parentheses. The limit is
/// needed because the depth of the tree of `1 + 1 + …` is the number of operators.
const MAX_RUN_TOKENS: usize = 1500;
/// Maximum number of set operators. SQLite limits a compound query to 500 parts.
const MAX_SET_OPERATORS: usize = 400;

/// A parsed statement.
pub(super) struct Parsed {
    pub statement: Statement,
    /// The location of each `?`, in text order.
    pub placeholder_locations: Vec<Location>,
}

pub(super) fn parse(text: &str) -> BindResult<Parsed> {
    if text.len() > MAX_STATEMENT_BYTES {
        return Err(format!("a statement must be at most {MAX_STATEMENT_BYTES} bytes").into());
    }
    let tokens = tokenize(text)?;
    check_depth(&tokens)?;
    single(&tokens)?;
    let placeholder_locations = tokens
        .iter()
        .filter(|found| matches!(&found.token, Token::Placeholder(sign) if sign == "?"));
    let placeholder_locations = placeholder_locations.map(|found| found.span.start).collect();
    let mut parser = Parser::new(&WarehouseDialect)
        .with_recursion_limit(MAX_DEPTH)
        .with_tokens_with_locations(typed_arrays(tokens));
    let statement = parser.parse_statement().map_err(|error| syntax(&error))?;
    while parser.consume_token(&Token::SemiColon) {}
    let rest = parser.peek_token_ref();
    match rest.token {
        Token::EOF => Ok(Parsed { statement, placeholder_locations }),
        _ => Err(BindError::place(
            format!(
                "Syntax error: expected the end of the statement, not {}",
                token_text(&rest.token)
            ),
            rest.span.start,
        )),
    }
}

/// Returns the query in the text of a `CREATE VIEW` statement.
pub(super) fn view_query(text: &str) -> Option<&str> {
    let tokens = tokenize(text).ok()?;
    let mut depth = 0;
    let begin = tokens.iter().find(|found| {
        match &found.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0 && is_keyword(&found.token, Keyword::AS)
    })?;
    let end = tokens.iter().rev().find(|found| {
        !matches!(found.token, Token::Whitespace(_) | Token::SemiColon | Token::EOF)
    })?;
    let begin = offset(text, begin.span.end)?;
    let end = offset(text, end.span.end)?;
    Some(text.get(begin..end)?.trim())
}

/// Converts a location in the text to a byte offset.
fn offset(text: &str, at: Location) -> Option<usize> {
    let line = usize::try_from(at.line).ok()?.checked_sub(1)?;
    let column = usize::try_from(at.column).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let within: usize = text.get(start..)?.chars().take(column).map(char::len_utf8).sum();
    Some(start + within)
}

fn tokenize(text: &str) -> BindResult<Vec<TokenWithSpan>> {
    // Escapes are left for `literals`, because the parser would resolve them according to another
    // dialect.
    Tokenizer::new(&WarehouseDialect, text).with_unescape(false).tokenize_with_location().map_err(
        |error| BindError::place(format!("Syntax error: {}", error.message), error.location),
    )
}

fn is_keyword(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword && word.quote_style.is_none())
}

/// Returns an error if the syntax tree of a statement would be too deep for recursive code.
fn check_depth(tokens: &[TokenWithSpan]) -> BindResult<()> {
    let mut runs = vec![0_usize];
    let mut set_operators = 0;
    for found in tokens {
        match &found.token {
            Token::Whitespace(_) => continue,
            Token::LParen | Token::LBracket => runs.push(0),
            Token::RParen | Token::RBracket if runs.len() > 1 => drop(runs.pop()),
            Token::Comma | Token::SemiColon => begin(&mut runs),
            Token::Word(word) if word.quote_style.is_none() => match word.keyword {
                Keyword::WHEN
                | Keyword::THEN
                | Keyword::SELECT
                | Keyword::FROM
                | Keyword::WHERE => {
                    begin(&mut runs);
                }
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT => set_operators += 1,
                _ => {}
            },
            _ => {}
        }
        let is_long = runs.last_mut().is_some_and(|run| {
            *run += 1;
            *run > MAX_RUN_TOKENS
        });
        if is_long || set_operators > MAX_SET_OPERATORS {
            return Err(BindError::place(
                "the statement is too complex here: shorten the expression with IN or UNNEST, or move parts of it to WITH",
                found.span.start,
            ));
        }
    }
    Ok(())
}

fn begin(runs: &mut [usize]) {
    if let Some(run) = runs.last_mut() {
        *run = 0;
    }
}

/// Unsupported statements of other databases, and their alternatives.
const UNSUPPORTED_STATEMENTS: [(Keyword, &str); 22] = [
    (Keyword::ATTACH, "refer to datasets by their names"),
    (Keyword::DETACH, "refer to datasets by their names"),
    (Keyword::PRAGMA, "there are no settings to read or change"),
    (Keyword::VACUUM, "the warehouse needs no maintenance"),
    (Keyword::ANALYZE, "the warehouse needs no maintenance"),
    (Keyword::EXPLAIN, "run the query with dryRun to get its tables and result columns"),
    (Keyword::COPY, "start a copy, load or extract job"),
    (Keyword::EXPORT, "start an extract job"),
    (Keyword::LOAD, "start a load job"),
    (Keyword::DECLARE, SCRIPT_HELP),
    (Keyword::BEGIN, SCRIPT_HELP),
    (Keyword::COMMIT, SCRIPT_HELP),
    (Keyword::ROLLBACK, SCRIPT_HELP),
    (Keyword::SET, SCRIPT_HELP),
    (Keyword::IF, SCRIPT_HELP),
    (Keyword::WHILE, SCRIPT_HELP),
    (Keyword::FOR, SCRIPT_HELP),
    (Keyword::CALL, SCRIPT_HELP),
    (Keyword::EXECUTE, SCRIPT_HELP),
    (Keyword::MERGE, "run an UPDATE and an INSERT"),
    (Keyword::GRANT, "access depends on the scopes of each key"),
    (Keyword::REVOKE, "access depends on the scopes of each key"),
];
const SCRIPT_HELP: &str = "a job runs one statement, not a script: start a job for each statement";

/// Returns an error if there is not exactly one statement, or if it is in
/// [`UNSUPPORTED_STATEMENTS`].
fn single(tokens: &[TokenWithSpan]) -> BindResult<()> {
    let mut words = tokens.iter().filter(|found| !matches!(found.token, Token::Whitespace(_)));
    let Some(first) = words.next() else {
        return Err("the query is empty: write a statement".into());
    };
    if let Some((_, instead)) =
        UNSUPPORTED_STATEMENTS.iter().find(|(word, _)| is_keyword(&first.token, *word))
    {
        return Err(BindError::place(
            format!("{} is not supported: {instead}", token_text(&first.token)),
            first.span.start,
        ));
    }
    let ended = words
        .skip_while(|found| found.token != Token::SemiColon)
        .find(|found| !matches!(found.token, Token::SemiColon | Token::EOF));
    match ended {
        None => Ok(()),
        Some(found) => Err(BindError::place(SCRIPT_HELP, found.span.start)),
    }
}

fn token_text(token: &Token) -> String {
    let text = token.to_string();
    let short: String = text.chars().take(60).collect();
    if short.len() == text.len() { text } else { format!("{short}…") }
}

/// Converts an error from the parser. The parser's message can end with a location such as
/// ` at Line: 1, Column: 8`.
fn syntax(error: &ParserError) -> BindError {
    let message = match error {
        ParserError::RecursionLimitExceeded => {
            return "the statement is nested too deeply: move parts of it to WITH".into();
        }
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
    };
    let placed = message.rsplit_once(" at Line: ").and_then(|(text, at)| {
        let (line, column) = at.split_once(", Column: ")?;
        let at = Location { line: line.parse().ok()?, column: column.trim().parse().ok()? };
        Some((text, at))
    });
    let message =
        |text: &str| format!("Syntax error: {}", text.chars().take(300).collect::<String>());
    match placed {
        Some((text, at)) if at.line > 0 => BindError::place(message(text), at),
        Some((text, _)) => message(text).into(),
        None => message(message_of(error)).into(),
    }
}

fn message_of(error: &ParserError) -> &str {
    match error {
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
        ParserError::RecursionLimitExceeded => "nested too deeply",
    }
}

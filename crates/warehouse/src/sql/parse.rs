//! Reads the text of a statement into its syntax tree, within bounds.

use sqlparser::ast::Statement;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use super::dialect::{Warehouse, typed_arrays};
use super::wrong::{Bound, Wrong};

/// Most bytes of a statement: 1 MiB.
const LONGEST: usize = 1024 * 1024;
/// Deepest nesting of parentheses and operators before an operand.
const DEEPEST: usize = 40;
/// Most tokens of one expression outside of its parentheses. The tree of `1 + 1 + …` is as deep as it is long.
const LONGEST_RUN: usize = 1500;
/// Most set operators. SQLite takes 500 parts of a compound query.
const MOST_SET_OPERATORS: usize = 400;

/// A statement that was read.
pub(super) struct Parsed {
    pub statement: Statement,
    /// Where each `?` stands.
    pub marks: Vec<Location>,
}

pub(super) fn parse(text: &str) -> Bound<Parsed> {
    if text.len() > LONGEST {
        return Err(format!("a statement has at most {LONGEST} bytes").into());
    }
    let tokens = tokenize(text)?;
    bounded(&tokens)?;
    single(&tokens)?;
    let marks = tokens
        .iter()
        .filter(|found| matches!(&found.token, Token::Placeholder(sign) if sign == "?"));
    let marks = marks.map(|found| found.span.start).collect();
    let mut parser = Parser::new(&Warehouse)
        .with_recursion_limit(DEEPEST)
        .with_tokens_with_locations(typed_arrays(tokens));
    let statement = parser.parse_statement().map_err(|error| syntax(&error))?;
    while parser.consume_token(&Token::SemiColon) {}
    let rest = parser.peek_token_ref();
    match rest.token {
        Token::EOF => Ok(Parsed { statement, marks }),
        _ => Err(Wrong::place(
            format!(
                "Syntax error: expected the end of the statement, not {}",
                token_text(&rest.token)
            ),
            rest.span.start,
        )),
    }
}

/// The query of a `CREATE VIEW`, as it was written.
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

/// The place of a location in the text, in bytes.
fn offset(text: &str, at: Location) -> Option<usize> {
    let line = usize::try_from(at.line).ok()?.checked_sub(1)?;
    let column = usize::try_from(at.column).ok()?.checked_sub(1)?;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let within: usize = text.get(start..)?.chars().take(column).map(char::len_utf8).sum();
    Some(start + within)
}

fn tokenize(text: &str) -> Bound<Vec<TokenWithSpan>> {
    // The parser's escapes are those of another dialect: literals are read by `literals`.
    Tokenizer::new(&Warehouse, text)
        .with_unescape(false)
        .tokenize_with_location()
        .map_err(|error| Wrong::place(format!("Syntax error: {}", error.message), error.location))
}

fn is_keyword(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword && word.quote_style.is_none())
}

/// Err where the tree of a statement would be too deep to walk.
fn bounded(tokens: &[TokenWithSpan]) -> Bound<()> {
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
            *run > LONGEST_RUN
        });
        if is_long || set_operators > MOST_SET_OPERATORS {
            return Err(Wrong::place(
                "the statement is too complex here: shorten the expression, with IN or UNNEST perhaps, or name parts of it in WITH",
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

/// The statements that exist elsewhere and not here, with what to do instead.
const REFUSED: [(Keyword, &str); 22] = [
    (Keyword::ATTACH, "datasets are there by their names"),
    (Keyword::DETACH, "datasets are there by their names"),
    (Keyword::PRAGMA, "there is nothing to set"),
    (Keyword::VACUUM, "there is nothing to tidy up"),
    (Keyword::ANALYZE, "there is nothing to tidy up"),
    (Keyword::EXPLAIN, "run the query with dryRun to learn what it reads and gives"),
    (Keyword::COPY, "start a copy, load or extract job"),
    (Keyword::EXPORT, "start an extract job"),
    (Keyword::LOAD, "start a load job"),
    (Keyword::DECLARE, SCRIPTS),
    (Keyword::BEGIN, SCRIPTS),
    (Keyword::COMMIT, SCRIPTS),
    (Keyword::ROLLBACK, SCRIPTS),
    (Keyword::SET, SCRIPTS),
    (Keyword::IF, SCRIPTS),
    (Keyword::WHILE, SCRIPTS),
    (Keyword::FOR, SCRIPTS),
    (Keyword::CALL, SCRIPTS),
    (Keyword::EXECUTE, SCRIPTS),
    (Keyword::MERGE, "run an UPDATE and an INSERT"),
    (Keyword::GRANT, "keys and their scopes say who may do what"),
    (Keyword::REVOKE, "keys and their scopes say who may do what"),
];
const SCRIPTS: &str = "a job runs one statement, not a script: start a job for each";

/// Err where there is no statement, more than one, or one that is never there.
fn single(tokens: &[TokenWithSpan]) -> Bound<()> {
    let mut words = tokens.iter().filter(|found| !matches!(found.token, Token::Whitespace(_)));
    let Some(first) = words.next() else {
        return Err("there is no statement: the query is empty".into());
    };
    if let Some((_, instead)) = REFUSED.iter().find(|(word, _)| is_keyword(&first.token, *word)) {
        return Err(Wrong::place(
            format!("{} is not supported: {instead}", token_text(&first.token)),
            first.span.start,
        ));
    }
    let ended = words
        .skip_while(|found| found.token != Token::SemiColon)
        .find(|found| !matches!(found.token, Token::SemiColon | Token::EOF));
    match ended {
        None => Ok(()),
        Some(found) => Err(Wrong::place(SCRIPTS, found.span.start)),
    }
}

fn token_text(token: &Token) -> String {
    let text = token.to_string();
    let short: String = text.chars().take(60).collect();
    if short.len() == text.len() { text } else { format!("{short}…") }
}

/// What the parser says, with its place where it gives one: at its end, ` at Line: 1, Column: 8`.
fn syntax(error: &ParserError) -> Wrong {
    let message = match error {
        ParserError::RecursionLimitExceeded => {
            return "the statement is nested too deep: name parts of it in WITH".into();
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
        Some((text, at)) if at.line > 0 => Wrong::place(message(text), at),
        Some((text, _)) => message(text).into(),
        None => message(message_of(error)).into(),
    }
}

fn message_of(error: &ParserError) -> &str {
    match error {
        ParserError::TokenizerError(message) | ParserError::ParserError(message) => message,
        ParserError::RecursionLimitExceeded => "nested too deep",
    }
}

//! The SQL dialect for the parser, and changes to the tokens before parsing.

use std::any::TypeId;

use sqlparser::ast::Statement;
use sqlparser::dialect::{BigQueryDialect, Dialect};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Reserved words, which can be names only in backticks (GoogleSQL, "Reserved keywords"). The
/// parser's BigQuery dialect reserves fewer words. For example, it treats QUALIFY in
/// `WITH OFFSET QUALIFY …` as a name. Words that can start an expression are omitted, because the
/// parser would treat them as the end of a list after a trailing comma.
const RESERVED: &[Keyword] = &[
    Keyword::AND,
    Keyword::AS,
    Keyword::ASC,
    Keyword::BETWEEN,
    Keyword::BY,
    Keyword::COLLATE,
    Keyword::CROSS,
    Keyword::CUBE,
    Keyword::DESC,
    Keyword::ELSE,
    Keyword::END,
    Keyword::ESCAPE,
    Keyword::EXCEPT,
    Keyword::FETCH,
    Keyword::FROM,
    Keyword::FULL,
    Keyword::GROUP,
    Keyword::HAVING,
    Keyword::IN,
    Keyword::INNER,
    Keyword::INTERSECT,
    Keyword::INTO,
    Keyword::IS,
    Keyword::JOIN,
    Keyword::LATERAL,
    Keyword::LIKE,
    Keyword::LIMIT,
    Keyword::NATURAL,
    Keyword::ON,
    Keyword::OR,
    Keyword::ORDER,
    Keyword::OUTER,
    Keyword::OVER,
    Keyword::PARTITION,
    Keyword::QUALIFY,
    Keyword::RECURSIVE,
    Keyword::ROLLUP,
    Keyword::SELECT,
    Keyword::TABLESAMPLE,
    Keyword::THEN,
    Keyword::UNION,
    Keyword::USING,
    Keyword::WHEN,
    Keyword::WHERE,
    Keyword::WINDOW,
    Keyword::WITH,
];

/// The parser's BigQuery dialect, with the missing operators `<<` and `>>`.
#[derive(Debug)]
pub(super) struct WarehouseDialect;

/// Forwards methods of the trait `Dialect` to the parser's BigQuery dialect.
macro_rules! as_its_own {
    ($($name:ident($($argument:ident: $of:ty),*) -> $gives:ty;)*) => {
        $(fn $name(&self $(, $argument: $of)*) -> $gives {
            BigQueryDialect.$name($($argument),*)
        })*
    };
}

impl Dialect for WarehouseDialect {
    fn dialect(&self) -> TypeId {
        BigQueryDialect.dialect()
    }

    fn supports_bitwise_shift_operators(&self) -> bool {
        true
    }

    fn is_column_alias(&self, keyword: &Keyword, _: &mut Parser) -> bool {
        !RESERVED.contains(keyword)
    }

    as_its_own! {
        parse_statement(parser: &mut Parser) -> Option<Result<Statement, ParserError>>;
        is_delimited_identifier_start(c: char) -> bool;
        identifier_quote_style(name: &str) -> Option<char>;
        is_identifier_start(c: char) -> bool;
        is_identifier_part(c: char) -> bool;
        supports_projection_trailing_commas() -> bool;
        supports_column_definition_trailing_commas() -> bool;
        supports_triple_quoted_string() -> bool;
        supports_window_function_null_treatment_arg() -> bool;
        supports_string_literal_backslash_escape() -> bool;
        supports_window_clause_named_window_reference() -> bool;
        supports_parenthesized_set_variables() -> bool;
        supports_select_wildcard_except() -> bool;
        require_interval_qualifier() -> bool;
        supports_struct_literal() -> bool;
        supports_select_expr_star() -> bool;
        supports_from_first_select() -> bool;
        supports_execute_immediate() -> bool;
        supports_table_versioning() -> bool;
        supports_group_by_expr() -> bool;
        supports_pipe_operator() -> bool;
        supports_create_table_multi_schema_info_sources() -> bool;
        supports_select_wildcard_replace() -> bool;
        supports_comma_separated_trim() -> bool;
    }
}

/// Rewrites `ARRAY<T>[…]` to `CAST([…] AS ARRAY<T>)`. Otherwise, the parser would treat `<` and `>`
/// as comparisons.
pub(super) fn typed_arrays(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    // Tokens are copied in one pass. Two lists of edits are needed, because nested arrays open and
    // close in a different order.
    let starts: Vec<usize> = (0..tokens.len()).filter(|at| is_array(&tokens[*at].token)).collect();
    let mut edits: Vec<Edit> = starts.iter().filter_map(|at| Edit::find(&tokens, *at)).collect();
    if edits.is_empty() {
        return tokens;
    }
    edits.sort_by_key(|edit| edit.open);
    let mut closes: Vec<&Edit> = edits.iter().collect();
    closes.sort_by_key(|edit| edit.close);
    let mut closes = closes.into_iter().peekable();
    let mut said = Vec::with_capacity(tokens.len() + 8 * edits.len());
    let mut edit = edits.iter().peekable();
    let mut at = 0;
    while at < tokens.len() {
        let spot = |token: Token| TokenWithSpan::new(token, tokens[at].span);
        if let Some(found) = edit.next_if(|edit| edit.start == at) {
            said.extend([spot(Token::make_keyword("CAST")), spot(Token::LParen)]);
            at = found.open;
            continue;
        }
        said.push(tokens[at].clone());
        while let Some(found) = closes.next_if(|edit| edit.close == at) {
            said.push(spot(Token::make_keyword("AS")));
            said.extend(tokens[found.start..found.open].iter().cloned());
            said.push(spot(Token::RParen));
        }
        at += 1;
    }
    said
}

fn is_array(token: &Token) -> bool {
    matches!(token, Token::Word(word) if word.keyword == Keyword::ARRAY && word.quote_style.is_none())
}

/// The token indexes of a typed array: the start of its type, and the brackets around its elements.
struct Edit {
    start: usize,
    open: usize,
    close: usize,
}

/// Maximum number of tokens in an array's type.
const MAX_TYPE_TOKENS: usize = 200;

impl Edit {
    fn find(tokens: &[TokenWithSpan], start: usize) -> Option<Self> {
        let mut depth = 0;
        let mut open = None;
        for (at, found) in tokens.iter().enumerate().skip(start + 1).take(MAX_TYPE_TOKENS) {
            match &found.token {
                Token::Whitespace(_) => continue,
                Token::Lt => depth += 1,
                Token::Gt => depth -= 1,
                Token::ShiftRight => depth -= 2,
                Token::LBracket if depth == 0 && open.is_some() => {
                    return close(tokens, at).map(|close| Self { start, open: at, close });
                }
                Token::Word(_) | Token::Comma if depth > 0 => {}
                _ => return None,
            }
            if depth == 0 {
                open = Some(at);
            }
        }
        None
    }
}

fn close(tokens: &[TokenWithSpan], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, found) in tokens.iter().enumerate().skip(open) {
        match &found.token {
            Token::LBracket => depth += 1,
            Token::RBracket => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

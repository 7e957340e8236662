//! The part of JavaScript that functions about a text's page are written in. What is not of it is [`Expression::Other`] or
//! [`Statement::Other`].

use std::rc::Rc;

use serde_json::Value;

use super::tokens::{Token, tokens};

#[derive(Debug)]
pub enum Expression {
    Literal(Value),
    /// A value that is not known and neither false nor empty: a template, a pattern.
    Truthy,
    Name(String),
    Member(Box<Expression>, String),
    Call(Box<Expression>, Vec<Expression>),
    New(String, Vec<Expression>),
    Not(Box<Expression>),
    Two(String, Box<Expression>, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    Object(Vec<(String, Expression)>),
    Function(Rc<Function>),
    Other,
}

#[derive(Debug)]
pub struct Function {
    pub parameters: Vec<Binding>,
    pub body: Vec<Statement>,
}

/// Names that get a value.
#[derive(Debug)]
pub enum Binding {
    Name(String),
    /// Keys of an object, and the names that get their values.
    Fields(Vec<(String, String)>),
}

#[derive(Debug)]
pub enum Statement {
    Return(Option<Expression>),
    If(Expression, Vec<Statement>, Vec<Statement>),
    Declare(Binding, Expression),
    /// An expression whose value nothing uses.
    Call,
    Other,
}

/// Parts within parts.
const DEEPEST: usize = 100;
/// Bytes of the code of one value.
const LONGEST: usize = 20_000;

/// Parses the value that code begins with. None where it is none.
pub fn parse(code: &str) -> Option<Expression> {
    let mut end = code.len().min(LONGEST);
    while !code.is_char_boundary(end) {
        end -= 1;
    }
    let mut parser = Parser {
        tokens: tokens(&code[..end]),
        at: 0,
        depth: 0,
    };
    parser.expression()
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is_sign(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.tokens.get(self.at + ahead), Some(Token::Sign(found)) if *found == sign)
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_it = self.is_sign(0, sign);
        self.at += usize::from(is_it);
        is_it
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Some(Token::Name(name)) if name == word);
        self.at += usize::from(is_it);
        is_it
    }

    fn name(&mut self) -> Option<String> {
        let name = match self.peek() {
            Some(Token::Name(name) | Token::Text(name)) => name.clone(),
            _ => return None,
        };
        self.at += 1;
        Some(name)
    }

    /// Passes everything up to the bracket that closes an open one, and the bracket itself.
    fn pass(&mut self) {
        self.at = self.behind(self.at);
    }

    /// Returns the place behind the bracket that closes the one before a place.
    fn behind(&self, mut at: usize) -> usize {
        let mut open = 1_usize;
        while open > 0 && at < self.tokens.len() {
            match self.tokens[at] {
                Token::Sign("(" | "[" | "{") => open += 1,
                Token::Sign(")" | "]" | "}") => open -= 1,
                _ => {}
            }
            at += 1;
        }
        at
    }

    fn expression(&mut self) -> Option<Expression> {
        self.depth += 1;
        let found = (self.depth < DEEPEST).then(|| self.choice()).flatten();
        self.depth -= 1;
        found
    }

    fn choice(&mut self) -> Option<Expression> {
        let condition = self.two(0)?;
        if !self.takes("?") {
            return Some(condition);
        }
        let then = self.expression()?;
        if !self.takes(":") {
            return None;
        }
        let otherwise = self.expression()?;
        Some(Expression::Choice(
            condition.into(),
            then.into(),
            otherwise.into(),
        ))
    }

    /// Operators of this rank or a higher one, from left to right.
    fn two(&mut self, rank: usize) -> Option<Expression> {
        const RANKS: [&[&str]; 5] = [
            &["??", "||"],
            &["&&"],
            &["===", "!==", "==", "!="],
            &["<=", ">=", "<", ">"],
            &["+", "-", "*", "/", "%", "&", "|"],
        ];
        let Some(operators) = RANKS.get(rank) else {
            return self.one();
        };
        let mut left = self.two(rank + 1)?;
        while let Some(Token::Sign(sign)) = self.peek() {
            let sign = *sign;
            if !operators.contains(&sign) {
                break;
            }
            self.at += 1;
            let right = self.two(rank + 1)?;
            left = Expression::Two(sign.to_owned(), left.into(), right.into());
        }
        Some(left)
    }

    fn one(&mut self) -> Option<Expression> {
        if self.takes("!") {
            self.depth += 1;
            let inner = (self.depth < DEEPEST).then(|| self.one()).flatten();
            self.depth -= 1;
            return Some(Expression::Not(inner?.into()));
        }
        if self.takes_word("new") {
            let name = self.name()?;
            let arguments = if self.takes("(") {
                self.list(")")?
            } else {
                Vec::new()
            };
            return self.after(Expression::New(name, arguments));
        }
        if self.takes_word("typeof")
            || self.takes_word("await")
            || self.takes("-")
            || self.takes("+")
        {
            self.one()?;
            return Some(Expression::Other);
        }
        self.takes_word("async");
        let first = self.first()?;
        self.after(first)
    }

    fn first(&mut self) -> Option<Expression> {
        if self.begins_arrow() {
            return self.arrow();
        }
        let token = self.peek()?.clone();
        self.at += 1;
        Some(match token {
            Token::Text(text) => Expression::Literal(text.into()),
            Token::Number(number) => Expression::Literal(number.into()),
            Token::Truthy => Expression::Truthy,
            Token::Name(word) if word == "function" => {
                if !self.is_sign(0, "(") {
                    self.name();
                }
                self.takes("(");
                let parameters = self.bindings();
                self.takes("{");
                let body = self.block();
                Expression::Function(Rc::new(Function { parameters, body }))
            }
            Token::Name(name) => Expression::Name(name),
            Token::Sign("(") => {
                let inner = self.expression()?;
                if !self.takes(")") {
                    self.pass();
                    return Some(Expression::Other);
                }
                inner
            }
            Token::Sign("{") => self.object(),
            Token::Sign("[") => {
                self.pass();
                Expression::Other
            }
            Token::Sign(_) | Token::Unknown => return None,
        })
    }

    /// Members and calls behind an expression.
    fn after(&mut self, mut found: Expression) -> Option<Expression> {
        loop {
            if self.takes("?.") {
                if !self.is_sign(0, "(") && !self.is_sign(0, "[") {
                    found = Expression::Member(found.into(), self.name()?);
                }
            } else if self.takes(".") {
                found = Expression::Member(found.into(), self.name()?);
            } else if self.takes("(") {
                found = Expression::Call(found.into(), self.list(")")?);
            } else if self.is_sign(0, "[") {
                let key = match self.tokens.get(self.at + 1) {
                    Some(Token::Text(key)) if self.is_sign(2, "]") => Some(key.clone()),
                    _ => None,
                };
                self.at += 1;
                self.pass();
                found = key.map_or(Expression::Other, |key| {
                    Expression::Member(found.into(), key)
                });
            } else {
                return Some(found);
            }
        }
    }

    fn list(&mut self, end: &str) -> Option<Vec<Expression>> {
        let mut found = Vec::new();
        while !self.takes(end) {
            found.push(self.expression()?);
            if !self.takes(",") && !self.is_sign(0, end) {
                return None;
            }
        }
        Some(found)
    }

    fn object(&mut self) -> Expression {
        let start = self.at;
        let mut fields = Vec::new();
        while !self.takes("}") {
            let Some(key) = self.name() else { break };
            let value = if self.takes(":") {
                self.expression()
            } else if self.is_sign(0, "(") {
                self.at += 1;
                let parameters = self.bindings();
                self.takes("{");
                let body = self.block();
                Some(Expression::Function(Rc::new(Function { parameters, body })))
            } else {
                Some(Expression::Name(key.clone()))
            };
            let Some(value) = value else { break };
            fields.push((key, value));
            if !self.takes(",") && !self.is_sign(0, "}") {
                break;
            }
            if self.is_sign(0, "}") {
                self.at += 1;
                return Expression::Object(fields);
            }
        }
        if self.at > start && matches!(self.tokens.get(self.at - 1), Some(Token::Sign("}"))) {
            return Expression::Object(fields);
        }
        self.at = start;
        self.pass();
        Expression::Other
    }

    /// Whether parameters and `=>` follow.
    fn begins_arrow(&self) -> bool {
        if matches!(self.peek(), Some(Token::Name(_))) {
            return self.is_sign(1, "=>");
        }
        if !self.is_sign(0, "(") {
            return false;
        }
        let behind = self.behind(self.at + 1) - self.at;
        self.is_sign(behind, "=>")
    }

    fn arrow(&mut self) -> Option<Expression> {
        let parameters = match self.takes("(") {
            true => self.bindings(),
            false => vec![Binding::Name(self.name()?)],
        };
        self.takes("=>");
        let body = match self.takes("{") {
            true => self.block(),
            false => vec![Statement::Return(Some(self.expression()?))],
        };
        Some(Expression::Function(Rc::new(Function { parameters, body })))
    }

    /// Parameters up to their closing bracket.
    fn bindings(&mut self) -> Vec<Binding> {
        let mut found = Vec::new();
        while self.at < self.tokens.len() && !self.takes(")") {
            match self.binding() {
                Some(binding) => found.push(binding),
                None => self.at += 1,
            }
            if self.takes("=") {
                self.expression();
            }
            self.takes(",");
        }
        found
    }

    fn binding(&mut self) -> Option<Binding> {
        if !self.takes("{") {
            return Some(Binding::Name(self.name()?));
        }
        let mut fields = Vec::new();
        while self.at < self.tokens.len() && !self.takes("}") {
            let Some(key) = self.name() else {
                self.at += 1;
                continue;
            };
            let name = if self.takes(":") {
                self.name()
            } else {
                Some(key.clone())
            };
            fields.extend(name.map(|name| (key, name)));
            if self.takes("=") {
                self.expression();
            }
            self.takes(",");
        }
        Some(Binding::Fields(fields))
    }

    /// Statements up to the closing bracket.
    fn block(&mut self) -> Vec<Statement> {
        let mut found = Vec::new();
        while self.at < self.tokens.len() && !self.takes("}") {
            if self.takes(";") {
                continue;
            }
            let statement = self.statement();
            let is_end = matches!(statement, Statement::Other);
            found.push(statement);
            if is_end {
                self.pass();
                break;
            }
        }
        found
    }

    fn statement(&mut self) -> Statement {
        self.depth += 1;
        let found = (self.depth < DEEPEST)
            .then(|| self.any_statement())
            .flatten();
        self.depth -= 1;
        found.unwrap_or(Statement::Other)
    }

    fn any_statement(&mut self) -> Option<Statement> {
        if self.takes_word("return") {
            let is_bare = self.peek().is_none() || self.is_sign(0, ";") || self.is_sign(0, "}");
            return Some(Statement::Return(if is_bare {
                None
            } else {
                Some(self.expression()?)
            }));
        }
        if self.takes_word("if") {
            if !self.takes("(") {
                return None;
            }
            let condition = self.expression()?;
            if !self.takes(")") {
                return None;
            }
            let then = self.branch();
            self.takes(";");
            let otherwise = if self.takes_word("else") {
                self.branch()
            } else {
                Vec::new()
            };
            return Some(Statement::If(condition, then, otherwise));
        }
        if ["const", "let", "var"]
            .iter()
            .any(|word| self.takes_word(word))
        {
            let binding = self.binding()?;
            if !self.takes("=") {
                return None;
            }
            return Some(Statement::Declare(binding, self.expression()?));
        }
        let words = [
            "for", "while", "do", "switch", "try", "throw", "class", "function", "break",
        ];
        if words.iter().any(|word| self.takes_word(word)) {
            return None;
        }
        // What is assigned to a variable is not followed.
        let called = self.expression()?;
        let is_call = matches!(called, Expression::Call(..));
        (is_call && !self.is_sign(0, "=")).then_some(Statement::Call)
    }

    fn branch(&mut self) -> Vec<Statement> {
        match self.takes("{") {
            true => self.block(),
            false => vec![self.statement()],
        }
    }
}

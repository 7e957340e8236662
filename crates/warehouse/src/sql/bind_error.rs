//! Errors in statements, and their locations.

use sqlparser::ast::{
    Cte, Delete, Expr, GroupByExpr, Ident, Insert, Join, ObjectName, OrderBy, OrderByExpr, Query,
    Select, SelectItem, SetExpr, Spanned, TableFactor, Update, WildcardAdditionalOptions,
};
use sqlparser::tokenizer::{Location, TokenWithSpan};

use crate::error::{Fault, Reason};
use crate::types::Type;

/// An error in a statement, with its most specific known location.
#[derive(Debug)]
pub(super) struct BindError {
    fault: Fault,
    at: Option<Location>,
}

/// The result of binding a part of a statement.
pub(super) type BindResult<T> = Result<T, BindError>;

impl BindError {
    /// Creates an error in this part of the statement.
    pub(super) fn at(message: impl Into<String>, part: &impl Located) -> Self {
        Self::from(message.into()).near(part)
    }

    /// Creates an error at this location.
    pub(super) fn place(message: impl Into<String>, at: Location) -> Self {
        Self::from(message.into()).near(&at)
    }

    /// Adds the location of this part, unless the error already has a location.
    pub(super) fn near(self, part: &impl Located) -> Self {
        Self { at: self.at.or_else(|| Some(part.place()).filter(|at| at.line > 0)), ..self }
    }

    /// Adds the view's name to the message of an error in a view. The location becomes part of the
    /// message.
    pub(super) fn in_view(self, view: impl std::fmt::Display) -> Self {
        let Self { mut fault, at } = self;
        let at = at.map_or(String::new(), place);
        fault.message = format!("in the view {view}: {}{at}", fault.message);
        Self { fault, at: None }
    }

    /// Converts the error to a fault whose message includes the location.
    pub(super) fn finish(self) -> Fault {
        let at = self.at.unwrap_or(Location { line: 1, column: 1 });
        let message = format!("{}{}", self.fault.message, place(at));
        Fault { message, ..self.fault }.at("query")
    }
}

fn place(at: Location) -> String {
    format!(" at [{}:{}]", at.line, at.column)
}

/// A part of a statement with a start location. Line 0 means that the location is unknown.
pub(super) trait Located {
    fn place(&self) -> Location;
}

impl Located for Location {
    fn place(&self) -> Location {
        *self
    }
}

impl Located for Ident {
    fn place(&self) -> Location {
        self.span.start
    }
}

macro_rules! placed {
    ($($part:ty),*) => {
        $(impl Located for $part {
            fn place(&self) -> Location {
                self.span().start
            }
        })*
    };
}

placed!(
    Cte, Delete, Expr, GroupByExpr, Insert, Join, ObjectName, OrderBy, OrderByExpr, Query, Select,
    SelectItem, SetExpr, TableFactor, TokenWithSpan, Update, WildcardAdditionalOptions
);

impl From<Fault> for BindError {
    fn from(fault: Fault) -> Self {
        Self { fault, at: None }
    }
}

impl From<String> for BindError {
    fn from(message: String) -> Self {
        Fault::new(Reason::InvalidQuery, message).into()
    }
}

impl From<&str> for BindError {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

/// Returns the name of a type for messages.
pub(super) fn type_name(of: Option<&Type>) -> String {
    of.map_or_else(|| "NULL".to_owned(), Type::to_string)
}

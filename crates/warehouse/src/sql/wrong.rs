//! What is wrong with a statement, and at which place in it.

use sqlparser::ast::{
    Cte, Delete, Expr, GroupByExpr, Ident, Insert, Join, ObjectName, OrderBy, OrderByExpr, Query,
    Select, SelectItem, SetExpr, Spanned, TableFactor, Update, WildcardAdditionalOptions,
};
use sqlparser::tokenizer::{Location, TokenWithSpan};

use crate::error::{Fault, Reason};
use crate::types::Type;

/// A fault of a statement, at the innermost place that is known.
#[derive(Debug)]
pub(super) struct Wrong {
    fault: Fault,
    at: Option<Location>,
}

/// The result of binding a part of a statement.
pub(super) type Bound<T> = Result<T, Wrong>;

impl Wrong {
    /// Something wrong in this part of the statement.
    pub(super) fn at(message: impl Into<String>, part: &impl Placed) -> Self {
        Self::from(message.into()).near(part)
    }

    /// Something wrong at this place.
    pub(super) fn place(message: impl Into<String>, at: Location) -> Self {
        Self::from(message.into()).near(&at)
    }

    /// The same, at this part of the statement where no place is known yet.
    pub(super) fn near(self, part: &impl Placed) -> Self {
        Self { at: self.at.or_else(|| Some(part.place()).filter(|at| at.line > 0)), ..self }
    }

    /// The same, in a view that is read at a place of its own.
    pub(super) fn in_view(self, view: impl std::fmt::Display) -> Self {
        let Self { mut fault, at } = self;
        let at = at.map_or(String::new(), place);
        fault.message = format!("in the view {view}: {}{at}", fault.message);
        Self { fault, at: None }
    }

    /// The fault as it is reported.
    pub(super) fn finish(self) -> Fault {
        let at = self.at.unwrap_or(Location { line: 1, column: 1 });
        let message = format!("{}{}", self.fault.message, place(at));
        Fault { message, ..self.fault }.at("query")
    }
}

fn place(at: Location) -> String {
    format!(" at [{}:{}]", at.line, at.column)
}

/// A part of a statement, and where it begins: in line 0 where that is not known.
pub(super) trait Placed {
    fn place(&self) -> Location;
}

impl Placed for Location {
    fn place(&self) -> Location {
        *self
    }
}

impl Placed for Ident {
    fn place(&self) -> Location {
        self.span.start
    }
}

macro_rules! placed {
    ($($part:ty),*) => {
        $(impl Placed for $part {
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

impl From<Fault> for Wrong {
    fn from(fault: Fault) -> Self {
        Self { fault, at: None }
    }
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Fault::new(Reason::InvalidQuery, message).into()
    }
}

impl From<&str> for Wrong {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

/// A type as messages name it.
pub(super) fn type_name(of: Option<&Type>) -> String {
    of.map_or_else(|| "NULL".to_owned(), Type::to_string)
}

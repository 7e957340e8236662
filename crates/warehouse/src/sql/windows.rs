//! Binds windows and window functions.

use sqlparser::ast::{
    Expr, NamedWindowDefinition, NamedWindowExpr, OrderByExpr, WindowFrame, WindowFrameBound,
    WindowFrameUnits, WindowSpec, WindowType,
};

use super::aggregates::Nulls;
use super::bind_error::{BindError, BindResult};
use super::binder::{Binder, suggestion};
use super::call_clauses::FunctionCall;
use super::coercion::{self, check_comparable};
use super::expression::Expression;
use super::order::{direction, guard_bare_integer};
use super::scope::{EnclosingCall, Window};
use crate::types::Type;

/// The declaration of a window function.
struct WindowFunction {
    name: &'static str,
    /// Minimum and maximum number of arguments.
    takes: (usize, usize),
    /// The result type. `None` means the type of the first argument.
    gives: Option<Type>,
    needs_order: bool,
    takes_frame: bool,
}

const fn window_function(
    name: &'static str,
    takes: (usize, usize),
    gives: Option<Type>,
    needs_order: bool,
    takes_frame: bool,
) -> WindowFunction {
    WindowFunction { name, takes, gives, needs_order, takes_frame }
}

static FUNCTIONS: [WindowFunction; 11] = [
    window_function("ROW_NUMBER", (0, 0), Some(Type::Integer), false, false),
    window_function("RANK", (0, 0), Some(Type::Integer), true, false),
    window_function("DENSE_RANK", (0, 0), Some(Type::Integer), true, false),
    window_function("PERCENT_RANK", (0, 0), Some(Type::Float), true, false),
    window_function("CUME_DIST", (0, 0), Some(Type::Float), true, false),
    window_function("NTILE", (1, 1), Some(Type::Integer), true, false),
    window_function("LAG", (1, 3), None, true, false),
    window_function("LEAD", (1, 3), None, true, false),
    window_function("FIRST_VALUE", (1, 1), None, true, true),
    window_function("LAST_VALUE", (1, 1), None, true, true),
    window_function("NTH_VALUE", (2, 2), None, true, true),
];

/// Returns whether this is the name of a window function.
pub(super) fn is_window_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|function| function.name == name)
}

impl Binder<'_> {
    pub(super) fn window_call(
        &mut self,
        call: &FunctionCall,
        over: Option<&WindowType>,
    ) -> BindResult<Expression> {
        let name = call.name.as_str();
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            return Err(format!("Function not found: {name}").into());
        };
        let Some(over) = over else {
            return Err(format!("{name} requires a window: write {name}(…) OVER (…)").into());
        };
        let bare =
            FunctionCall { nulls: None, name: String::new(), arguments: Vec::new(), ..*call };
        if call.nulls == Some(Nulls::Ignored) {
            return Err(format!(
                "IGNORE NULLS is not supported in {name}: filter out the NULLs in a subquery"
            )
            .into());
        }
        if !bare.is_plain() {
            return Err(format!("{name} supports only values as arguments").into());
        }
        let (least, most) = function.takes;
        if !(least..=most).contains(&call.arguments.len()) {
            return Err(format!(
                "{name} requires {least} to {most} arguments, not {}",
                call.arguments.len()
            )
            .into());
        }
        let window = self.window_of(over)?;
        if function.needs_order && window.order.is_empty() {
            return Err(format!("Window ORDER BY is required for analytic function {name}").into());
        }
        if !function.takes_frame && !window.frame.is_empty() {
            return Err(format!(
                "Window framing clause is not allowed for analytic function {name}"
            )
            .into());
        }
        let before = std::mem::replace(&mut self.scope().enclosing_call, EnclosingCall::Window);
        let arguments = self.window_arguments(name, &call.arguments);
        self.scope().enclosing_call = before;
        let arguments = arguments?;
        let of = match &function.gives {
            Some(of) => Some(of.clone()),
            None => arguments.first().and_then(|first| first.of.clone()),
        };
        let sql: Vec<&str> = arguments.iter().map(|argument| argument.sql.as_str()).collect();
        Ok(Expression {
            sql: format!("{name}({}) OVER ({})", sql.join(", "), window.sql()),
            of,
            literal: None,
        })
    }

    fn window_arguments(&mut self, name: &str, arguments: &[&Expr]) -> BindResult<Vec<Expression>> {
        let mut bound = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            bound.push(match (name, at) {
                ("NTILE", 0) | ("NTH_VALUE" | "LAG" | "LEAD", 1) => {
                    let count = self.count(argument)?;
                    if count == 0 && !matches!(name, "LAG" | "LEAD") {
                        return Err(BindError::at(
                            format!("{name} requires a number of at least 1"),
                            *argument,
                        ));
                    }
                    Expression::new(count.to_string(), Type::Integer)
                }
                _ => self.expr(argument)?,
            });
        }
        // In `LAG(x, 1, default)`, `x` and `default` are converted to their common type.
        if let Some(default) = (bound.len() == 3).then(|| bound.pop()).flatten() {
            let values = vec![bound.remove(0), default];
            let (mut values, _) = coercion::unify(values)?;
            bound.insert(0, values.remove(0));
            bound.append(&mut values);
        }
        Ok(bound)
    }

    /// Binds a window, and returns the SQL inside `OVER (…)`.
    pub(super) fn over(&mut self, over: &WindowType) -> BindResult<String> {
        Ok(self.window_of(over)?.sql())
    }

    fn window_of(&mut self, over: &WindowType) -> BindResult<Window> {
        let scope = self.scope();
        if scope.enclosing_call != EnclosingCall::Nothing {
            return Err("a window function cannot be an argument of an aggregate or another window function: compute it in a subquery".into());
        }
        if !scope.clause.allows_windows() {
            return Err(format!(
                "Analytic function not allowed in {} clause: use QUALIFY, or a subquery",
                scope.clause.name()
            )
            .into());
        }
        scope.calls_over += 1;
        match over {
            WindowType::NamedWindow(name) => self.named_window(name),
            WindowType::WindowSpec(spec) => self.window(spec),
        }
    }

    fn named_window(&mut self, name: &sqlparser::ast::Ident) -> BindResult<Window> {
        let windows = &self.scope().windows;
        match windows.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name.value)) {
            Some((_, window)) => Ok(window.clone()),
            None => {
                let hint = suggestion(&name.value, windows.iter().map(|(known, _)| known.as_str()));
                Err(BindError::at(format!("Unrecognized window alias {}{hint}", name.value), name))
            }
        }
    }

    /// Binds the named windows in the WINDOW clause of a `SELECT`.
    pub(super) fn name_windows(&mut self, definitions: &[NamedWindowDefinition]) -> BindResult<()> {
        for NamedWindowDefinition(name, definition) in definitions {
            let window = match definition {
                NamedWindowExpr::NamedWindow(other) => self.named_window(other)?,
                NamedWindowExpr::WindowSpec(spec) => self.window(spec)?,
            };
            self.scope().windows.push((name.value.clone(), window));
        }
        Ok(())
    }

    fn window(&mut self, spec: &WindowSpec) -> BindResult<Window> {
        let before = std::mem::replace(&mut self.scope().enclosing_call, EnclosingCall::Window);
        let window = self.window_parts(spec);
        self.scope().enclosing_call = before;
        window
    }

    fn window_parts(&mut self, spec: &WindowSpec) -> BindResult<Window> {
        let WindowSpec { window_name, partition_by, order_by, window_frame } = spec;
        let base = match window_name {
            Some(name) => self.named_window(name)?,
            None => Window::default(),
        };
        let mut keys = Vec::with_capacity(partition_by.len());
        for key in partition_by {
            let bound = self.expr(key)?;
            check_comparable(bound.of.as_ref(), "PARTITION BY")
                .map_err(|message| BindError::at(message, key))?;
            keys.push(bound.sql);
        }
        let order = self.inner_order(order_by)?;
        if (!keys.is_empty() && window_name.is_some())
            || (!order.is_empty() && !base.order.is_empty())
            || !base.frame.is_empty()
        {
            return Err("a window based on a named window can only add an ORDER BY or a frame that the named window does not have".into());
        }
        let frame = match window_frame {
            None => String::new(),
            Some(frame) => self.frame(frame)?,
        };
        let mut window = Window {
            partition: match keys.as_slice() {
                [] => base.partition,
                keys => format!("PARTITION BY {}", keys.join(", ")),
            },
            order: if order.is_empty() { base.order } else { order },
            frame,
        };
        let has_distance = window.frame.starts_with("RANGE")
            && window.frame.contains(|c: char| c.is_ascii_digit());
        if has_distance {
            window.order = self.range_order(order_by)?;
        }
        Ok(window)
    }

    /// Binds the ORDER BY clause of a RANGE frame with an offset. SQLite requires exactly one
    /// numeric term.
    fn range_order(&mut self, order: &[OrderByExpr]) -> BindResult<String> {
        let [term] = order else {
            return Err(
                "RANGE with an offset requires exactly one ORDER BY in the same window".into()
            );
        };
        let bound = self.expr(&term.expr)?;
        match bound.of {
            Some(Type::Integer | Type::Float) => Ok(format!(
                "ORDER BY {}{}",
                guard_bare_integer(&bound.sql),
                direction(&term.options)?
            )),
            _ => Err(BindError::at(
                "RANGE with an offset requires a numeric ORDER BY: use UNIX_SECONDS or UNIX_DATE",
                &term.expr,
            )),
        }
    }

    fn frame(&mut self, frame: &WindowFrame) -> BindResult<String> {
        let WindowFrame { units, start_bound, end_bound } = frame;
        let units = match units {
            WindowFrameUnits::Rows => "ROWS",
            WindowFrameUnits::Range => "RANGE",
            WindowFrameUnits::Groups => {
                return Err("GROUPS is not supported: use ROWS or RANGE".into());
            }
        };
        let (start, from) = self.bound(start_bound)?;
        let (end, to) = match end_bound {
            Some(end) => self.bound(end)?,
            None => ("CURRENT ROW".to_owned(), 2),
        };
        // The number 0 means UNBOUNDED PRECEDING, and 4 means UNBOUNDED FOLLOWING.
        if from > to || from == 4 || to == 0 {
            return Err(format!("a window frame cannot go from {start} to {end}").into());
        }
        Ok(format!("{units} BETWEEN {start} AND {end}"))
    }

    fn bound(&mut self, bound: &WindowFrameBound) -> BindResult<(String, u8)> {
        Ok(match bound {
            WindowFrameBound::CurrentRow => ("CURRENT ROW".into(), 2),
            WindowFrameBound::Preceding(None) => ("UNBOUNDED PRECEDING".into(), 0),
            WindowFrameBound::Following(None) => ("UNBOUNDED FOLLOWING".into(), 4),
            WindowFrameBound::Preceding(Some(rows)) => {
                (format!("{} PRECEDING", self.count(rows)?), 1)
            }
            WindowFrameBound::Following(Some(rows)) => {
                (format!("{} FOLLOWING", self.count(rows)?), 3)
            }
        })
    }
}

impl Window {
    pub(super) fn sql(&self) -> String {
        let parts = [&self.partition, &self.order, &self.frame].map(String::as_str);
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }
}

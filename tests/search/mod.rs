//! The search rules, for each implementation.

mod rules;

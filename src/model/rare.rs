//! Storage for values that few items have.

use std::ops::{Deref, DerefMut};

use borsh::{BorshDeserialize, BorshSerialize};

/// A value that is usually the default. The default takes no separate memory.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone)]
pub struct Rare<T: Usual>(Option<Box<T>>);

/// A type with one shared default value.
pub trait Usual: Default + Clone + PartialEq + 'static {
    fn usual() -> &'static Self;
}

/// Implements [`Usual`] for types.
macro_rules! usual {
    ($($of:ty),* $(,)?) => {$(
        impl $crate::rare::Usual for $of {
            fn usual() -> &'static Self {
                static USUAL: std::sync::LazyLock<$of> = std::sync::LazyLock::new(<$of>::default);
                &USUAL
            }
        }
    )*};
}
pub(crate) use usual;

impl<T: Usual> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Usual> From<T> for Rare<T> {
    fn from(value: T) -> Self {
        Self((value != *T::usual()).then(|| Box::new(value)))
    }
}

impl<T: Usual> PartialEq for Rare<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Usual> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or_else(|| T::usual())
    }
}

impl<T: Usual> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

//! Objects in which templates look up names.

use super::Data;

/// A view of an object. The values are computed when a template uses them.
///
/// [`object!`](crate::object!) implements the trait for objects with fixed keys.
pub trait Object<'a> {
    /// Returns the value of a key. If the result is `None`, the template looks up the key in the
    /// outer contexts. Return null for a key that exists but has no value.
    fn get(&self, key: &str) -> Option<Data<'a>>;

    /// Returns the keys to include when the object is printed as JSON, in any order. Keys for which
    /// [`get`](Self::get) returns `None` are omitted.
    fn keys(&self) -> Vec<String>;
}

impl<'a, const N: usize> Object<'a> for [(&'static str, Data<'a>); N] {
    fn get(&self, key: &str) -> Option<Data<'a>> {
        let (_, value) = self.iter().find(|(known, _)| *known == key)?;
        Some(value.clone())
    }

    fn keys(&self) -> Vec<String> {
        self.iter().map(|(key, _)| (*key).to_owned()).collect()
    }
}

/// Implements [`Object`](crate::Object) for a type, from a list of keys and expressions. An
/// expression can have any type that converts to [`Data`](crate::Data). A key with a condition
/// exists only if the condition is true. Other keys are looked up in the object after `else`, if
/// there is one.
///
/// ```
/// use mustache::{Data, Partials, Template, object};
///
/// struct Person<'a> {
///     name: &'a str,
///     url: Option<String>,
/// }
///
/// object!(impl Person<'a>, |person| {
///     "name" => person.name,
///     "initial" => person.name.get(..1),
///     "url" if person.url.is_some() => person.url.clone(),
/// });
///
/// let ada = Data::object(Person { name: "Ada Lind", url: None });
/// let mut out = String::new();
/// Template::parse("{{name}} ({{initial}}) {{{.}}}")?
///     .render_within(1024, &[ada], &Partials::new(), &mut out)?;
/// assert_eq!(out, r#"Ada Lind (A) {"initial":"A","name":"Ada Lind"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[macro_export]
macro_rules! object {
    (
        impl $view:ty,
        |$this:ident| { $($key:literal $(if $condition:expr)? => $value:expr),+ $(,)? }
        $(else $others:expr)?
    ) => {
        impl<'a> $crate::Object<'a> for $view {
            fn get(&self, key: &str) -> ::std::option::Option<$crate::Data<'a>> {
                let $this = self;
                match key {
                    $($key $(if $condition)? => {
                        ::std::option::Option::Some($crate::Data::from($value))
                    })+
                    _ => $crate::object!(@get key $(, $others)?),
                }
            }

            fn keys(&self) -> ::std::vec::Vec<::std::string::String> {
                #[allow(unused_mut)]
                let mut keys = ::std::vec::Vec::from([$($key),+].map(::std::borrow::ToOwned::to_owned));
                $({
                    let $this = self;
                    keys.extend($crate::Object::keys(&$others));
                })?
                keys
            }
        }
    };
    (@get $key:ident) => {
        ::std::option::Option::None
    };
    (@get $key:ident, $others:expr) => {
        $crate::Object::get(&$others, $key)
    };
}

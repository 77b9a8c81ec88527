//! Builders of values that are said in constants: each sets a field or two and leaves the rest.

/// Constant functions that return the value they are called on with other fields: of each its name and arguments, and the fields.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) { $($field:ident $(: $value:expr)?),* })*) => {
        $(
            $(#[$doc])*
            pub const fn $name(self $(, $argument: $kind)*) -> Self {
                Self { $($field $(: $value)?,)* ..self }
            }
        )*
    };
}
pub(crate) use setters;

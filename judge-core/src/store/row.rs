//! Small bridges between rows and the contract's types.

use rusqlite::types::{FromSqlError, ValueRef};
use rusqlite::{Row, RowIndex};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes a value as JSON text.
pub(crate) fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("stored values have only text keys")
}

/// Reads a JSON column.
pub(crate) fn decode<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let value = row.get_ref(column)?;
    let failed = |error: Box<dyn std::error::Error + Send + Sync>| {
        let index = column.idx(row.as_ref()).unwrap_or_default();
        rusqlite::Error::FromSqlConversionFailure(index, value.data_type(), error)
    };
    let ValueRef::Text(bytes) = value else { return Err(failed(Box::new(FromSqlError::InvalidType))) };
    serde_json::from_slice(bytes).map_err(|error| failed(Box::new(error)))
}

/// Reads a text column into an id or a wire enum.
pub(crate) fn text<T: for<'a> From<&'a str>>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    Ok(T::from(row.get::<_, String>(column)?.as_str()))
}

//! The small components that screens are made of.

pub mod confirm;
pub mod copy;
pub mod credentials;
pub mod dialog;
pub mod icon;
pub mod meter;
pub mod notice;
pub mod popover;
pub mod refusal;
pub mod row;
pub mod split;
pub mod state_views;
pub mod time;
pub mod verdict;

pub use confirm::{Confirm, Question};
pub use copy::CopyButton;
pub use credentials::{PasswordField, RoleChoice, taken};
pub use dialog::Dialog;
pub use icon::{Glyph, Icon};
pub use meter::Meter;
pub use notice::{Notice, Tone};
pub use refusal::Refusal;
pub use row::follow_on_click;
pub use split::{Axis, Split};
pub use state_views::{Empty, Failure, Loading};
pub use time::{Moment, moment_text};
pub use verdict::{RanBadge, VerdictBadge};

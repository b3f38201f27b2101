//! Notices: the bell in the top bar with its list, and in Settings what one wants to hear of.

mod bell;
mod choices;
mod text;

pub use bell::Bell;
pub use choices::NoticeChoices;

//! Accounts in the interface: the log-in where a browser has no session, who one is where an account logged in, and
//! what everybody does with their own account.

mod log_in;
mod menu;
mod own;

pub use log_in::LogInScreen;
pub use menu::{AccountMenu, roles_line};
pub use own::OwnAccount;

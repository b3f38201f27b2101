//! Accounts in the interface: the log-in where a browser has no session, and who one is where an account logged in.

mod log_in;
mod menu;

pub use log_in::LogInScreen;
pub use menu::AccountMenu;

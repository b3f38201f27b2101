//! `agon account`: makes and changes the accounts that log in to `agon serve`.
//!
//! A password comes from the terminal without an echo, or as the first line of stdin; never from the command line,
//! which every user of the machine can read.

use std::io::{BufRead, IsTerminal};

use agon_contract::account::{AccountView, Secret};
use agon_contract::command::{
    CreateAccount, DisableAccount, EndSession, EndSessions, ListAccounts, ListSessions, SetPassword, SetRoles,
};
use agon_contract::ids::SessionId;
use agon_contract::settings::Role;
use agon_contract::{ApiError, ErrorCode};
use clap::Subcommand;
use judge_core::domain::date;

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};

const PROGRAM: &str = "agon account";
/// Rows of one page, the most that the core answers at once.
const PAGE: u32 = 500;

/// What was asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make an account. The password is asked for, or is the first line of stdin.
    Add {
        /// Login name; upper and lower case are the same.
        name: String,
        /// How people see it; the login name when not given.
        #[arg(long)]
        display_name: Option<String>,
        /// contestant, coach, jury or admin; may be given several times.
        #[arg(long = "role", default_value = "contestant")]
        roles: Vec<String>,
    },
    /// List the accounts by name.
    List {
        /// JSON instead of text: one object per line.
        #[arg(long)]
        json: bool,
    },
    /// Set a password and end the account's sessions. It is asked for, or is the first line of stdin.
    SetPassword { name: String },
    /// Replace the roles; they hold from the next request on. Without roles, show those that there are.
    Roles {
        name: String,
        /// contestant, coach, jury, admin.
        roles: Vec<String>,
        /// Take all roles away. The account can still log in and hand in; `disable` ends that.
        #[arg(long, conflicts_with = "roles")]
        none: bool,
    },
    /// Disable an account and end its sessions at once. What it handed in stays.
    Disable {
        name: String,
        /// Enable it again.
        #[arg(long)]
        undo: bool,
    },
    /// End every session of an account.
    EndSessions { name: String },
    /// List the sessions of an account that live now, newest first.
    Sessions {
        name: String,
        /// JSON instead of text: one object per line.
        #[arg(long)]
        json: bool,
    },
    /// End one session, by the id that `agon account sessions` lists.
    EndSession { session: String },
}

/// Does it on the data folder.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    // Asked before the folder is taken: a person may take their time.
    let password = match &asked.action {
        Action::Add { .. } | Action::SetPassword { .. } => Some(read_password()?),
        Action::List { .. } | Action::Roles { .. } | Action::Disable { .. } => None,
        Action::EndSessions { .. } | Action::Sessions { .. } | Action::EndSession { .. } => None,
    };
    let desk = match &asked.action {
        Action::List { .. } | Action::Sessions { .. } => Desk::look_at_existing(PROGRAM).await?,
        Action::Roles { roles, none, .. } if roles.is_empty() && !none => Desk::look_at_existing(PROGRAM).await?,
        Action::Add { .. } => Desk::open(PROGRAM).await?,
        Action::SetPassword { .. } | Action::Roles { .. } | Action::Disable { .. } => Desk::existing(PROGRAM).await?,
        Action::EndSessions { .. } | Action::EndSession { .. } => Desk::existing(PROGRAM).await?,
    };
    let done = act(&desk, asked.action, password.unwrap_or_else(|| Secret(String::new()))).await;
    desk.close().await;
    done.map(|()| Exit::Success)
}

async fn act(desk: &Desk, action: Action, password: Secret) -> Result<(), CommandError> {
    match action {
        Action::Add { name, display_name, roles } => {
            let display_name = display_name.unwrap_or_else(|| name.clone());
            let request = CreateAccount { name, display_name, roles: roles_of(&roles), password };
            owned::say(line(&desk.ask(&request).await?))
        }
        Action::List { json } => list(desk, json).await,
        Action::SetPassword { name } => {
            let user_id = Some(find(desk, &name).await?.user_id);
            let request = SetPassword { user_id, old_password: None, new_password: password };
            desk.ask(&request).await?;
            owned::say(format_args!("{name}: the new password holds; every session has ended"))
        }
        Action::Roles { name, roles, none } => {
            let found = find(desk, &name).await?;
            if roles.is_empty() && !none {
                return owned::say(line(&found));
            }
            let user_id = found.user_id;
            let request = SetRoles { user_id, roles: roles_of(&roles) };
            owned::say(line(&desk.ask(&request).await?))
        }
        Action::Disable { name, undo } => {
            let user_id = find(desk, &name).await?.user_id;
            let request = DisableAccount { user_id, is_disabled: !undo };
            owned::say(line(&desk.ask(&request).await?))
        }
        Action::EndSessions { name } => {
            let user_id = Some(find(desk, &name).await?.user_id);
            let ended = desk.ask(&EndSessions { user_id }).await?.ended;
            owned::say(format_args!("{name}: {ended} sessions ended"))
        }
        Action::Sessions { name, json } => sessions(desk, &name, json).await,
        Action::EndSession { session } => {
            desk.ask(&EndSession { session_id: SessionId::from(session.as_str()) }).await?;
            owned::say(format_args!("{session}: the session ended"))
        }
    }
}

async fn list(desk: &Desk, json: bool) -> Result<(), CommandError> {
    let mut after_name = None;
    loop {
        let is_first = after_name.is_none();
        let page = desk.ask(&ListAccounts { name: None, after_name, limit: PAGE }).await?;
        if page.rows.is_empty() && is_first {
            owned::note("No accounts.");
        }
        for row in &page.rows {
            if json {
                owned::say(serde_json::to_string(row).expect("a row is text and numbers"))?;
            } else {
                owned::say(line(row))?;
            }
        }
        match page.next_after_name {
            Some(next) => after_name = Some(next),
            None => return Ok(()),
        }
    }
}

async fn sessions(desk: &Desk, name: &str, json: bool) -> Result<(), CommandError> {
    let user_id = find(desk, name).await?.user_id;
    let open = desk.ask(&ListSessions { user_id: Some(user_id) }).await?;
    if open.is_empty() {
        owned::note(format_args!("No open sessions of {name}."));
    }
    for open in open {
        if json {
            owned::say(serde_json::to_string(&open).expect("a row is text and numbers"))?;
        } else {
            let (since, seen) = (date::utc(open.created_at_ms), date::utc(open.last_seen_at_ms));
            owned::say(format_args!("{}  since {since}  last seen {seen}  from {}", open.id, open.peer))?;
        }
    }
    Ok(())
}

async fn find(desk: &Desk, name: &str) -> Result<AccountView, CommandError> {
    let asked = ListAccounts { name: Some(name.to_owned()), after_name: None, limit: 1 };
    let found = desk.ask(&asked).await?.rows.pop();
    Ok(found.ok_or_else(|| ApiError::new(ErrorCode::NotFound, format!("there is no account `{name}`")))?)
}

fn roles_of(names: &[String]) -> Vec<Role> {
    names.iter().map(|name| Role::from(name.as_str())).collect()
}

/// From the terminal, twice and unseen; else the first line of stdin.
fn read_password() -> Result<Secret, CommandError> {
    if !std::io::stdin().is_terminal() {
        return first_line(std::io::stdin().lock());
    }
    let password = rpassword::prompt_password("Password: ")?;
    let again = rpassword::prompt_password("Again: ")?;
    if password != again {
        return Err(ApiError::new(ErrorCode::BadRequest, "the two passwords differ; nothing was changed").into());
    }
    Ok(Secret(password))
}

fn first_line(mut input: impl BufRead) -> Result<Secret, CommandError> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    let password = line.strip_suffix('\n').unwrap_or(&line);
    Ok(Secret(password.strip_suffix('\r').unwrap_or(password).to_owned()))
}

fn line(account: &AccountView) -> String {
    let roles: Vec<&str> = account.roles.iter().map(Role::as_str).collect();
    let roles = if roles.is_empty() { "-".to_owned() } else { roles.join(",") };
    let state = if account.is_disabled { "disabled" } else { "enabled" };
    format!("{:20}  {roles:24}  {state:8}  {}", account.name, account.display_name)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::CommandLine;

    #[test]
    fn a_password_is_the_first_line_as_it_is() {
        for (input, password) in
            [("se cret \n", "se cret "), ("secret\r\nmore\n", "secret"), ("secret", "secret"), ("", ""), ("\n", "")]
        {
            assert_eq!(first_line(input.as_bytes()).expect("readable").0, password, "{input:?}");
        }
    }

    #[test]
    fn no_call_takes_a_password_as_an_argument() {
        for call in [
            &["agon", "account", "add", "ann", "--password", "x"][..],
            &["agon", "account", "add", "ann", "x"],
            &["agon", "account", "set-password", "ann", "x"],
        ] {
            assert!(CommandLine::try_parse_from(call).is_err(), "{call:?}");
        }
        assert!(CommandLine::try_parse_from(["agon", "account", "add", "ann", "--role", "jury"]).is_ok());
    }

    #[test]
    fn a_line_says_what_an_account_may_and_whether_it_may() {
        let mut account = AccountView {
            user_id: "u".into(),
            name: "ann".into(),
            display_name: "Team Ann".into(),
            roles: vec![Role::Coach, Role::Jury],
            is_disabled: false,
            created_at_ms: 0,
            last_seen_at_ms: None,
            open_sessions: 0,
        };
        assert_eq!(
            line(&account).split_whitespace().collect::<Vec<_>>(),
            ["ann", "coach,jury", "enabled", "Team", "Ann"]
        );
        account.roles.clear();
        account.is_disabled = true;
        assert_eq!(line(&account).split_whitespace().collect::<Vec<_>>(), ["ann", "-", "disabled", "Team", "Ann"]);
    }
}

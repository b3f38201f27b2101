//! `agon modules` and `agon watch-folder`: the optional services of the data folder.

use std::path::PathBuf;

use agon_contract::command::{GetWatchStatus, ListModules, SetModuleEnabled, SetWatchFolder};
use agon_contract::module::ModuleView;

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};

const PROGRAM: &str = "agon modules";

/// Which switch to turn; none lists them all.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// Switch this module on: at once where the window or `agon serve` runs, else from its next start.
    #[arg(long, value_name = "NAME")]
    on: Option<String>,
    /// Switch this module off.
    #[arg(long, value_name = "NAME", conflicts_with = "on")]
    off: Option<String>,
    /// JSON instead of text: one object per line.
    #[arg(long)]
    json: bool,
}

/// Which folder's packages are taken in.
#[derive(Debug, clap::Args)]
pub(crate) struct FolderAsked {
    /// The folder to watch from now on; when absent, the present one is shown.
    path: Option<PathBuf>,
    /// Watch none any more.
    #[arg(long, conflicts_with = "path")]
    none: bool,
    /// Look every few seconds instead of being told: for folders on a network.
    #[arg(long, requires = "path")]
    poll: bool,
}

/// Lists or switches modules.
pub(crate) async fn modules(asked: Asked) -> Result<Exit, CommandError> {
    let switches = asked.on.is_some() || asked.off.is_some();
    let desk = if switches { Desk::open(PROGRAM).await? } else { Desk::look_at_existing(PROGRAM).await? };
    let views = look_or_switch(&desk, &asked).await;
    desk.close().await;
    for view in views? {
        if asked.json {
            owned::say(serde_json::to_string(&view).expect("a module is text and numbers"))?;
        } else {
            owned::say(line(&view))?;
        }
    }
    Ok(Exit::Success)
}

async fn look_or_switch(desk: &Desk, asked: &Asked) -> Result<Vec<ModuleView>, CommandError> {
    let change = match (&asked.on, &asked.off) {
        (Some(name), _) => Some((name, true)),
        (None, Some(name)) => Some((name, false)),
        (None, None) => None,
    };
    match change {
        Some((name, enabled)) => Ok(vec![desk.ask(&SetModuleEnabled { name: name.clone(), enabled }).await?]),
        None => desk.ask(&ListModules {}).await,
    }
}

/// Shows or sets the watched folder.
pub(crate) async fn watch_folder(asked: FolderAsked) -> Result<Exit, CommandError> {
    const PROGRAM: &str = "agon watch-folder";
    let path = match asked.path {
        Some(path) => {
            let absolute = std::path::absolute(&path).map_err(|source| CommandError::Source { path, source })?;
            Some(absolute.to_string_lossy().into_owned())
        }
        None => asked.none.then(String::new),
    };
    let (desk, status) = match path {
        Some(path) => {
            let desk = Desk::open(PROGRAM).await?;
            let set = desk.ask(&SetWatchFolder { path, polls: asked.poll }).await;
            (desk, set)
        }
        None => {
            let desk = Desk::look_at_existing(PROGRAM).await?;
            let seen = desk.ask(&GetWatchStatus {}).await;
            (desk, seen)
        }
    };
    desk.close().await;
    let status = status?;
    match status.folder {
        Some(folder) => owned::say(format_args!("packages in {} are taken in", folder.path))?,
        None => owned::say("no folder is watched")?,
    }
    if !status.module.is_enabled {
        owned::note("The module file_watch is off: agon modules --on file_watch");
    }
    Ok(Exit::Success)
}

fn line(view: &ModuleView) -> String {
    let wish = match (view.is_enabled, view.is_allowed) {
        (true, true) => "on",
        (true, false) => "on, not allowed",
        (false, _) => "off",
    };
    format!("{:20}  {wish:16}  {:10}  {}", view.name, view.state.as_str(), view.reason).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use agon_contract::module::ModuleState;

    use super::*;

    #[test]
    fn a_line_says_who_wants_it_and_who_does_not_allow_it() {
        let view = |is_enabled, is_allowed| ModuleView {
            name: "file_watch".into(),
            state: ModuleState::Disabled,
            since_ms: 0,
            reason: String::new(),
            remedy: String::new(),
            is_enabled,
            is_allowed,
        };
        assert_eq!(line(&view(true, true)), "file_watch            on                disabled");
        assert_eq!(line(&view(true, false)), "file_watch            on, not allowed   disabled");
        assert_eq!(line(&view(false, false)), "file_watch            off               disabled");
    }
}

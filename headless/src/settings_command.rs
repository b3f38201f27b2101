//! `agon settings`: what holds for the whole data folder.

use agon_contract::folder_setting::{FolderSettingView, GetSettings, SetSetting};

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};

const PROGRAM: &str = "agon settings";

/// Which setting to change; none lists them all.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// The setting, as the list names it.
    #[arg(requires = "change")]
    name: Option<String>,
    /// Its new value.
    #[arg(group = "change")]
    value: Option<i64>,
    /// Back to the default.
    #[arg(long, group = "change", requires = "name")]
    default: bool,
    /// JSON instead of text: one object per line.
    #[arg(long)]
    json: bool,
}

/// Lists or changes settings.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    let desk = match &asked.name {
        Some(_) => Desk::existing(PROGRAM).await?,
        None => Desk::look_at_existing(PROGRAM).await?,
    };
    let done = match &asked.name {
        Some(name) => desk.ask(&SetSetting { name: name.clone(), value: asked.value }).await.map(|view| vec![view]),
        None => desk.ask(&GetSettings {}).await,
    };
    desk.close().await;
    for view in done? {
        if asked.json {
            owned::say(serde_json::to_string(&view).expect("a setting is text and numbers"))?;
        } else {
            owned::say(line(&view))?;
        }
    }
    Ok(Exit::Success)
}

/// `judge.workers  2  (default: by the machine; 1 to 256; from the next start)`.
fn line(view: &FolderSettingView) -> String {
    let default = view.default.map_or_else(|| "by the machine".to_owned(), |value| value.to_string());
    let value = view.value.map_or_else(|| "default".to_owned(), |value| value.to_string());
    let when = if view.needs_restart { "; from the next start on" } else { "" };
    format!("{:24}  {value:8}  default {default}, from {} to {}{when}", view.name, view.min, view.max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_holds_and_what_may_be_set() {
        let view = FolderSettingView {
            name: "judge.workers".into(),
            value: None,
            default: None,
            min: 1,
            max: 256,
            needs_restart: true,
        };
        let expected =
            "judge.workers             default   default by the machine, from 1 to 256; from the next start on";
        assert_eq!(line(&view), expected);
        let set = FolderSettingView { value: Some(6), default: Some(0), needs_restart: false, ..view };
        assert_eq!(line(&set), "judge.workers             6         default 0, from 1 to 256");
    }
}

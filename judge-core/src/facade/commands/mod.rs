//! One method of [`Judge`](super::Judge) per contract command, one file per subject.

mod account;
mod audit;
mod backup;
mod catalog;
mod delivery;
mod draft;
mod events;
mod execution;
mod folder_setting;
mod import;
mod message;
mod modules;
mod notice;
mod operations;
mod preview;
mod rejudge;
mod session;
mod submission;
mod system;
mod watch;

/// Compiles only while each command of the contract has its method with the right types.
#[cfg(test)]
mod completeness {
    use agon_contract::command::*;
    use agon_contract::{ApiError, Command};

    use crate::{Actor, Judge};

    macro_rules! one_function_per_command {
        ($($name:ident: $request:ident;)+) => {
            $(
                async fn $name(
                    judge: &Judge,
                    actor: &Actor,
                    req: $request,
                ) -> Result<<$request as Command>::Response, ApiError> {
                    judge.$name(actor, req).await
                }
            )+

            #[test]
            fn every_command_has_a_method() {
                $(let _ = $name;)+
            }
        };
    }

    agon_contract::for_each_command!(one_function_per_command);
}

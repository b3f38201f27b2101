//! All modules of this program: who may run, who runs, and what they say.

use std::sync::Arc;

use agon_contract::module::ModuleView;
use futures_util::future::join_all;
use tokio::sync::watch;

use super::slot::{Handle, Order, Status};
use super::{Budgets, Module};
use crate::clock::Clock;

/// What the machine permits and how long things may take.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Names that may run here; `None`: all of this program.
    pub allowed: Option<Vec<String>>,
    pub budgets: Budgets,
}

impl Rules {
    fn allows(&self, name: &str) -> bool {
        self.allowed.as_ref().is_none_or(|names| names.iter().any(|allowed| allowed == name))
    }
}

/// Why an order to a module was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OrderError {
    #[error("this program has no such module")]
    Unknown,
    #[error("this machine's allowlist does not have the module")]
    NotAllowed,
    #[error("the module is switched off")]
    SwitchedOff,
}

/// The modules. Those that are told nothing stay DISABLED.
pub(crate) struct Modules {
    members: Vec<Member>,
}

struct Member {
    name: &'static str,
    is_allowed: bool,
    handle: Handle,
}

impl Modules {
    /// `told` is called after each change of any module. Call it inside the async runtime.
    pub(crate) fn new(
        modules: Vec<Arc<dyn Module>>,
        rules: &Rules,
        clock: &Arc<dyn Clock>,
        told: &Arc<dyn Fn() + Send + Sync>,
    ) -> Self {
        let member = |module: Arc<dyn Module>| Member {
            name: module.name(),
            is_allowed: rules.allows(module.name()),
            handle: Handle::new(module, rules.budgets, Arc::clone(clock), Arc::clone(told)),
        };
        Self { members: modules.into_iter().map(member).collect() }
    }

    /// Whether there is such a module, and whether it may run here.
    pub(crate) fn check(&self, name: &str) -> Result<(), OrderError> {
        if self.member(name)?.is_allowed { Ok(()) } else { Err(OrderError::NotAllowed) }
    }

    /// Wants it to run, or not to run. What is not allowed can only be switched off.
    pub(crate) async fn switch(&self, name: &str, on: bool) -> Result<(), OrderError> {
        if on {
            self.check(name)?;
        }
        self.member(name)?.handle.order(if on { Order::SwitchOn } else { Order::SwitchOff }).await;
        Ok(())
    }

    /// Ends its run and begins another.
    pub(crate) async fn restart(&self, name: &str) -> Result<(), OrderError> {
        if !self.status(name)?.borrow().is_on {
            return Err(OrderError::SwitchedOff);
        }
        self.member(name)?.handle.order(Order::Restart).await;
        Ok(())
    }

    /// Watches how one stands.
    pub(crate) fn status(&self, name: &str) -> Result<watch::Receiver<Status>, OrderError> {
        Ok(self.member(name)?.handle.status())
    }

    /// How all stand, by name.
    pub(crate) fn views(&self) -> Vec<ModuleView> {
        let mut views: Vec<ModuleView> = self.members.iter().map(Member::view).collect();
        views.sort_by(|a, b| a.name.cmp(&b.name));
        views
    }

    /// Ends all of them side by side, each within its own budget. Orders count for nothing afterwards.
    pub(crate) async fn close(&self) {
        join_all(self.members.iter().map(|member| member.handle.shut())).await;
    }

    fn member(&self, name: &str) -> Result<&Member, OrderError> {
        self.members.iter().find(|member| member.name == name).ok_or(OrderError::Unknown)
    }
}

impl Member {
    fn view(&self) -> ModuleView {
        let status = self.handle.status().borrow().clone();
        let (reason, remedy) = match status.failure {
            Some(failure) => (failure.reason, failure.remedy),
            None if !self.is_allowed => (
                "this machine does not allow it".to_owned(),
                "Add its name to AGON_MODULES where the program is started.".to_owned(),
            ),
            None => Default::default(),
        };
        ModuleView {
            name: self.name.to_owned(),
            state: status.state,
            since_ms: status.since_ms,
            reason,
            remedy,
            is_enabled: status.is_on,
            is_allowed: self.is_allowed,
        }
    }
}

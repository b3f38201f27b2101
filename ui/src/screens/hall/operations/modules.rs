//! Optional services and where each stands; they are switched in Settings.

use agon_contract::module::{ModuleState, ModuleView};
use agon_contract::operations::OperationsView;
use leptos::prelude::*;

use crate::i18n::{hall, module_name, module_state_name, t};
use crate::parts::{Glyph, Icon, Moment};

/// Colour and shape of a state.
fn face(state: &ModuleState) -> (&'static str, Option<Glyph>) {
    match state {
        ModuleState::Ready => ("state state-ok", Some(Glyph::Check)),
        ModuleState::Failed => ("state state-bad", Some(Glyph::Alert)),
        ModuleState::Starting | ModuleState::Stopping => ("state", None),
        ModuleState::Disabled | ModuleState::Stopped | ModuleState::Unknown(_) => ("state muted", None),
    }
}

/// The section.
#[component]
pub(super) fn Modules(view: Signal<OperationsView>) -> impl IntoView {
    let rows = Memo::new(move |_| view.with(|view| view.modules.clone()));
    view! {
        <h2 id="modules">{hall().modules}</h2>
        {move || if rows.with(Vec::is_empty) {
            view! { <p class="hint">{hall().no_modules}</p> }.into_any()
        } else {
            view! {
                <table class="table" data-testid="modules">
                    <thead><tr>
                        <th scope="col">{hall().column_module}</th>
                        <th scope="col" class="cell-narrow">{t().column_state}</th>
                        <th scope="col">{t().reason}</th>
                        <th scope="col" class="number">{hall().column_since}</th>
                    </tr></thead>
                    <tbody>{rows.get().into_iter().map(|module| view! { <Row module /> }).collect_view()}</tbody>
                </table>
            }.into_any()
        }}
    }
}

#[component]
fn Row(module: ModuleView) -> impl IntoView {
    let (class, glyph) = face(&module.state);
    view! {
        <tr data-testid=format!("module-{}", module.name) data-state=module.state.as_str().to_owned()>
            <th scope="row">{module_name(&module.name)}</th>
            <td><span class=class>{glyph.map(|glyph| view! { <Icon glyph /> })}{module_state_name(&module.state)}</span></td>
            <td class="wrap">
                {module.reason}
                {(!module.is_allowed).then(|| view! { " "<span class="tag">{hall().module_not_allowed}</span> })}
                {(!module.remedy.is_empty()).then(|| view! { <p class="remedy">{module.remedy.clone()}</p> })}
            </td>
            <td class="number"><Moment at_ms=module.since_ms /></td>
        </tr>
    }
}

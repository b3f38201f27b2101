//! Backups: what is there, making one while everything goes on, and reading one back.

use agon_contract::backup::{BackupKind, BackupList, BackupView, UnusableBackup};
use agon_contract::command::{ListBackups, MakeBackup, VerifyBackup};
use leptos::prelude::*;

use super::frame::{HallPage, HallScreen};
use crate::format::bytes;
use crate::i18n::hall;
use crate::parts::{Empty, Glyph, Icon, Moment, Notice, Refusal, Tone, moment_text};
use crate::state::action::action;
use crate::state::pace::measured;
use crate::state::query::Query;
use crate::state::{Topic, loaded};

fn kind_name(kind: &BackupKind) -> String {
    match kind {
        BackupKind::Manual => hall().kind_manual,
        BackupKind::Scheduled => hall().kind_scheduled,
        BackupKind::Unknown(name) => name,
    }
    .to_owned()
}

/// The screen of `/hall/backups`.
#[component]
pub fn Backups() -> impl IntoView {
    let list = measured(|| Some(ListBackups {}), &[Topic::Progress]);
    let making = action();
    let made = RwSignal::new(None::<BackupView>);
    let make = move |_| {
        made.set(None);
        making.send(MakeBackup { into: None }, move |backup| {
            made.set(Some(backup));
            list.retry();
        });
    };
    let button = move || {
        view! {
            <button class="button button-primary" type="button" data-testid="make-backup" disabled=making.is_busy on:click=make>
                <Icon glyph=Glyph::Save />
                {move || if making.is_busy.get() { hall().making_backup } else { hall().make_backup }}
            </button>
        }
    };
    view! {
        <HallScreen page=HallPage::Backups aside=button>
            <Refusal action=making />
            {move || making.is_busy.get().then(|| view! { <Notice tone=Tone::Info>{hall().backup_goes_on}</Notice> })}
            {move || made.get().map(|backup| view! {
                <Notice tone=Tone::Ok testid="backup-made">{hall().backup_done.fill([&backup.path])}</Notice>
            })}
            {loaded(list, move |view| view! { <List view list /> })}
        </HallScreen>
    }
}

#[component]
fn List(view: Signal<BackupList>, list: Query<BackupList>) -> impl IntoView {
    let rows = Memo::new(move |_| view.with(|view| view.backups.clone()));
    let unusable = Memo::new(move |_| view.with(|view| view.unusable.clone()));
    let failure = Memo::new(move |_| view.with(|view| view.last_failure.clone()));
    view! {
        {move || failure.get().map(|reason| view! {
            <Notice tone=Tone::Bad testid="backup-failed"><strong>{hall().last_backup_failed}</strong>" "{reason}</Notice>
        })}
        {move || if rows.with(Vec::is_empty) {
            view! { <Empty title=hall().no_backups hint=hall().backup_goes_on /> }.into_any()
        } else {
            view! { <Table rows list /> }.into_any()
        }}
        {move || (!unusable.with(Vec::is_empty)).then(|| view! { <Unusable rows=unusable.get() /> })}
    }
}

#[component]
fn Table(rows: Memo<Vec<BackupView>>, list: Query<BackupList>) -> impl IntoView {
    view! {
        <table class="table" data-testid="backups">
            <thead><tr>
                <th scope="col" class="cell-narrow">{hall().column_made}</th>
                <th scope="col" class="cell-narrow">{hall().column_kind}</th>
                <th scope="col" class="number">{hall().column_size}</th>
                <th scope="col" class="number">{hall().column_entries}</th>
                <th scope="col">{hall().column_path}</th>
                <th scope="col">{hall().column_verified}</th>
            </tr></thead>
            <tbody><For each=move || rows.get() key=|row| row.id.clone() let:row><Row row list /></For></tbody>
        </table>
    }
}

#[component]
fn Row(row: BackupView, list: Query<BackupList>) -> impl IntoView {
    let verifying = action();
    let is_in_order = RwSignal::new(false);
    let label = hall().verify_backup_label.fill([&moment_text(row.made_at_ms)]);
    let backup_id = row.id.clone();
    let verify = move |_| {
        is_in_order.set(false);
        verifying.send(VerifyBackup { backup_id: backup_id.clone() }, move |_| {
            is_in_order.set(true);
            list.retry();
        });
    };
    view! {
        <tr data-testid=format!("backup-{}", row.id)>
            <td><Moment at_ms=row.made_at_ms /></td>
            <td class="cell-language">{kind_name(&row.kind)}</td>
            <td class="number">{bytes(row.bytes)}</td>
            <td class="number" title=row.audit.head_hash.clone()>{row.audit.entries}</td>
            <td class="wrap mono">{row.path}</td>
            <td>
                <span class="verify">
                    <span class="state state-ok" role="status"><Icon glyph=Glyph::Check />
                        {move || if is_in_order.get() { hall().backup_in_order } else { hall().backup_when_made }}
                    </span>
                    <button class="button button-small" type="button" aria-label=label data-testid="verify-backup"
                        disabled=verifying.is_busy on:click=verify>
                        {move || if verifying.is_busy.get() { hall().reading_back } else { hall().verify_backup }}
                    </button>
                </span>
                <Refusal action=verifying />
            </td>
        </tr>
    }
}

#[component]
fn Unusable(rows: Vec<UnusableBackup>) -> impl IntoView {
    view! {
        <h2>{hall().unusable_backups}</h2>
        <dl class="facts" data-testid="unusable-backups">
            {rows.into_iter().map(|row| view! { <dt class="mono wrap">{row.path}</dt><dd class="wrap">{row.reason}</dd> }).collect_view()}
        </dl>
    }
}

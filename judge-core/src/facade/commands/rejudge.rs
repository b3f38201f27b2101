//! Judging again, and deciding about change sets.

use std::collections::HashMap;

use agon_contract::ApiError;
use agon_contract::command::{ApplyChangeSet, DiscardChangeSet, GetChangeSet, ListChangeSets, Rejudge};
use agon_contract::ids::ProblemId;
use agon_contract::permission::Permission;
use agon_contract::rejudge::{ChangeSetPage, ChangeSetView, RejudgeBasis, RejudgeSelection};

use crate::actor::Actor;
use crate::domain::facts::ProblemFacts;
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, require};
use crate::owner::submission::change_set::{ItemFilter, NewRejudging};
use crate::owner::submission::intake::check_key;

/// Rows of a page.
const PAGE_ROWS_MAX: u32 = 200;
/// Items that an answer about a whole change set shows.
const FIRST_PAGE: ItemFilter = ItemFilter { after_ordinal: 0, limit: PAGE_ROWS_MAX, only_changed: false };

impl Judge {
    /// Judges submissions again. When this answers, the selection is frozen and each of its submissions waits.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` (nothing named, too many fit), `not_found` (nothing fits), `conflict` (the key was
    /// used for something else); nothing was judged again.
    pub async fn rejudge(&self, actor: &Actor, req: Rejudge) -> Result<ChangeSetView, ApiError> {
        require(actor, &Permission::Rejudge)?;
        check_key(req.idempotency_key.as_str())?;
        let newest = match req.basis {
            RejudgeBasis::Newest => self.newest_facts(&req.selection).await?,
            RejudgeBasis::AsHandedIn | RejudgeBasis::Unknown(_) => HashMap::new(),
        };
        let new = NewRejudging {
            by: actor.user_id.clone(),
            idempotency_key: req.idempotency_key,
            selection: req.selection,
            mode: req.mode,
            basis: req.basis,
            newest,
        };
        let made = self.rooms.shop.submissions.rejudge(new).await?;
        for superseded in &made.superseded {
            self.rooms.shop.board.kill_judgement(superseded);
        }
        self.rooms.shop.signals.saved.notify_one();
        tracing::info!(change_set.id = %made.id, user.id = %actor.user_id, "submissions are judged again");
        Ok(self.rooms.shop.submissions.change_set(&made.id, FIRST_PAGE).await?)
    }

    /// Facts of now of every problem that the selection reaches and that is on the list.
    async fn newest_facts(&self, selection: &RejudgeSelection) -> Result<HashMap<ProblemId, ProblemFacts>, ApiError> {
        let mut newest = HashMap::new();
        for id in self.rooms.shop.submissions.problems_of(selection).await? {
            if let Some(facts) = self.rooms.shop.catalog.facts(&id).await? {
                newest.insert(id, facts);
            }
        }
        Ok(newest)
    }

    /// Change sets, newest first.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` for a limit outside 1 to 200.
    pub async fn list_change_sets(&self, actor: &Actor, req: ListChangeSets) -> Result<ChangeSetPage, ApiError> {
        require(actor, &Permission::Rejudge)?;
        check_limit(req.limit)?;
        Ok(self.rooms.shop.submissions.change_sets(req.before_number, req.limit).await?)
    }

    /// One change set with a page of its submissions, old verdict and new.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `bad_request` for a limit outside 1 to 200.
    pub async fn get_change_set(&self, actor: &Actor, req: GetChangeSet) -> Result<ChangeSetView, ApiError> {
        require(actor, &Permission::Rejudge)?;
        check_limit(req.limit)?;
        let filter = ItemFilter { after_ordinal: req.after_ordinal, limit: req.limit, only_changed: req.only_changed };
        Ok(self.rooms.shop.submissions.change_set(&req.change_set_id, filter).await?)
    }

    /// Lets a change set's verdicts count, all that still may in one commit.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `conflict` while some are not judged yet or after a discard.
    pub async fn apply_change_set(&self, actor: &Actor, req: ApplyChangeSet) -> Result<ChangeSetView, ApiError> {
        require(actor, &Permission::Rejudge)?;
        let submissions = &self.rooms.shop.submissions;
        submissions.apply_change_set(&req.change_set_id, &actor.user_id).await?;
        tracing::info!(change_set.id = %req.change_set_id, user.id = %actor.user_id, "a change set was applied");
        Ok(submissions.change_set(&req.change_set_id, FIRST_PAGE).await?)
    }

    /// Throws a change set's verdicts away and ends what of it is still judged.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `conflict` once it is applied.
    pub async fn discard_change_set(&self, actor: &Actor, req: DiscardChangeSet) -> Result<ChangeSetView, ApiError> {
        require(actor, &Permission::Rejudge)?;
        let submissions = &self.rooms.shop.submissions;
        for killed in submissions.discard_change_set(&req.change_set_id, &actor.user_id).await? {
            self.rooms.shop.board.kill_judgement(&killed);
        }
        tracing::info!(change_set.id = %req.change_set_id, user.id = %actor.user_id, "a change set was discarded");
        Ok(submissions.change_set(&req.change_set_id, FIRST_PAGE).await?)
    }
}

fn check_limit(limit: u32) -> Result<(), ApiError> {
    if (1..=PAGE_ROWS_MAX).contains(&limit) {
        Ok(())
    } else {
        Err(bad_request(format!("a page has 1 to {PAGE_ROWS_MAX} rows")))
    }
}

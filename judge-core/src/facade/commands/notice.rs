//! One's own notices and what one wants to hear of.

use agon_contract::ApiError;
use agon_contract::command::{GetNoticePreferences, ListNotices, MarkNoticesRead, SetNoticePreferences};
use agon_contract::notice::{NoticeChannel, NoticeKind, NoticePage, NoticePreferences, NoticesRead};

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::bad_request;

/// Rows of a page, and notices marked at a time.
const NOTICES_MAX: u32 = 200;
/// Preferences changed at a time.
const CHANGES_MAX: usize = 100;

impl Judge {
    /// The acting person's notices, newest first, with the count of unread ones.
    ///
    /// # Errors
    /// `bad_request` for a limit above 200.
    pub async fn list_notices(&self, actor: &Actor, req: ListNotices) -> Result<NoticePage, ApiError> {
        if req.limit > NOTICES_MAX {
            return Err(bad_request(format!("a page has at most {NOTICES_MAX} rows")));
        }
        Ok(self.rooms.notifications.page(&actor.user_id, req.before_id, req.limit).await?)
    }

    /// Marks the acting person's notices as read.
    ///
    /// # Errors
    /// `bad_request` for more than 200 ids.
    pub async fn mark_notices_read(&self, actor: &Actor, req: MarkNoticesRead) -> Result<NoticesRead, ApiError> {
        if req.ids.len() > NOTICES_MAX as usize {
            return Err(bad_request(format!("at most {NOTICES_MAX} notices are marked at a time")));
        }
        Ok(self.rooms.notifications.mark_read(&actor.user_id, req.ids, req.up_to_id).await?)
    }

    /// What the acting person wants to hear of, where.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn get_notice_preferences(
        &self,
        actor: &Actor,
        _req: GetNoticePreferences,
    ) -> Result<NoticePreferences, ApiError> {
        Ok(self.rooms.notifications.preferences(&actor.user_id, &actor.roles).await?)
    }

    /// Changes some of it.
    ///
    /// # Errors
    /// `bad_request` for a kind or channel that this version does not know, or too many changes.
    pub async fn set_notice_preferences(
        &self,
        actor: &Actor,
        req: SetNoticePreferences,
    ) -> Result<NoticePreferences, ApiError> {
        if req.changes.len() > CHANGES_MAX {
            return Err(bad_request(format!("at most {CHANGES_MAX} preferences are changed at a time")));
        }
        for change in &req.changes {
            if let NoticeKind::Unknown(kind) = &change.kind {
                return Err(bad_request(format!("there are no notices of kind `{kind}`")));
            }
            if let NoticeChannel::Unknown(channel) = &change.channel {
                return Err(bad_request(format!("there is no channel `{channel}`")));
            }
        }
        self.rooms.notifications.set_preferences(&actor.user_id, req.changes).await?;
        self.get_notice_preferences(actor, GetNoticePreferences {}).await
    }
}

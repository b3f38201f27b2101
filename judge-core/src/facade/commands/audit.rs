//! The audit log, read and verified.

use agon_contract::ApiError;
use agon_contract::audit::{AuditPage, AuditVerification, ListAudit, VerifyAudit};
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, require};

/// Entries of one answer.
const PAGE_MAX: u32 = 200;

impl Judge {
    /// Entries of the audit log, newest first.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` for a page of another size than 1 to 200, `storage_unavailable`.
    pub async fn list_audit(&self, actor: &Actor, req: ListAudit) -> Result<AuditPage, ApiError> {
        require(actor, &Permission::ReadAudit)?;
        if req.limit == 0 || req.limit > PAGE_MAX {
            return Err(bad_request(format!("a page has 1 to {PAGE_MAX} entries")));
        }
        let mut entries = self.rooms.admin.audit_page(req.before_seq.unwrap_or(u64::MAX), req.limit).await?;
        let names = self.rooms.auth.names(entries.iter().filter_map(|entry| entry.actor.clone()).collect()).await?;
        for entry in &mut entries {
            entry.actor_name = entry.actor.as_ref().and_then(|actor| names.get(actor).cloned());
        }
        let is_full = entries.len() == req.limit as usize;
        let next_before_seq = entries.last().map(|oldest| oldest.seq).filter(|seq| is_full && *seq > 1);
        Ok(AuditPage { entries, next_before_seq })
    }

    /// Walks the chain of the audit log and says where it is broken, if it is.
    ///
    /// # Errors
    /// `forbidden`, `storage_unavailable`.
    pub async fn verify_audit(&self, actor: &Actor, _req: VerifyAudit) -> Result<AuditVerification, ApiError> {
        require(actor, &Permission::ReadAudit)?;
        let verification = self.rooms.admin.verify_audit().await?;
        if let Some(fault) = &verification.fault {
            tracing::error!(seq = fault.seq, reason = %fault.reason, "the audit log is not as it was written");
        }
        Ok(verification)
    }
}

//! What a person may do, apart from what is their own.

use crate::wire_enum::wire_enum;

wire_enum! {
    /// One thing that not everybody may do. Roles are sets of these; hosts and interface ask for the permission, never
    /// for the role.
    Permission {
        /// See everybody's submissions in full.
        ReadSubmissions = "read_submissions",
        /// Judge again, cancel, preview, apply and discard change sets, revive what was set aside.
        Rejudge = "rejudge",
        /// Import, replace and remove problems.
        ManageProblems = "manage_problems",
        /// See queue, leases, modules, dead letters and measures.
        ReadOperations = "read_operations",
        /// Read and verify the audit log.
        ReadAudit = "read_audit",
        /// Start and stop optional services, change settings of the folder.
        ManageModules = "manage_modules",
        /// Make and verify backups.
        ManageBackups = "manage_backups",
        /// Make accounts, set passwords, grant and take roles, end sessions.
        ManageAccounts = "manage_accounts",
    }
}

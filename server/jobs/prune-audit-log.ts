import { pruneAuditLog } from '../store/organization/audit-log.js'
import { periodicKind } from './job-kind.js'

const dayMs = 86_400_000

/** Deletes entries of the audit log that are older than AUDIT_RETENTION_DAYS, in batches; 0: none. */
export const pruneAudit = periodicKind('prune-audit-log', '*/10 * * * *', {
  seconds: 600,
  async run({ sql, clock, config: { auditRetentionDays: days } }, _, { signal }) {
    if (days === 0) return
    while (!signal.aborted && (await pruneAuditLog(sql, new Date(clock.now() - days * dayMs))) > 0);
  },
})

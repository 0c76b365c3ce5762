import { userInfo } from 'node:os'
import type { AuditChange } from '../../shared/events/audit.js'
import type { Origin } from '../ctx.js'
import type { ISql } from '../store/driver/db.js'
import { insertAuditEntries } from '../store/organization/audit-log.js'

/** The origin of what a command changes: the operator has no account in the organization. */
export const commandOrigin = (): Origin => ({
  userId: null,
  operation: 'admin',
  requestId: '',
  address: '',
  operator: operatorName(),
})

/** The operating system's user that runs the command: under sudo the one that called it. */
function operatorName(): string {
  const { SUDO_USER: caller = '' } = process.env
  if (caller !== '') return caller
  try {
    return userInfo().username
  } catch {
    // An id without a name, as in some containers.
    return `uid ${process.getuid?.()}`
  }
}

/** Writes to the audit log what a command does that no transaction of a change writes: an export, for example. */
export async function auditCommand(sql: ISql, event: string, change: AuditChange): Promise<void> {
  const { userId, requestId, ...origin } = commandOrigin()
  await insertAuditEntries(sql, [{ actor_id: userId, request_id: requestId, ...origin, event, ...change }])
}

import { z } from 'zod'
import { integer, keptText, shortId } from '../../params/schemas.js'
import type { AuditFilter } from '../../store/organization/audit-log.js'

// Until the end of the year 9999, which is the last that the database reads in this form.
const seconds = () => integer({ min: 0, max: 253_402_300_799 })
const timeOf = (given: number | undefined) => (given === undefined ? undefined : new Date(given * 1000))

/** Which entries of the audit log are wanted: parameters of the list and of the download. */
export const auditFilter = z.object({
  actor_id: shortId().optional().describe('Only what this account changed.'),
  user_id: shortId().optional().describe('Only changes of this account.'),
  event: keptText(100).optional().describe('Only changes that this type of event announced.'),
  since: seconds().optional().describe('Only since then: UNIX seconds.'),
  until: seconds().optional().describe('Only before then: UNIX seconds.'),
})

/** The same for the store. */
export const storedFilter = (given: z.output<typeof auditFilter>): Omit<AuditFilter, 'before' | 'limit'> => ({
  actorId: given.actor_id,
  userId: given.user_id,
  event: given.event,
  since: timeOf(given.since),
  until: timeOf(given.until),
})

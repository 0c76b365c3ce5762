import { z } from 'zod'
import { budgets } from '../../config/budgets.js'
import { integer } from '../../params/schemas.js'
import { administrators } from '../../policies/allow.js'
import { readAuditLog } from '../../store/organization/audit-log.js'
import { route } from '../route.js'
import { auditFilter, storedFilter } from './filter.js'

const object = z.record(z.string(), z.unknown())
const entry = z.object({
  id: z.int(),
  time: z.int().describe('UNIX seconds.'),
  actor_id: z.int().nullable().describe('Who made the change; null: the server, its operator, or an unknown caller.'),
  operator: z.string().describe('The user of the operating system that ran a command; otherwise empty.'),
  operation: z.string().describe('The operation of the request, or another cause.'),
  address: z.string().describe('The IP address of the request; may be empty.'),
  event: z.string().describe('The type of the event that announced the change: `realm_user/update`.'),
  subject: object.describe('The ids of what was changed: `{"user_id": 5}`.'),
  before: object.nullable().describe('The changed fields before; null: there was no such object.'),
  after: object.nullable().describe('The changed fields after.'),
})

export const getAuditLog = route({
  operation: 'get_audit_log',
  method: 'GET',
  path: '/realm/audit_log',
  doc: 'Lists who changed what of the organization, the newest first. Administrators only.',
  allow: administrators,
  params: z.object({
    ...auditFilter.shape,
    before: integer({ min: 0 }).optional().describe('Only entries with a lower id: `next_before` of the page before.'),
    limit: integer({ min: 1, max: budgets.auditEntriesPerPage.most }).default(100).describe('So many entries at most.'),
  }),
  returns: z.object({
    entries: z.array(entry),
    next_before: z.int().nullable().describe('`before` of the next page; null: there is none.'),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handle({ ctx, params: { before, limit, ...given } }) {
    const rows = await readAuditLog(ctx.sql, { ...storedFilter(given), before, limit: limit + 1 })
    const entries = rows
      .slice(0, limit)
      .map(({ at, request_id: _, ...row }) => ({ ...row, time: Math.floor(at.getTime() / 1000) }))
    return { entries, next_before: rows.length > limit ? (entries.at(-1)?.id ?? null) : null }
  },
})

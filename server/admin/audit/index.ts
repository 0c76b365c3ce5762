import { type Command, InvalidArgumentError } from 'commander'
import { parseIsoTime } from '../../../shared/dates.js'
import { type AuditRow, readAuditLog } from '../../store/organization/audit-log.js'
import { accountOf } from '../actor.js'
import { type Json, leaf, noun, whole } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print, table } from '../output.js'

interface Filters {
  readonly by?: string
  readonly event?: string
  readonly since?: Date
  readonly before?: number
  readonly limit: number
}

/** The commands `audit …`. */
export function addAuditCommands(program: Command): void {
  const audit = noun(program, 'audit', 'Who changed what of the organization.')
  leaf(audit, 'list', 'Lists changes, the newest first.', [
    'audit list --by owner@example.com --since 2026-11-01',
    'audit list --event realm_user/update --limit 20 --json',
  ])
    .option('--by <account>', 'only what this account did: address or id')
    .option('--event <name>', 'only changes announced by this event, realm_user/update for example')
    .option('--since <time>', 'only since then: a date, or a time in ISO 8601, UTC unless it has an offset', asTime)
    .option('--before <id>', 'only older ones than this: for the next page', whole(1, 9_999_999_999))
    .option('--limit <count>', 'so many at most', whole(1, 100_000), 100)
    .action(async ({ json, by, ...filter }: Filters & Json) => {
      const rows = await onOrganization(async ctx => {
        const actorId = by === undefined ? undefined : accountOf(ctx, by).id
        const found = await readAuditLog(ctx.sql, { ...filter, ...(actorId !== undefined && { actorId }) })
        return found.map(row => ({ ...row, actor: nameOf(ctx.directory.users, row) }))
      })
      const lines = table(
        {
          id: row => row.id,
          time: row => row.at.toISOString().slice(0, 19),
          by: row => row.actor ?? (row.operator === '' ? '-' : `operator ${row.operator}`),
          from: row => row.address,
          operation: row => row.operation,
          event: row => row.event,
          of: row => JSON.stringify(row.subject),
          before: row => (row.before ? JSON.stringify(row.before) : ''),
          after: row => (row.after ? JSON.stringify(row.after) : ''),
        },
        rows,
      )
      print(json, rows, lines)
    })
}

type Names = ReadonlyMap<number, { readonly delivery_email: string }>

const nameOf = (users: Names, { actor_id }: AuditRow): string | null =>
  actor_id === null ? null : (users.get(actor_id)?.delivery_email ?? String(actor_id))

function asTime(text: string): Date {
  const time = parseIsoTime(text)
  if (!time) throw new InvalidArgumentError('Not a time.')
  return time
}

import { randomBytes } from 'node:crypto'
import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { exportJob, exportKey } from '../../job-types/export.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { activeOwners } from '../../policies/accounts.js'
import { administrators } from '../../policies/allow.js'
import { administrator } from '../../policies/roles.js'
import { userSetting } from '../../policies/settings.js'
import { roleSeesEmail } from '../../policies/users.js'
import {
  exportRow,
  exportSize,
  exportsSince,
  insertExport,
  lockExports,
  type RealmExportKind,
} from '../../store/exports/exports.js'
import { announceExports } from './end-export.js'

const mostOfWeek = 5
export const weekMs = 7 * 86_400_000
const mib = 1024 * 1024

interface Request {
  readonly kind: RealmExportKind
  /** The earlier export on which it builds. */
  readonly sinceId?: number | undefined
}

/** Requests an export, which a job writes, and returns its id. @throws {ApiError} BAD_REQUEST */
export async function requestExport(ctx: Ctx, actor: Actor, { kind, sinceId }: Request): Promise<number> {
  const { directory } = ctx
  const since = sinceId === undefined ? 0 : await cutOf(ctx, kind, sinceId)
  await requireSize(ctx, since)
  return ctx.write(async (tx, emit, { after, audit }) => {
    await directory.hold(tx, 'share')
    administrators({ user: currentUser(directory, actor.user) })
    requireOwner(directory, kind)
    await lockExports(tx)
    const requested = new Date(ctx.clock.now())
    if ((await exportsSince(tx, new Date(requested.getTime() - weekMs))) >= mostOfWeek) {
      throw badRequest('Exceeded rate limit.')
    }
    const consenting = consentingTo(directory, kind)
    const id = await insertExport(tx, {
      kind,
      requester_id: actor.user.id,
      user_id: null,
      requested,
      token: newToken(),
      consenting,
      since,
    })
    after(exportJob, { id }, { key: exportKey })
    audit('realm_export/requested', { subject: { export_id: id }, before: null, after: { export_type: kind } })
    await announceExports(ctx, tx, emit)
    return id
  })
}

/** The secret part of the address of an archive. */
export const newToken = (): string => randomBytes(24).toString('base64url')

/** People whose private data the export contains; null: of all accounts. */
function consentingTo(directory: Directory, kind: RealmExportKind): number[] | null {
  if (kind === 'full_without_consent') return null
  if (kind === 'public') return []
  const people = [...directory.users.values()].filter(user => user.is_active && !user.is_bot)
  return people.filter(user => userSetting(user, 'allow_private_data_export')).map(({ id }) => id)
}

/** An import needs an owner who can sign in. */
function requireOwner(directory: Directory, kind: RealmExportKind): void {
  const owners = activeOwners(directory)
  if (kind === 'public' && !owners.some(user => roleSeesEmail(administrator, user))) {
    throw badRequest('Make sure at least one owner allows administrators to see their email address.')
  }
  if (kind === 'full_with_consent' && !owners.some(user => userSetting(user, 'allow_private_data_export'))) {
    throw badRequest('Make sure at least one owner has consented to the export of their private data.')
  }
}

/** The newest message of an earlier export of the same kind. */
async function cutOf({ sql }: Ctx, kind: RealmExportKind, id: number): Promise<number> {
  const row = await exportRow(sql, id)
  if (!row || row.finished === null || row.cut === null || row.kind !== kind) {
    throw badRequest('The earlier export does not exist, is of another type, or was not completed.')
  }
  return row.cut
}

async function requireSize({ sql, config }: Ctx, since: number): Promise<void> {
  const { messages, bytes } = await exportSize(sql, since)
  if (messages > config.exportMaxMessages || bytes > config.exportMaxFilesMib * mib) {
    throw badRequest(
      'The organization is too large to be exported here: its operator can export it on the command line.',
    )
  }
}

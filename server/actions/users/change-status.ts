import { isDeepStrictEqual } from 'node:util'
import { badRequest } from '../../../shared/errors.js'
import { userSettingsUpdate } from '../../../shared/events/user-settings.js'
import { userStatusEvent } from '../../../shared/events/user-status.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { statusEnd, statusEndKey } from '../../job-types/status.js'
import { currentUser } from '../../lookups/find-user.js'
import { mayAccessUser, whoMayAccess } from '../../lookups/known-users.js'
import { administrators } from '../../policies/allow.js'
import { userSetting } from '../../policies/settings.js'
import { limitedGuests } from '../../policies/users.js'
import { statusParts } from '../../presenters/user-status.js'
import type { Emit } from '../../realtime/emission.js'
import type { Tx } from '../../store/driver/db.js'
import { cancelJobs } from '../../store/jobs/jobs.js'
import type { StoredStatus, UserRow } from '../../store/users/users.js'
import { existingEmoji, type NamedEmoji } from '../messages/reaction-emoji.js'
import { presenceSharingChanged } from '../presence.js'
import { changeUser, type Prepare, storeUser } from '../store-user.js'

/** Absent parts stay; an empty text or name removes its part. */
interface StatusChange extends NamedEmoji {
  readonly status_text?: string
}

interface OwnStatusChange extends StatusChange {
  /** The opposite of the setting presence_enabled. */
  readonly away?: boolean
  /** UNIX seconds. */
  readonly expires_at?: number | null
}

/** @throws {ApiError} BAD_REQUEST */
export async function changeOwnStatus(
  ctx: Ctx,
  actor: Actor,
  { away, expires_at, ...change }: OwnStatusChange,
): Promise<void> {
  const { directory, clock } = ctx
  if (expires_at && expires_at * 1000 <= clock.now()) throw badRequest('The end of the status must be in the future.')
  const parts = checkedParts(ctx, change)
  let changesSharing = false
  const prepare: Prepare = async (tx, emit) => {
    const user = currentUser(directory, actor.user)
    changesSharing = away !== undefined && userSetting(user, 'presence_enabled') === away
    const status = statusWith(user, parts, expires_at)
    if (!changesSharing)
      return isDeepStrictEqual(status, user.status) ? null : store(ctx, tx, emit, { user, parts, status, away })
    emit(userSettingsUpdate, { property: 'presence_enabled', value: !away }, [user.id])
    const { change, ...stored } = await store(ctx, tx, emit, { user, parts, status, away })
    const settings = { ...user.settings, presence_enabled: !away }
    return { ...stored, change: { ...change, settings }, edited: ['presence_enabled'] }
  }
  const rows = await ctx.write(async (tx, emit, { store, after }) => {
    const isNew = Object.keys(parts).length > 0
    if (isNew && (expires_at || actor.user.status.expires_at)) await cancelJobs(tx, [statusEndKey(actor.user.id)])
    if (expires_at) {
      const payload = { user_id: actor.user.id, expires_at }
      after(statusEnd, payload, { key: statusEndKey(actor.user.id), at: new Date(expires_at * 1000) })
    }
    return storeUser(ctx, tx, { emit, store }, prepare)
  })
  directory.adopt({ users: rows })
  if (changesSharing) await presenceSharingChanged(ctx, currentUser(directory, actor.user))
}

const noParts = { status_text: '', emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' } as const

/** Removes the status of a user, if it still is the one that ends at this time, in UNIX seconds. */
export async function endStatus(ctx: Ctx, userId: number, expiresAt: number): Promise<void> {
  await changeUser(ctx, async (tx, emit) => {
    const user = ctx.directory.users.get(userId)
    if (user?.status.expires_at !== expiresAt) return null
    return store(ctx, tx, emit, { user, parts: noParts, status: {} })
  })
}

/** @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export async function changeStatusOf(ctx: Ctx, actor: Actor, userId: number, change: StatusChange): Promise<void> {
  const { directory } = ctx
  const parts = checkedParts(ctx, change)
  await changeUser(ctx, async (tx, emit) => {
    const caller = currentUser(directory, actor.user)
    administrators({ ...actor, user: caller })
    const user = directory.users.get(userId)
    if (!user?.is_active || !(await mayAccessUser(tx, directory, caller, user))) throw badRequest('No such user')
    if (user.is_bot) throw badRequest('Bots have no status.')
    const status = statusWith(user, parts)
    return isDeepStrictEqual(status, user.status) ? null : store(ctx, tx, emit, { user, parts, status })
  })
}

/** The parts that the request names, removed ones as empty texts. @throws {ApiError} BAD_REQUEST */
function checkedParts(ctx: Ctx, { status_text, emoji_name, emoji_code, reaction_type }: StatusChange): StoredStatus {
  const text = status_text === undefined ? {} : { status_text }
  if (emoji_name === undefined) return text
  if (emoji_name === '') return { ...text, emoji_name, emoji_code: '', reaction_type: 'unicode_emoji' }
  return { ...text, ...existingEmoji(ctx, { emoji_name, emoji_code, reaction_type }) }
}

interface Change {
  readonly user: UserRow
  readonly parts: StoredStatus
  /** The whole status after the change. */
  readonly status: StoredStatus
  readonly away?: boolean | undefined
}

/** A new text or emoji ends at its own time, and stays without one. */
function statusWith(user: UserRow, parts: StoredStatus, end?: number | null): StoredStatus {
  const expires_at = Object.keys(parts).length === 0 ? user.status.expires_at : end
  const { emoji_name, emoji_code, reaction_type, status_text } = { ...user.status, ...parts }
  const set = { ...(status_text && { status_text }), ...(emoji_name && { emoji_name, emoji_code, reaction_type }) }
  return expires_at && Object.keys(set).length > 0 ? { ...set, expires_at } : set
}

async function store(ctx: Ctx, tx: Tx, emit: Emit, { user, parts, status, away }: Change) {
  const payload = {
    user_id: user.id,
    ...(away !== undefined && { away }),
    ...statusParts(parts, ctx.config.wireBrand),
    ...(status.expires_at !== user.status.expires_at && { expires_at: status.expires_at ?? null }),
  }
  emit(userStatusEvent, payload, await whoMayAccess(tx, ctx.directory, user))
  return { user, change: { status }, restsOnSubscriptions: limitedGuests(ctx.directory).length > 0 }
}

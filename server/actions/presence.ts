import { presenceEvent } from '../../shared/events/presence.js'
import { limits } from '../../shared/limits.js'
import type { KnownPresence } from '../../shared/resources/presence.js'
import type { Ctx } from '../ctx.js'
import { currentUser } from '../lookups/find-user.js'
import { accessibleUsers, whoMayAccess } from '../lookups/known-users.js'
import { realmSetting, userSetting } from '../policies/settings.js'
import { activeUsers, limitedGuests } from '../policies/users.js'
import { apiEmail } from '../presenters/addresses.js'
import type { PresenceRange, PresenceReading, Seen } from '../redis/presence.js'
import type { UserRow } from '../store/users/users.js'

/** Presences of active users that the viewer may see and who share their presence. */
interface VisiblePresences {
  /** -1: no presence was ever reported. */
  readonly lastUpdateId: number
  readonly users: ReadonlyMap<UserRow, KnownPresence>
}

/**
 * Stores the caller's presence, if the caller shares it, and returns the presences that changed. Others get an event only when the caller
 * was offline before: an event per report would cost the square of the number of users (docs/protocol/events.md#presence).
 */
export async function reportPresence(
  ctx: Ctx,
  user: UserRow,
  status: 'active' | 'idle',
  range: PresenceRange,
): Promise<VisiblePresences> {
  const isKept = sharesPresence(ctx, user)
  const report = {
    userId: user.id,
    status,
    interval: limits.presence_update_min_interval_secs,
    threshold: limits.presence_offline_threshold_secs,
  }
  // Who is away, and so gets mails and pushes, depends on it all the same.
  if (!isKept && status === 'active') await ctx.presence.noteUnshared(user.id, ctx.clock.now())
  const reading = await ctx.presence.exchange(isKept ? report : null, range, ctx.clock.now())
  // Showing other users' presences needs a fresh directory. Most reports return only the caller's own presence: for them a slightly older
  // directory suffices, without a query.
  if (!reading.cameOnline && isOnlyAbout(user, reading)) return ownAlone(ctx, user, reading)
  await ctx.directory.fresh()
  const viewer = currentUser(ctx.directory, user)
  if (reading.cameOnline && reading.own && sharesPresence(ctx, viewer)) await notifyOthers(ctx, viewer, reading.own)
  return visible(ctx, reading, () => accessibleUsers(ctx.sql, ctx.directory, viewer))
}

const sharesPresence = (ctx: Ctx, user: UserRow): boolean =>
  userSetting(user, 'presence_enabled') && !isPresenceOff(ctx)

function isOnlyAbout(user: UserRow, { users }: PresenceReading): boolean {
  return users.size === 0 || (users.size === 1 && users.has(user.id))
}

/** The caller's own presence only. */
function ownAlone(ctx: Ctx, user: UserRow, { lastUpdateId, users }: PresenceReading): VisiblePresences {
  const seen = users.get(user.id)
  const shown = seen && sharesPresence(ctx, user) ? [[user, presenceOf(user, seen)] as const] : []
  return { lastUpdateId, users: new Map(shown) }
}

/**
 * Runs after a change of presence_enabled. Enabling reports the user as active now, so that clients which poll for changes see it too.
 * Disabling makes the user appear offline: clients with a queue receive times that are older than the offline threshold, the presence of
 * the user alone has them, too, and answers to polls omit the user.
 */
export async function presenceSharingChanged(ctx: Ctx, user: UserRow): Promise<void> {
  if (isPresenceOff(ctx)) return
  const now = ctx.clock.now()
  if (userSetting(user, 'presence_enabled')) {
    const report = { userId: user.id, status: 'active' as const, interval: 0, threshold: -1 }
    const { own } = await ctx.presence.exchange(report, 'none', now)
    if (own) await notifyOthers(ctx, user, own)
    return
  }
  await notifyOthers(ctx, user, withheld(ctx, await ctx.presence.of(user.id)))
}

/** The times of a user who does not share its presence: older than the offline threshold, so each client takes the user for offline. */
function withheld(ctx: Ctx, known: Seen | null): Seen {
  const { presence_offline_threshold_secs: threshold, presence_ping_interval_secs: interval } = limits
  const offline = Math.floor(ctx.clock.now() / 1000) - threshold - interval
  const idle = Math.min(known?.idle ?? offline, offline)
  // Old enough that the legacy form shows idle too.
  return { active: Math.min(known?.active ?? 0, idle - limits.presence_legacy_active_window_secs - 1), idle }
}

/** The presences in the range of the users in `known`, which is read only if there are any; null: of all users. */
export async function readPresences(ctx: Ctx, range: PresenceRange, known: ReadKnown): Promise<VisiblePresences> {
  return visible(ctx, await ctx.presence.exchange(null, range, ctx.clock.now()), known)
}

/** Reads which users the viewer may see, as `accessibleUsers`. */
type ReadKnown = () => Promise<ReadonlySet<number> | null>

/**
 * The presence of one user, for a viewer who may see the user: offline if the user does not share it. Null: it was never reported, or the
 * organization has no presence.
 */
export async function readPresence(ctx: Ctx, user: UserRow): Promise<KnownPresence | null> {
  if (isPresenceOff(ctx)) return null
  const known = await ctx.presence.of(user.id)
  if (!userSetting(user, 'presence_enabled')) return presenceOf(user, withheld(ctx, known))
  return known && presenceOf(user, known)
}

/** The range for a client that requests the presences of the last days. */
export const lastDays = (ctx: Ctx, days: number): PresenceRange =>
  days === 0 ? 'none' : { since: Math.max(ctx.clock.now() / 1000 - days * 86_400, 0) }

const isPresenceOff = (ctx: Ctx): boolean => realmSetting(ctx.directory, 'presence_disabled')

async function visible(ctx: Ctx, reading: PresenceReading, readKnown: ReadKnown): Promise<VisiblePresences> {
  const users = new Map<UserRow, KnownPresence>()
  if (reading.users.size === 0 || isPresenceOff(ctx)) return { lastUpdateId: reading.lastUpdateId, users }
  const known = await readKnown()
  for (const [id, seen] of reading.users) {
    const user = ctx.directory.users.get(id)
    if (!user?.is_active || (known && !known.has(id)) || !userSetting(user, 'presence_enabled')) continue
    users.set(user, presenceOf(user, seen))
  }
  return { lastUpdateId: reading.lastUpdateId, users }
}

/** Contains both times: a user who was never active was last active on joining. */
function presenceOf(user: UserRow, { active, idle }: Seen): KnownPresence {
  if (active > 0) return { active_timestamp: active, idle_timestamp: idle }
  const joined = Math.min(Math.floor(user.date_joined.getTime() / 1000), idle)
  return { active_timestamp: joined, idle_timestamp: idle, never_active: true }
}

async function notifyOthers(ctx: Ctx, user: UserRow, seen: Seen): Promise<void> {
  const { directory } = ctx
  // With all limited guests left out there are already too many receivers: skips the query for them.
  const least = directory.derived(activeUsers).length - limitedGuests(directory).length
  if (least > limits.presence_events_max_users) return
  const audience = await whoMayAccess(ctx.sql, directory, user)
  if (audience.length > limits.presence_events_max_users) return
  const payload = {
    ...presenceOf(user, seen),
    user_id: user.id,
    email: apiEmail(user, ctx.realmHost),
    server_timestamp: ctx.clock.now() / 1000,
  }
  ctx.realtime.announce([{ def: presenceEvent, payload, audience }])
}

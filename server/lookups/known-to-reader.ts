import type { Ctx } from '../ctx.js'
import { knowsChannel } from '../policies/channel-permissions.js'
import type { KnownToReader } from '../presenters/message-answers.js'
import { activeSubscriptionsAmong } from '../store/channels/received.js'
import type { ISql } from '../store/driver/db.js'
import type { AnswerMessage } from '../store/messages/message-rows.js'
import type { UserRow } from '../store/users/users.js'
import { accessibleUsers } from './known-users.js'

/** What the user (null: a spectator) knows of the objects in these messages. */
export async function knownToReader(
  ctx: Ctx,
  sql: ISql,
  user: UserRow | null,
  rows: readonly AnswerMessage[],
): Promise<KnownToReader> {
  const users = await accessibleUsers(sql, ctx.directory, user)
  return {
    isSpectator: user === null,
    user: id => users === null || users.has(id),
    hiddenSources: await hiddenSources(ctx, sql, user, rows),
  }
}

async function hiddenSources(
  { directory }: Ctx,
  sql: ISql,
  user: UserRow | null,
  rows: readonly AnswerMessage[],
): Promise<ReadonlySet<number>> {
  const sources = new Set(rows.flatMap(row => row.edit_history?.flatMap(entry => entry.prev_stream ?? []) ?? []))
  const closed = [...sources].filter(id => {
    const channel = directory.channels.get(id)
    return !channel || !knowsChannel(directory, user, channel, false)
  })
  if (closed.length === 0 || !user) return new Set(closed)
  const own = await activeSubscriptionsAmong(sql, user.id, closed)
  return new Set(closed.filter(id => !own.includes(id)))
}

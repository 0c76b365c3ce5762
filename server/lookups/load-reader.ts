import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { mayReadChannel } from '../policies/channel-permissions.js'
import type { Reader } from '../policies/reading.js'
import type { OwnSubscriptions } from '../store/channels/received.js'
import type { Tx } from '../store/driver/db.js'
import { currentUser } from './find-user.js'

/** The caller as a reader of messages; null: a spectator. A former subscriber has lost access at once, as `ChannelLists` says. */
export async function loadReader(ctx: Ctx, actor: Actor | null): Promise<Reader> {
  await ctx.directory.fresh()
  const { directory, memory } = ctx
  return readerOf(ctx, actor, actor && (await memory.channelLists.ownOf(directory.listsVersion, actor.user.id)))
}

/** As `loadReader`, in a transaction whose snapshot has this version of lists of channels, and the version of the directory. */
export async function loadReaderIn(ctx: Ctx, tx: Tx, listsVersion: number, actor: Actor): Promise<Reader> {
  return readerOf(ctx, actor, await ctx.memory.channelLists.ownIn(tx, listsVersion, actor.user.id))
}

function readerOf(ctx: Ctx, actor: Actor | null, subscriptions: OwnSubscriptions | null | undefined): Reader {
  const { active, muted, former } = subscriptions ?? none
  const user = actor && currentUser(ctx.directory, actor.user)
  const mayRead = (ids: readonly number[], isActive: boolean) =>
    ids.filter(id => {
      const channel = ctx.directory.channels.get(id)
      return channel && mayReadChannel(ctx.directory, user, channel, isActive)
    })
  return {
    user,
    userId: user?.id ?? 0,
    subscribed: new Set(active),
    muted: new Set(muted),
    receivable: [...mayRead(active, true), ...mayRead(former, false)],
  }
}

const none: Omit<OwnSubscriptions, 'lists_version'> = { active: [], muted: [], former: [] }

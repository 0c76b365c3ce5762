import { z } from 'zod'
import { channelObjectSchema } from '../../../shared/resources/channel.js'
import { subscriptionSchema } from '../../../shared/resources/subscription.js'
import type { Actor } from '../../auth/actor.js'
import { currentUser } from '../../lookups/find-user.js'
import { knowsChannel } from '../../policies/channel-permissions.js'
import { JsonFields } from '../route.js'
import type { StateCall, StatePiece } from '../state-piece.js'
import { channelDetails } from './channel-details.js'
import { channelList } from './channel-list.js'
import { channelsById, type KnownChannels, knownChannels, listEncoder } from './subscription-lists.js'

/** Every channel that the caller may know of. */
const streamPiece: StatePiece = {
  fetchType: 'stream',
  fields: { streams: z.array(channelObjectSchema) },
  async read({ ctx, actor, shared }) {
    // Spectators get channels only in the subscription lists.
    if (!actor) return {}
    const { channels, details } = await shared(channelsOf)
    await ctx.workLimits.longTasks.ownTurn()
    return new JsonFields('"streams":', channelList(ctx, channels, details))
  },
}

const knownChannel = subscriptionSchema.partial().required({ stream_id: true, name: true })

const subscriptionPiece: StatePiece = {
  fetchType: 'subscription',
  fields: {
    subscriptions: z.array(subscriptionSchema),
    unsubscribed: z.array(knownChannel).describe('Channels that the user left and still sees.'),
    never_subscribed: z.array(knownChannel).describe('Channels that the user sees and was never subscribed to.'),
  },
  async read({ ctx, actor, tx, listsVersion, options: { view }, shared }) {
    if (!actor) return spectatorLists({ ctx, tx, listsVersion })
    const known = await shared(channelsOf)
    await ctx.workLimits.longTasks.ownTurn()
    const encode = await listEncoder(ctx, tx, currentUser(ctx.directory, actor.user), { view, known })
    return new JsonFields(
      '"subscriptions":',
      encode('subscriptions'),
      ',"unsubscribed":',
      encode('unsubscribed'),
      ',"never_subscribed":',
      encode('never_subscribed'),
    )
  },
}

/** Both pieces read the same channels. */
function channelsOf({ ctx, actor, tx, listsVersion, options: { view } }: StateCall): Promise<KnownChannels> {
  return knownChannels(ctx, tx, currentUser(ctx.directory, (actor as Actor).user), { listsVersion, view })
}

/** For spectators: the web-public channels, listed as never subscribed. */
async function spectatorLists({
  ctx,
  tx,
  listsVersion,
}: Pick<StateCall, 'ctx' | 'tx' | 'listsVersion'>): Promise<JsonFields> {
  const { directory } = ctx
  const channels = directory.derived(channelsById).filter(channel => knowsChannel(directory, null, channel, false))
  const details = await channelDetails(ctx, tx, listsVersion, channels)
  return new JsonFields('"subscriptions":[],"unsubscribed":[],"never_subscribed":', channelList(ctx, channels, details))
}

export const channelState: readonly StatePiece[] = [streamPiece, subscriptionPiece]

import { z } from 'zod'
import { badRequest } from '../../../shared/errors.js'
import { channelObjectSchema } from '../../../shared/resources/channel.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { boolean } from '../../params/schemas.js'
import { anyAccount } from '../../policies/allow.js'
import { knowsChannel, mayReadChannel, seesPublicChannels } from '../../policies/channel-permissions.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { UserRow } from '../../store/users/users.js'
import type { JsonBuffer } from '../json-buffer.js'
import { JsonFields, route } from '../route.js'
import { channelDetails } from './channel-details.js'
import { channelList } from './channel-list.js'

const params = z.object({
  include_public: boolean().default(true).describe('Include all public channels; no effect for guests.'),
  include_web_public: boolean().default(false).describe('Include all web-public channels.'),
  include_subscribed: boolean().default(true).describe('Include channels to which you are subscribed.'),
  exclude_archived: boolean().default(true).describe('Leave out archived channels.'),
  include_all: boolean().default(false).describe('Include every channel that you may see.'),
  include_all_active: boolean().default(false).describe('Older name of `include_all`.'),
  include_default: boolean().default(false).describe('Add `is_default` to each channel.'),
  include_owner_subscribed: boolean().default(false).describe("For bots: include the owner's channels."),
  include_can_access_content: boolean().default(false).describe('Include channels whose messages you may read.'),
})

type Wanted = z.output<typeof params>

export const getStreams = route({
  operation: 'get_streams',
  method: 'GET',
  path: '/streams',
  doc: 'Lists the channels that the caller may see, sorted by name.',
  allow: anyAccount,
  isTool: true,
  params,
  returns: z.object({ streams: z.array(channelObjectSchema) }),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params: wanted }) {
    if (wanted.include_owner_subscribed && !actor.user.is_bot) throw badRequest('User not authorized for this query')
    await ctx.directory.fresh()
    const channels = await choose(ctx, currentUser(ctx.directory, actor.user), wanted)
    const details = await channelDetails(ctx, ctx.sql, ctx.directory.listsVersion, channels)
    const addDefault = (json: JsonBuffer, { is_default }: ChannelRow) => json.text(`,"is_default":${is_default}`)
    return new JsonFields(
      '"streams":',
      channelList(ctx, channels, details, wanted.include_default ? addDefault : undefined),
    )
  },
})

async function choose(ctx: Ctx, user: UserRow, wanted: Wanted): Promise<ChannelRow[]> {
  const { directory } = ctx
  const ownerId = wanted.include_owner_subscribed ? user.bot_owner_id : null
  const [subscribed, subscribedByOwner] = await Promise.all([
    subscribedChannels(ctx, user.id),
    ownerId === null ? new Set<number>() : subscribedChannels(ctx, ownerId),
  ])
  const isWanted = (channel: ChannelRow): boolean => {
    const isSubscribed = subscribed.has(channel.id)
    return (
      (wanted.include_subscribed && isSubscribed) ||
      (wanted.include_public && !channel.invite_only && seesPublicChannels(user)) ||
      (wanted.include_web_public && channel.is_web_public) ||
      subscribedByOwner.has(channel.id) ||
      (wanted.include_can_access_content && mayReadChannel(directory, user, channel, isSubscribed)) ||
      ((wanted.include_all || wanted.include_all_active) && knowsChannel(directory, user, channel, isSubscribed))
    )
  }
  return directory
    .derived(channelsByName)
    .filter(channel => !(wanted.exclude_archived && channel.is_archived) && isWanted(channel))
}

const channelsByName = ({ channels }: Directory): ChannelRow[] =>
  [...channels.values()].sort((a, b) => (a.name < b.name ? -1 : 1))

async function subscribedChannels({ memory, directory, sql }: Ctx, userId: number): Promise<Set<number>> {
  const rows = await memory.channelLists.subscriptionsOf(sql, directory.listsVersion, userId)
  return new Set(rows.filter(row => row.is_active).map(row => row.channel_id))
}

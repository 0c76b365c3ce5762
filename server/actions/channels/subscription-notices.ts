import { limits } from '../../../shared/limits.js'
import { channelReference } from '../../../shared/resources/channel-reference.js'
import type { Ctx } from '../../ctx.js'
import type { Notice } from '../../job-types/notice.js'
import type { CreatedChannel } from '../../policies/channel-rules.js'
import { realmSetting } from '../../policies/settings.js'
import type { SubscriptionRow } from '../../store/channels/subscriptions.js'
import type { UserRow } from '../../store/users/users.js'
import type { InLanguages } from '../../text/page-language.js'
import { gather } from '../gather.js'
import { mention, silently } from '../messages/notice-mentions.js'
import { languageOfChannels, languageOfReader } from '../notice-language.js'
import { channelEvents } from './channel-events.js'

/** What a transaction has created and subscribed. */
interface Subscribed {
  readonly created: readonly CreatedChannel[]
  readonly added: readonly SubscriptionRow[]
  readonly channels: readonly { readonly id: number; readonly name: string }[]
}

/** Which of the notification bot's messages a request asks for, beside the first message of each new channel. */
export interface WantedNotices {
  /** In the organization's announcement channel. */
  readonly announce: boolean
  /** To users that the caller subscribes to existing channels. */
  readonly toSubscribers: boolean
}

/** Whether users that the caller subscribed get messages; none beyond max_bulk_new_subscription_messages users do. */
export const tellsSubscribers = ({ added }: Pick<Subscribed, 'added'>, wanted: WantedNotices): boolean =>
  wanted.toSubscribers && new Set(added.map(row => row.user_id)).size <= limits.max_bulk_new_subscription_messages

/** The notification bot's messages about new channels and subscriptions. */
export function subscriptionNotices(ctx: Ctx, caller: UserRow, done: Subscribed, wanted: WantedNotices): Notice[] {
  return [
    ...channelNotices(ctx, caller, done.created),
    ...(wanted.announce ? announcements(ctx, caller, done.created) : []),
    ...(tellsSubscribers(done, wanted) ? subscriberNotices(ctx, caller, done) : []),
  ]
}

type Kind = 'web-public' | 'public' | 'private'

interface Words {
  readonly created: (who: string, kind: Kind) => string
  readonly newChannels: string
  readonly announced: (who: string, links: readonly string[]) => string
  readonly subscribed: (who: string, links: readonly string[]) => string
}

const kinds = { 'web-public': 'im Web öffentlichen', public: 'öffentlichen', private: 'privaten' }

const inLanguages: InLanguages<Words> = {
  en: {
    created: (who, kind) => `${who} created this ${kind} channel.`,
    newChannels: 'new channels',
    announced: (who, links) =>
      `${who} created ${links.length === 1 ? 'a new channel' : 'new channels'}: ${links.join(', ')}.`,
    subscribed: (who, links) =>
      links.length === 1
        ? `${who} subscribed you to the channel ${links[0]}.`
        : `${who} subscribed you to the following channels:\n\n${listed(links)}`,
  },
  de: {
    created: (who, kind) => `${who} hat diesen ${kinds[kind]} Kanal angelegt.`,
    newChannels: 'neue Kanäle',
    announced: (who, links) =>
      `${who} hat ${links.length === 1 ? 'einen neuen Kanal' : 'neue Kanäle'} angelegt: ${links.join(', ')}.`,
    subscribed: (who, links) =>
      links.length === 1
        ? `${who} hat den Kanal ${links[0]} für dich abonniert.`
        : `${who} hat diese Kanäle für dich abonniert:\n\n${listed(links)}`,
  },
}

const listed = (links: readonly string[]): string => links.map(link => `* ${link}`).join('\n')

function kindOf(channel: CreatedChannel): Kind {
  if (channel.is_web_public) return 'web-public'
  return channel.invite_only ? 'private' : 'public'
}

/** The first message of a new channel. */
function channelNotices({ directory }: Ctx, creator: UserRow, created: readonly CreatedChannel[]): Notice[] {
  const words = inLanguages[languageOfChannels(directory)]
  return created.flatMap(channel =>
    channelEvents(directory, channel, [words.created(silently(creator), kindOf(channel))]),
  )
}

/** Messages in the organization's announcement channel; private channels are left out. */
function announcements(ctx: Ctx, creator: UserRow, created: readonly CreatedChannel[]): Notice[] {
  const place = realmSetting(ctx.directory, 'new_stream_announcements_stream_id')
  const open = created.filter(channel => !channel.invite_only)
  if (ctx.directory.channels.get(place)?.is_archived !== false || open.length === 0) return []
  const links = open.map(({ id, name }) => channelReference({ stream_id: id, name }))
  const words = inLanguages[languageOfChannels(ctx.directory)]
  return [{ to: { channel: place, topic: words.newChannels }, content: words.announced(silently(creator), links) }]
}

/** Direct messages to users that the caller subscribed to existing channels. */
function subscriberNotices(ctx: Ctx, caller: UserRow, { added, created, channels }: Subscribed): Notice[] {
  const isNew = new Set(created.map(channel => channel.id))
  const names = new Map(channels.map(channel => [channel.id, channel.name]))
  const notified = added.filter(({ user_id, channel_id }) => {
    return !isNew.has(channel_id) && user_id !== caller.id && !ctx.directory.users.get(user_id)?.is_bot
  })
  return gather(notified, row => row.user_id).map(([userId, rows]) => {
    const links = rows.map(({ channel_id: id }) => channelReference({ stream_id: id, name: names.get(id) ?? '' }))
    const words = inLanguages[languageOfReader(ctx.directory, ctx.directory.users.get(userId))]
    return { to: { people: [userId] }, content: words.subscribed(mention(caller), links) }
  })
}

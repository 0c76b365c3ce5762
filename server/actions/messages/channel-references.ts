import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { activeSubscriptionsAmong } from '../../store/channels/received.js'
import type { ISql } from '../../store/driver/db.js'
import { newestInTopics, type ReadTopic } from '../../store/topics/topics.js'
import type { UserRow } from '../../store/users/users.js'

// Channel references as server/text/rules/channel-links.ts reads them: `#**channel**`, `#**channel>topic**`, `#**channel>topic@123**`.
const reference = /#\*\*([^*>\n]+)(?:>([^*\n]*))?\*\*/g

/** What the references to channels in a text lead to. */
export interface ChannelReferences {
  /** Whether the author may read the channel: a link to another one would reveal that a channel of that name exists. */
  isReadable(channel: Pick<ChannelRow, 'id' | 'invite_only'>): boolean
  /** Id of the newest message of a topic that the author can read. */
  newestInTopic(channelId: number, topic: string): number | undefined
}

/** Looks up the channels and topics that a text names; `ownChannelId`: the channel in which the author writes. */
export async function channelReferences(
  { directory }: Pick<Ctx, 'directory'>,
  sql: ISql,
  {
    author,
    content,
    ownChannelId,
  }: { readonly author: UserRow | null; readonly content: string; readonly ownChannelId: number | null },
): Promise<ChannelReferences> {
  const named = Array.from(content.matchAll(reference), ([, name = '', topic]) => ({
    channel: directory.channelNamed(name),
    topic,
  })).flatMap(({ channel, topic }) => (channel ? [{ channel, topic }] : []))
  const readable = new Set(
    named
      .filter(({ channel }) => mayReadChannel(directory, author, channel, channel.id === ownChannelId))
      .map(({ channel }) => channel.id),
  )
  const others = [...new Set(named.map(({ channel }) => channel.id))].filter(id => !readable.has(id))
  const subscribed = author && others.length > 0 ? await activeSubscriptionsAmong(sql, author.id, others) : []
  for (const id of subscribed) readable.add(id)
  const topics = new Map<string, ReadTopic>()
  for (const { channel, topic } of named) {
    if (topic === undefined || /@\d+$/.test(topic) || !readable.has(channel.id)) continue
    if (topics.size < budgets.topicsLinked.most) {
      topics.set(keyOf(channel.id, topic), {
        channelId: channel.id,
        topic,
        isOpen: channel.history_public_to_subscribers,
      })
    }
  }
  const keys = [...topics.keys()]
  const newest = author && keys.length > 0 ? await newestInTopics(sql, author.id, [...topics.values()]) : []
  const byKey = new Map(keys.map((key, index) => [key, newest[index] ?? undefined]))
  const isReadable = ({ id }: { readonly id: number }) => readable.has(id)
  return { isReadable, newestInTopic: (channelId, topic) => byKey.get(keyOf(channelId, topic)) }
}

const keyOf = (channelId: number, topic: string): string => `${channelId} ${topic}`

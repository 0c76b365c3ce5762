import type { WorkerCtx } from '../../ctx.js'
import type { MailContent } from '../../job-types/mail.js'
import type { Directory } from '../../memory/directory.js'
import { mayReadChannel } from '../../policies/channel-permissions.js'
import { limitedGuests } from '../../policies/users.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import * as store from '../../store/personal/digests.js'
import type { UserRow } from '../../store/users/users.js'

export type Digest = Extract<MailContent, { kind: 'digest' }>

const topicsByWriters = 2
const mostTopics = 4
const mostChannels = 10
// Eight messages of this length are less than mail programs show.
const mostCharacters = 5_000

interface Period {
  readonly since: Date
  readonly firstId: number
}

/** What happened in the organization in the days of a digest, of which each reader sees a part. */
export class DigestContents {
  private constructor(
    private readonly ctx: WorkerCtx,
    private readonly topics: ReadonlyMap<number, readonly store.BusyTopic[]>,
    private readonly period: Period,
  ) {}

  static async of(ctx: WorkerCtx, period: Period): Promise<DigestContents> {
    const open = [...ctx.directory.channels.values()].filter(channel => !channel.is_archived)
    const rows = await store.busyTopics(
      ctx.sql,
      open.map(channel => channel.id),
      period.firstId,
    )
    const topics = new Map<number, store.BusyTopic[]>()
    for (const row of rows) {
      const known = topics.get(row.channel_id)
      if (known) known.push(row)
      else topics.set(row.channel_id, [row])
    }
    return new DigestContents(ctx, topics, period)
  }

  /** The digests of these users, by id; users without news have none. Three statements, whatever the number of users. */
  async for(users: readonly UserRow[]): Promise<ReadonlyMap<number, Digest>> {
    const { sql } = this.ctx
    const ids = users.map(user => user.id)
    const received = await store.receivedChannels(sql, ids, {
      channelIds: [...this.topics.keys()],
      since: this.period.firstId,
    })
    const muted = await store.mutedTopicKeys(sql, [...received.keys()])
    const chosen = new Map(
      users.map(user => [user, this.chosen(user, received.get(user.id) ?? [], muted.get(user.id))] as const),
    )
    const sampleIds = new Set([...chosen.values()].flat().flatMap(topic => topic.first_ids))
    const samples = await store.sampleMessages(sql, [...sampleIds], mostCharacters)
    const digests = users.map(user => [user.id, this.digest(user, chosen.get(user) ?? [], samples)] as const)
    return new Map(digests.filter(([, { topics, channels }]) => topics.length + channels.length > 0))
  }

  private chosen(user: UserRow, channelIds: readonly number[], muted?: ReadonlySet<string>): store.BusyTopic[] {
    const { directory } = this.ctx
    const readable = channelIds.filter(id => {
      const channel = directory.channels.get(id)
      return channel && !channel.is_archived && mayReadChannel(directory, user, channel, true)
    })
    const all = readable.flatMap(id => this.topics.get(id) ?? [])
    const left = new Set(all.filter(topic => !muted?.has(`${topic.channel_id} ${topic.key}`)))
    const found: store.BusyTopic[] = []
    for (let count = 0; count < mostTopics; count++) {
      const measure = count < topicsByWriters ? 'senders' : 'messages'
      let best: store.BusyTopic | undefined
      for (const topic of left) if (!best || topic[measure] > best[measure]) best = topic
      if (!best) break
      left.delete(best)
      found.push(best)
    }
    return found
  }

  private digest(
    user: UserRow,
    topics: readonly store.BusyTopic[],
    samples: ReadonlyMap<number, store.SampleMessage>,
  ): Digest {
    const { directory } = this.ctx
    const ignored = new Set(user.muted_users.map(one => one.id))
    // They may not know some who wrote, for example former subscribers.
    const knowsNames = !directory.derived(limitedGuestSet).has(user.id)
    const nameOf = (id: number) => (knowsNames ? (directory.users.get(id)?.full_name ?? '') : '')
    const shown = topics.map(topic => {
      const found = topic.first_ids.flatMap(id => samples.get(id) ?? []).filter(one => !ignored.has(one.sender_id))
      const senders = topic.sender_ids.filter(id => !ignored.has(id)).map(nameOf)
      return {
        channelId: topic.channel_id,
        channel: directory.channels.get(topic.channel_id)?.name ?? '',
        topic: topic.topic,
        messages: found.map(({ sender_id, ...one }) => ({ ...one, sender: nameOf(sender_id) })),
        others: topic.messages - found.length,
        senders: senders.filter(name => name !== ''),
      }
    })
    const fresh = this.newChannels(user)
    return {
      kind: 'digest',
      topics: shown.filter(topic => topic.messages.length > 0),
      channels: fresh.slice(0, mostChannels).map(({ id, name }) => ({ channelId: id, name })),
      moreChannels: Math.max(0, fresh.length - mostChannels),
      zone: user.timezone,
    }
  }

  private newChannels(user: UserRow): ChannelRow[] {
    const { directory } = this.ctx
    return [...directory.channels.values()].filter(
      channel =>
        !channel.invite_only &&
        !channel.is_archived &&
        channel.date_created >= this.period.since &&
        mayReadChannel(directory, user, channel, false),
    )
  }
}

const limitedGuestSet = (directory: Directory): ReadonlySet<number> => new Set(limitedGuests(directory))

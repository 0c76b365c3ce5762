import { z } from 'zod'
import type { MessageObject } from '../../../../shared/resources/message.js'
import { count, flag, word } from '../args.js'
import { findMessage, findPlace } from '../find-message.js'
import { idsOfSecond, type Place, placeId, readTs, tsOf } from '../ids.js'
import { slackMessage } from '../message.js'
import { type Fields, method } from '../method.js'
import { afterCursor, nextCursor } from '../page.js'
import type { SlackCall } from '../slack-call.js'
import { SlackError } from '../slack-error.js'
import { threadTimes } from '../threads.js'

// Slack's own numbers.
const usualPage = 100
const mostOfPage = 999

const rangeArgs = {
  channel: word(),
  limit: count(mostOfPage).default(usualPage),
  cursor: z.literal('').or(word()).optional(),
  oldest: word().optional(),
  latest: word().optional(),
  inclusive: flag().default(false),
}

const history = method({
  name: 'conversations.history',
  args: z.object(rangeArgs),
  refusals: { BAD_REQUEST: 'channel_not_found', BAD_NARROW: 'channel_not_found' },
  async handle(call, args) {
    const place = findPlace(call, args.channel)
    const range = new Range(args)
    const read = await readMessages(call, {
      ...range.start(afterCursor(args.cursor)),
      num_before: args.limit,
      narrow: narrowOf(place),
    })
    const messages = read.messages.filter(message => range.has(message))
    const isEnd = read.found_oldest || read.messages.some(message => range.isBefore(message))
    return {
      messages: await shownMessages(call, messages.reverse()),
      has_more: !isEnd,
      pin_count: 0,
      ...nextCursor(isEnd ? undefined : read.messages[0]?.id),
    }
  },
})

const replies = method({
  name: 'conversations.replies',
  args: z.object({ ...rangeArgs, ts: word() }),
  refusals: { BAD_REQUEST: 'channel_not_found', BAD_NARROW: 'channel_not_found' },
  async handle(call, { ts, ...args }) {
    const place = findPlace(call, args.channel)
    const root = await findMessage(call, place, ts, 'thread_not_found')
    if ('people' in place || root.subject === '') {
      return { messages: await shownMessages(call, [root]), has_more: false, ...nextCursor(undefined) }
    }
    const after = afterCursor(args.cursor)
    const read = await readMessages(call, {
      anchor: after === undefined ? 'oldest' : String(after),
      include_anchor: after === undefined,
      num_after: args.limit,
      narrow: [...narrowOf(place), { operator: 'topic', operand: root.subject }],
    })
    const range = new Range(args)
    const messages = read.messages.filter(message => range.has(message))
    return {
      messages: await shownMessages(call, messages),
      has_more: !read.found_newest,
      ...nextCursor(read.found_newest ? undefined : read.messages.at(-1)?.id),
    }
  },
})

interface Read {
  readonly messages: MessageObject[]
  readonly found_oldest: boolean
  readonly found_newest: boolean
}

const readMessages = (call: SlackCall, args: Fields): Promise<Read> =>
  call.ask('GET', '/messages', { apply_markdown: false, allow_empty_topic_name: true, ...args })

const narrowOf = (place: Place) => [
  'people' in place ? { operator: 'dm', operand: place.people } : { operator: 'channel', operand: place.channelId },
]

async function shownMessages(call: SlackCall, messages: readonly MessageObject[]): Promise<Fields[]> {
  const threadOf = await threadTimes(call, messages)
  return messages.map(message => slackMessage(call.ctx.directory, message, threadOf(message)))
}

/** The times between which messages are asked for. */
class Range {
  private readonly oldest: number
  private readonly latest: number
  private readonly isInclusive: boolean

  /** @throws {SlackError} */
  constructor({
    oldest,
    latest,
    inclusive,
  }: {
    readonly oldest?: string | undefined
    readonly latest?: string | undefined
    readonly inclusive: boolean
  }) {
    this.oldest = oldest === undefined ? 0 : numberOf(oldest, 'invalid_ts_oldest')
    this.latest = latest === undefined ? Number.POSITIVE_INFINITY : numberOf(latest, 'invalid_ts_latest')
    this.isInclusive = inclusive
  }

  /** Where reading backwards begins: below the message of the cursor, or below the first one after the latest second. */
  start(cursor: number | undefined): Fields {
    if (cursor !== undefined) return { anchor: String(cursor), include_anchor: false }
    if (this.latest === Number.POSITIVE_INFINITY) return { anchor: 'newest' }
    const next = Math.floor(this.latest / idsOfSecond) + 1
    return { anchor: 'date', anchor_date: new Date(next * 1000).toISOString(), include_anchor: false }
  }

  has(message: MessageObject): boolean {
    const value = numberOf(tsOf(message), '')
    const isInside = value > this.oldest && value < this.latest
    return isInside || (this.isInclusive && (value === this.oldest || value === this.latest))
  }

  isBefore(message: MessageObject): boolean {
    return numberOf(tsOf(message), '') < this.oldest
  }
}

/** @throws {SlackError} */
function numberOf(text: string, otherwise: string): number {
  const ts = readTs(text)
  if (!ts) throw new SlackError(otherwise)
  return ts.seconds * idsOfSecond + ts.rest
}

const permalink = method({
  name: 'chat.getPermalink',
  args: z.object({ channel: word(), message_ts: word() }),
  async handle(call, { channel, message_ts }) {
    const place = findPlace(call, channel)
    const { id } = await findMessage(call, place, message_ts)
    return { channel: placeId(place), permalink: `${call.ctx.publicUrl}/#narrow/near/${id}` }
  },
})

export const historyMethods = [history, replies, permalink]

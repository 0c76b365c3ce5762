import type { EventMessage, MessageObject, Reaction } from '../../../shared/resources/message.js'
import { emojiNameOf } from './emoji.js'
import { botIdOf, placeId, teamId, tsOf, userIdOf } from './ids.js'
import { placeOfMessage, slackMessage } from './message.js'
import type { Fields } from './method.js'
import { mrkdwnOf } from './mrkdwn-of.js'
import type { SlackCall } from './slack-call.js'
import { threadTimes } from './threads.js'

/** An event of the queue, as far as it is passed on. */
type QueueEvent = { readonly id: number } & (
  | { readonly type: 'message'; readonly message: EventMessage; readonly flags: readonly string[] }
  | {
      readonly type: 'update_message'
      readonly message_id: number
      readonly orig_content?: string
      readonly rendering_only: boolean
      readonly edit_timestamp: number
    }
  | (Reaction & { readonly type: 'reaction'; readonly op: 'add' | 'remove'; readonly message_id: number })
  | { readonly type: 'heartbeat' }
)

/** What a program gets because of one event. */
export interface Delivery {
  /** Of the event. */
  readonly id: number
  readonly envelopes: readonly Fields[]
}

/** What a program gets because of these events; the messages that they name are read at once. */
export async function deliveriesOf(call: SlackCall, texts: readonly string[]): Promise<Delivery[]> {
  const events = texts.map(text => JSON.parse(text) as QueueEvent)
  const named = await messagesOf(call, [...new Set(events.flatMap(event => namedIn(event) ?? []))])
  const messages = [...events.flatMap(event => (event.type === 'message' ? [event.message] : [])), ...named.values()]
  const threadOf = await threadTimes(call, messages)
  const shown = (message: EventMessage) => slackMessage(call.ctx.directory, message, threadOf(message))
  return events.map(event => ({
    id: event.id,
    envelopes: eventsOf(call, event, { named, shown }).map((fields, i) => envelope(call, `${event.id}x${i}`, fields)),
  }))
}

/** The message that an event is about but does not hold. */
function namedIn(event: QueueEvent): number | undefined {
  if (event.type === 'update_message') return event.orig_content === undefined ? undefined : event.message_id
  return event.type === 'reaction' ? event.message_id : undefined
}

/** Those that the caller may still read. */
async function messagesOf(call: SlackCall, ids: readonly number[]): Promise<ReadonlyMap<number, MessageObject>> {
  if (ids.length === 0) return new Map()
  const { messages } = await call.ask<{ messages: MessageObject[] }>('GET', '/messages', {
    message_ids: ids,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  return new Map(messages.map(message => [message.id, message]))
}

interface Messages {
  readonly named: ReadonlyMap<number, MessageObject>
  shown(message: EventMessage): Fields
}

function eventsOf(call: SlackCall, event: QueueEvent, { named, shown }: Messages): Fields[] {
  if (event.type === 'heartbeat') return []
  if (event.type === 'message') return messageEvents(call, event, shown(event.message))
  const message = named.get(event.message_id)
  if (!message) return []
  const channel = placeId(placeOfMessage(message, call.caller.id))
  if (event.type === 'reaction') return [reactionEvent(event, message, channel)]
  if (event.rendering_only) return []
  const ts = `${event.edit_timestamp}.000000`
  const previous = { ...shown(message), text: mrkdwnOf(call.ctx.directory, event.orig_content ?? '') }
  return [
    {
      type: 'message',
      subtype: 'message_changed',
      hidden: true,
      channel,
      channel_type: typeOf(call, message),
      ts,
      event_ts: ts,
      message: shown(message),
      previous_message: previous,
    },
  ]
}

function typeOf({ ctx }: SlackCall, { stream_id, display_recipient }: EventMessage): string {
  if (stream_id !== undefined) return ctx.directory.channels.get(stream_id)?.invite_only ? 'group' : 'channel'
  return typeof display_recipient !== 'string' && display_recipient.length > 2 ? 'mpim' : 'im'
}

/** In a channel a message that mentions the program is a second event, as Slack has it. */
function messageEvents(
  call: SlackCall,
  { message, flags }: { readonly message: EventMessage; readonly flags: readonly string[] },
  shown: Fields,
): Fields[] {
  const channel = placeId(placeOfMessage(message, call.caller.id))
  const fields = { ...shown, channel, event_ts: tsOf(message) }
  const isMention = message.type === 'stream' && flags.includes('mentioned')
  return [
    { ...fields, channel_type: typeOf(call, message) },
    ...(isMention ? [{ ...fields, type: 'app_mention' }] : []),
  ]
}

function reactionEvent(event: Reaction & { readonly op: 'add' | 'remove' }, message: EventMessage, channel: string) {
  return {
    type: event.op === 'add' ? 'reaction_added' : 'reaction_removed',
    user: userIdOf(event.user_id),
    reaction: emojiNameOf(event),
    item: { type: 'message', channel, ts: tsOf(message) },
    item_user: userIdOf(message.sender_id),
    event_ts: tsOf(message),
  }
}

/** `id` is the same when the event is delivered again. */
function envelope({ ctx, caller }: SlackCall, id: string, event: Fields): Fields {
  return {
    envelope_id: id,
    type: 'events_api',
    accepts_response_payload: false,
    retry_attempt: 0,
    retry_reason: '',
    payload: {
      type: 'event_callback',
      team_id: teamId,
      api_app_id: appIdOf(caller.id),
      event,
      event_id: `Ev${id}`,
      event_time: Math.floor(ctx.clock.now() / 1000),
      authorizations: [
        { team_id: teamId, user_id: userIdOf(caller.id), is_bot: caller.is_bot, is_enterprise_install: false },
      ],
      is_ext_shared_channel: false,
    },
  }
}

export const appIdOf = (userId: number): string => botIdOf(userId).replace('B', 'A')

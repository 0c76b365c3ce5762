import type { View, ViewKey } from '../../../shared/capabilities.js'
import type { QueueNarrow } from '../../narrow/grammar/queue-narrow.js'
import type { SharedView, Views } from '../encoding/index.js'
import type { QueueOptions } from '../realtime.js'

// How long a queue's keys outlive its idle timeout.
const slackSeconds = 300

/** A queue's options without the user: queues with equal options share one object and their encodings. */
type SharableOptions = Omit<QueueOptions, 'userId'>

// The bit of each view key. Queues in Redis outlive a version of the server, so a number must never get another meaning.
const flagBits = {
  notification_settings_null: 0,
  bulk_message_deletion: 1,
  user_avatar_url_field_optional: 2,
  stream_typing_notifications: 3,
  user_settings_object: 4,
  linkifier_url_template: 5,
  user_list_incomplete: 6,
  include_deactivated_groups: 7,
  archived_channels: 8,
  empty_topic_name: 9,
  simplified_presence_events: 10,
  individual_emoji_changes: 11,
  apply_markdown: 12,
  client_gravatar: 13,
  slim_presence: 14,
  names_user_topic: 15,
  streamed_messages: 19,
} as const satisfies Record<Exclude<ViewKey, 'include_subscribers'>, number>
// This value takes two bits.
const subscribersBit = 16
const subscribers = ['false', 'true', 'partial'] as const
const allPublicBit = 18

const flags = Object.entries(flagBits) as [keyof typeof flagBits, number][]

type Packed = [bits: number, eventTypes: string | null, narrow: QueueNarrow | null, idleSeconds: number]

/** Packs options into a short text, because Redis stores it with every queue. Equal options give equal texts. */
export function packOptions({ view, eventTypes, narrow, allPublicStreams, idleSeconds }: SharableOptions): string {
  let bits = subscribers.indexOf(view.include_subscribers) << subscribersBit
  for (const [name, bit] of flags) if (view[name]) bits |= 1 << bit
  if (allPublicStreams) bits |= 1 << allPublicBit
  return JSON.stringify([bits, eventTypes && [...eventTypes].sort().join(), narrow, idleSeconds] satisfies Packed)
}

export function unpackOptions(text: string): SharableOptions {
  const [bits, types, narrow, idleSeconds] = JSON.parse(text) as Packed
  const has = (bit: number) => (bits & (1 << bit)) !== 0
  const view = {
    ...(Object.fromEntries(flags.map(([name, bit]) => [name, has(bit)])) as Record<keyof typeof flagBits, boolean>),
    include_subscribers: subscribers[(bits >> subscribersBit) & 3] ?? 'false',
  } satisfies View
  return {
    view,
    // An empty list was packed as an empty text, which `split` turns into one empty name.
    eventTypes: types === null ? null : types.split(',').filter(Boolean),
    narrow,
    allPublicStreams: has(allPublicBit),
    idleSeconds,
  }
}

/** How long the keys of a queue outlive their last renewal. */
export const secondsToLive = ({ idleSeconds }: Pick<QueueOptions, 'idleSeconds'>): number =>
  Math.ceil(idleSeconds) + slackSeconds

/** The options of one or more queues. Thousands of clients of the same program register with equal options and share one object. */
export class SharedOptions {
  queues = 0
  /** Event types that the queues accept; null: all. */
  readonly eventTypes: ReadonlySet<string> | null
  readonly narrow: QueueNarrow | null
  readonly allPublicStreams: boolean
  readonly idleSeconds: number
  /** Time to live of the queue's keys in Redis: its owner evicts the queue long before; Redis expires it only without an owner. */
  readonly secondsToLive: number
  /** How long after a write the keys' expiry is renewed, in ms: a third of their time to live. */
  readonly renewAfterMs: number

  constructor(
    /** The text that Redis stores. */
    readonly packed: string,
    { eventTypes, narrow, allPublicStreams, idleSeconds }: SharableOptions,
    readonly view: SharedView,
  ) {
    this.eventTypes = eventTypes && new Set(eventTypes)
    this.narrow = narrow
    this.allPublicStreams = allPublicStreams
    this.idleSeconds = idleSeconds
    this.secondsToLive = secondsToLive({ idleSeconds })
    this.renewAfterMs = this.secondsToLive * 333
  }
}

/** The options in use, counted by queue; removing the last queue with some options removes them, so the queues bound the pool. */
export class OptionsPool {
  private readonly shared = new Map<string, SharedOptions>()

  constructor(private readonly views: Views) {}

  take(options: SharableOptions): SharedOptions {
    return this._take(packOptions(options), options)
  }

  /** As `take`, from the text that Redis stores. */
  takePacked(text: string): SharedOptions {
    return this._take(text)
  }

  release(shared: SharedOptions): void {
    if (--shared.queues > 0) return
    this.shared.delete(shared.packed)
    this.views.release(shared.view)
  }

  private _take(packed: string, given?: SharableOptions): SharedOptions {
    let shared = this.shared.get(packed)
    if (!shared) {
      const options = given ?? unpackOptions(packed)
      shared = new SharedOptions(packed, options, this.views.take(options.view))
      this.shared.set(packed, shared)
    }
    shared.queues++
    return shared
  }
}

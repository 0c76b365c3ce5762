import type { ChannelObject } from '../resources/channel.js'
import { personalFieldNames } from '../resources/subscription.js'
import {
  channelLists,
  entriesOf,
  knowsSubscribers,
  type ListedChannel,
  listOf,
  type State,
  takeOut,
} from './channel-lists.js'
import { defineEvent } from './event.js'

export interface StreamCreatePayload {
  streams: readonly ChannelObject[]
  /** Only for clients without archived_channels: for them a channel that leaves the archive is new. */
  unarchived?: boolean
}

export interface StreamDeletePayload {
  stream_ids: readonly number[]
  /** Only for clients without archived_channels: for them a channel that enters the archive is deleted. */
  archived?: boolean
}

export interface StreamUpdatePayload {
  stream_id: number
  /** The current name; for a change of the name, the old one. */
  name: string
  property: Exclude<keyof ChannelObject, 'stream_id' | 'is_default'>
  value: unknown
  /** Only with `description`. */
  rendered_description?: string
  /** Only with `invite_only`. */
  history_public_to_subscribers?: boolean
  is_web_public?: boolean
  /** The channel is archived: clients without archived_channels do not get the event. */
  archived?: boolean
}

export const streamCreate = defineEvent<StreamCreatePayload>('stream/create', {
  doc: 'Channels that the receiver may know of, and did not know of before.',
  dependsOn: ['archived_channels'],
  render({ streams, unarchived }, view) {
    if (view.archived_channels) return unarchived ? null : { streams }
    const shown = streams.filter(channel => !channel.is_archived)
    return shown.length > 0 ? { streams: shown } : null
  },
  apply(state, event) {
    for (const channel of event.streams as ListedChannel[]) {
      takeOut(state, channel.stream_id, channelLists)
      listOf(state, 'streams')?.push({ ...channel })
      listOf(state, 'never_subscribed')?.push({ ...channel, ...(knowsSubscribers(state) && { subscribers: [] }) })
    }
  },
})

export const streamDelete = defineEvent<StreamDeletePayload>('stream/delete', {
  doc: 'Channels that the receiver may no longer know of.',
  dependsOn: ['archived_channels'],
  render({ stream_ids, archived }, view) {
    if (archived && view.archived_channels) return null
    return { streams: stream_ids.map(stream_id => ({ stream_id })), stream_ids }
  },
  apply(state, event) {
    for (const streamId of event.stream_ids as number[]) takeOut(state, streamId, channelLists)
  },
})

export const streamUpdate = defineEvent<StreamUpdatePayload>('stream/update', {
  doc: 'One property of a channel changed.',
  dependsOn: ['archived_channels'],
  render({ archived, ...fields }, view) {
    const isUnknown = archived || fields.property === 'is_archived'
    return isUnknown && !view.archived_channels ? null : fields
  },
  apply(state, event) {
    const { stream_id, name, property, value, rendered_description, history_public_to_subscribers, is_web_public } =
      event as unknown as StreamUpdatePayload
    const change: Record<string, unknown> = { [property]: value }
    if (property === 'description') change.rendered_description = rendered_description
    if (property === 'invite_only') Object.assign(change, { history_public_to_subscribers, is_web_public })
    if (property === 'stream_post_policy') change.is_announcement_only = value === 2
    for (const entry of entriesOf(state, stream_id)) Object.assign(entry, change)
    if (property === 'is_archived' && value === false) forgetFormer(state, stream_id)
    if (property === 'name') renameMuted(state, name, value as string)
  },
})

// After archiving, the server no longer lists a former subscription as `unsubscribed`: clients without
// archived_channels could not know of it.
function forgetFormer(state: State, streamId: number): void {
  const former = takeOut(state, streamId, ['unsubscribed'])
  if (!former) return
  const kept = Object.entries(former).filter(([name]) => !personalFieldNames.includes(name))
  listOf(state, 'never_subscribed')?.push(Object.fromEntries(kept) as ListedChannel)
}

// The legacy list of muted topics contains names of channels.
function renameMuted(state: State, before: string, now: string): void {
  for (const entry of (state.muted_topics ?? []) as [channel: string, topic: string, since: number][]) {
    if (entry[0] === before) entry[0] = now
  }
}

import { z } from 'zod'
import { channelObjectSchema } from '../resources/channel.js'
import { personalFieldNames } from '../resources/subscription.js'
import { changed, pick } from './audit.js'
import { channelLists, channelsIn, entriesOf, knowsSubscribers, takeOut } from './channel-records.js'
import type { ClientState } from './client-state.js'
import { defineEvent, type FieldsOf } from './event.js'

const created = z.object({ streams: z.array(channelObjectSchema) })
const deleted = z.object({
  streams: z.array(z.object({ stream_id: z.int() })).describe('Deprecated: the same as `stream_ids`.'),
  stream_ids: z.array(z.int()),
})
const updated = z.object({
  stream_id: z.int(),
  name: z.string().describe('The present name; for a change of the name, the old one.'),
  property: channelObjectSchema.omit({ stream_id: true, is_default: true }).keyof(),
  value: z.unknown(),
  rendered_description: z.string().optional().describe('Only with `description`.'),
  history_public_to_subscribers: z.boolean().optional().describe('Only with `invite_only`.'),
  is_web_public: z.boolean().optional().describe('Only with `invite_only`.'),
})

type StreamCreatePayload = FieldsOf<typeof created> & {
  /** Only for clients without archived_channels: for them a channel that leaves the archive is new. */
  readonly unarchived?: boolean
}
export interface StreamDeletePayload {
  readonly stream_ids: readonly number[]
  /** Only for clients without archived_channels: for them a channel that enters the archive is deleted. */
  readonly archived?: boolean
}
export type StreamUpdatePayload = FieldsOf<typeof updated> & {
  /** The channel is archived: clients without archived_channels do not get the event. */
  readonly archived?: boolean
}

const audited = ['name', 'invite_only', 'is_web_public', 'history_public_to_subscribers'] as const
// The server computes these, or messages and subscriptions change them.
const computed = ['stream_weekly_traffic', 'first_message_id', 'is_recently_active', 'subscriber_count']

export const streamCreate = defineEvent('stream/create', {
  doc: 'The receiver now sees these channels, and did not see them before.',
  fields: created,
  dependsOn: ['archived_channels'],
  changesDirectory: true,
  render({ streams, unarchived }: StreamCreatePayload, view) {
    if (view.archived_channels) return unarchived ? null : { streams }
    const shown = streams.filter(channel => !channel.is_archived)
    return shown.length > 0 ? { streams: shown } : null
  },
  audit: ({ streams }, { channels }) =>
    streams
      .filter(({ stream_id }) => !channels.has(stream_id))
      .map(stream => ({ subject: { stream_id: stream.stream_id }, before: null, after: pick(stream, audited) })),
  apply: applyStreamCreate,
})

export const streamDelete = defineEvent('stream/delete', {
  doc: 'The receiver no longer sees these channels.',
  fields: deleted,
  dependsOn: ['archived_channels'],
  changesDirectory: true,
  render({ stream_ids, archived }: StreamDeletePayload, view) {
    if (archived && view.archived_channels) return null
    return { streams: stream_ids.map(stream_id => ({ stream_id })), stream_ids }
  },
  apply: applyStreamDelete,
})

export const streamUpdate = defineEvent('stream/update', {
  doc: 'One property of a channel changed.',
  fields: updated,
  dependsOn: ['archived_channels'],
  changesDirectory: true,
  render({ archived, ...fields }: StreamUpdatePayload, view) {
    const isUnknown = archived || fields.property === 'is_archived'
    return isUnknown && !view.archived_channels ? null : fields
  },
  audit({ stream_id, property, value }, { channels }) {
    if (computed.includes(property)) return []
    const row = channels.get(stream_id)
    return changed({ stream_id }, row && { ...row, ...row.settings }, { [property]: value })
  },
  apply: applyStreamUpdate,
})

export function applyStreamCreate(state: ClientState, { streams }: z.output<typeof created>): void {
  for (const channel of streams) {
    const { stream_id } = channel
    takeOut(state, stream_id, channelLists)
    if (state.streams) state.streams[stream_id] = { ...channel }
    if (!state.never_subscribed) continue
    state.never_subscribed[stream_id] = { ...channel, ...(knowsSubscribers(state) && { subscribers: [] }) }
  }
}

export function applyStreamDelete(state: ClientState, { stream_ids }: z.output<typeof deleted>): void {
  for (const id of stream_ids) takeOut(state, id, channelLists)
}

export function applyStreamUpdate(state: ClientState, event: z.output<typeof updated>): void {
  const { stream_id, name, property, value, rendered_description, history_public_to_subscribers, is_web_public } = event
  const change: Record<string, unknown> = { [property]: value }
  if (property === 'description') change.rendered_description = rendered_description
  if (property === 'invite_only') Object.assign(change, { history_public_to_subscribers, is_web_public })
  if (property === 'stream_post_policy') change.is_announcement_only = value === 2
  for (const entry of entriesOf(state, stream_id)) Object.assign(entry, change)
  if (property === 'is_archived' && value === false) forgetFormer(state, stream_id)
  if (property === 'name') renameMuted(state, name, String(value))
}

// After archiving, the server no longer lists a former subscription as `unsubscribed`: clients without
// archived_channels could not see it.
function forgetFormer(state: ClientState, id: number): void {
  const former = takeOut(state, id, ['unsubscribed'])
  const channels = channelsIn(state, 'never_subscribed')
  if (!former || !channels) return
  const kept = { ...former }
  for (const name of personalFieldNames) delete kept[name]
  channels[id] = kept
}

// The legacy list of muted topics contains names of channels.
function renameMuted(state: ClientState, before: string, now: string): void {
  for (const entry of state.muted_topics ?? []) if (entry[0] === before) entry[0] = now
}

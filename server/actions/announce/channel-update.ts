import { defaultStreamGroups } from '../../../shared/events/default-stream-groups.js'
import { defaultStreams } from '../../../shared/events/default-streams.js'
import { type StreamUpdatePayload, streamUpdate } from '../../../shared/events/stream.js'
import { channelPermissionNames } from '../../../shared/resources/permission-settings.js'
import type { Ctx } from '../../ctx.js'
import type { Directory } from '../../memory/directory.js'
import { audienceAmong } from '../../policies/channel-audience.js'
import { audienceOfDefaultChannels, defaultChannels, mayBeOffered } from '../../policies/default-channels.js'
import { channelGroup, settingValue } from '../../policies/groups.js'
import { channelObject } from '../../presenters/channel-object.js'
import type { Emit } from '../../realtime/emission.js'
import { newChannelFacts } from '../../store/channels/channel-facts.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import { leaveDefaultChannelGroups, readDefaultChannelGroups } from '../../store/channels/default-channel-groups.js'
import type { Tx } from '../../store/driver/db.js'
import { notifyOfChannelAccess } from './channel-access.js'
import { notifyOfArchived, notifyOfUnarchived } from './channel-archive.js'

interface UpdatedChannel {
  readonly before: Directory
  readonly after: Directory
  readonly was: ChannelRow
  readonly is: ChannelRow
  /** Active subscribers, ascending. */
  readonly subscribers: readonly number[]
}

/**
 * Emits the events of a changed channel: stream/create to users who come to know it, stream/delete to users who may no longer know it, and
 * one event per property to all others who know it.
 */
export async function notifyOfUpdate(ctx: Ctx, tx: Tx, emit: Emit, update: UpdatedChannel): Promise<void> {
  const { before, after, was, is, subscribers } = update
  const { gained } = await notifyOfChannelAccess(tx, emit, { before, after, channels: [is] })
  const isNew = new Set(gained.get(is.id))
  const audience = audienceAmong(after, is, subscribers).filter(id => !isNew.has(id))
  if (was.is_archived && !is.is_archived) await notifyOfUnarchived(ctx, tx, emit, { after, channel: is, audience })
  if (!was.is_archived && is.is_archived) notifyOfArchived(emit, is, audience)
  for (const change of changesOf(update)) emit(streamUpdate, change, audience)
  const defaults = defaultChannels(after)
  if (defaults.join() !== defaultChannels(before).join()) {
    emit(defaultStreams, { default_streams: defaults }, audienceOfDefaultChannels(after))
  }
  if (mayBeOffered(was) && !mayBeOffered(is) && (await leaveDefaultChannelGroups(tx, is.id))) {
    const default_stream_groups = await readDefaultChannelGroups(tx)
    emit(defaultStreamGroups, { default_stream_groups }, audienceOfDefaultChannels(after))
  }
}

/** One payload per changed property (docs/protocol/events.md#stream), except is_archived. */
function changesOf({ before, after, was, is }: UpdatedChannel): StreamUpdatePayload[] {
  const stream_id = is.id
  const changes: StreamUpdatePayload[] = []
  const notify = (property: StreamUpdatePayload['property'], value: unknown, more: Partial<StreamUpdatePayload> = {}) =>
    changes.push({ stream_id, name: is.name, property, value, ...more, ...(is.is_archived && { archived: true }) })
  if (was.name !== is.name) notify('name', is.name, { name: was.name })
  if (was.description !== is.description) {
    notify('description', is.description, { rendered_description: is.rendered_description })
  }
  const { invite_only, history_public_to_subscribers, is_web_public } = is
  if (privacyOf(was) !== privacyOf(is)) {
    notify('invite_only', invite_only, { history_public_to_subscribers, is_web_public })
  }
  for (const name of plainProperties) if (was[name] !== is[name]) notify(name, is[name])
  for (const name of channelPermissionNames) {
    const [held, holds] = [channelGroup(before, was, name), channelGroup(after, is, name)]
    if (held !== holds) notify(name, settingValue(after, holds))
  }
  const [policy, newPolicy] = [postPolicy(before, was), postPolicy(after, is)]
  if (policy !== newPolicy) notify('stream_post_policy', newPolicy)
  return changes
}

const plainProperties = [
  'message_retention_days',
  'folder_id',
  'topics_policy',
] as const satisfies readonly (keyof ChannelRow)[]

export type ChannelPrivacy = 'web-public' | 'public' | 'shared' | 'protected'

export const privacyOf = ({ invite_only, history_public_to_subscribers, is_web_public }: ChannelRow): ChannelPrivacy =>
  is_web_public ? 'web-public' : !invite_only ? 'public' : history_public_to_subscribers ? 'shared' : 'protected'

const postPolicy = (directory: Directory, channel: ChannelRow): number =>
  channelObject(directory, channel, newChannelFacts).stream_post_policy

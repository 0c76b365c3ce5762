import type { Ctx } from '../../ctx.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { ChannelFigures } from '../../store/channels/figures.js'
import { AdminError } from '../admin-error.js'

/** A channel in the output of commands. */
export function described(channel: ChannelRow, figures: ChannelFigures = { subscribers: 0, messages: 0 }) {
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    kind: kindOf(channel),
    history_public_to_subscribers: channel.history_public_to_subscribers,
    is_archived: channel.is_archived,
    is_default: channel.is_default,
    message_retention_days: channel.message_retention_days,
    topics_policy: channel.topics_policy,
    folder_id: channel.folder_id,
    creator_id: channel.creator_id,
    date_created: channel.date_created.toISOString(),
    subscribers: figures.subscribers,
    messages: figures.messages,
  }
}

function kindOf({ invite_only, is_web_public }: ChannelRow): 'private' | 'public' | 'web-public' {
  if (invite_only) return 'private'
  return is_web_public ? 'web-public' : 'public'
}

/** A channel by name (case is ignored), or by `#` and id. @throws {AdminError} */
export function channelOf({ directory }: Ctx, name: string): ChannelRow {
  const [, id] = /^#(\d{1,9})$/.exec(name) ?? []
  const channel = id ? directory.channels.get(Number(id)) : directory.channelNamed(name)
  if (!channel) throw new AdminError(`There is no channel ${name}.`, 'NOT_FOUND')
  return channel
}

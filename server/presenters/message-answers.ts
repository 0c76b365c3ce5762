import {
  type EditHistoryEntry,
  type MessageForm,
  type MessageObject,
  messageFor,
  type Reaction,
} from '../../shared/resources/message.js'
import { topicFor } from '../../shared/resources/topic.js'
import type { Ctx } from '../ctx.js'
import { accessibleUsers } from '../lookups/known-users.js'
import { knowsChannel } from '../policies/channel-permissions.js'
import { realmSetting } from '../policies/settings.js'
import type { ISql } from '../store/db.js'
import { flagNames, wildcardBit } from '../store/message-flags.js'
import type { ShownEdits } from '../store/message-history.js'
import type { AnswerMessage } from '../store/message-rows.js'
import { activeSubscriptionsAmong } from '../store/received.js'
import type { UserRow } from '../store/users.js'
import { type MessagePlace, neutralMessage } from './message-object.js'

/** Which edits the organization shows, from the directory without a refresh; queries skip the others. */
export const shownEdits = ({ directory }: Ctx): ShownEdits =>
  realmSetting(directory, 'message_edit_history_visibility_policy')

/** Messages on the wire. The user (null: a visitor without an account) may read all of them. */
export async function messageAnswers(
  ctx: Ctx,
  sql: ISql,
  user: UserRow | null,
  rows: readonly AnswerMessage[],
  form: MessageForm,
): Promise<MessageObject[]> {
  const known = await accessibleUsers(sql, ctx.directory, user)
  const knows = (id: number) => known === null || known.has(id)
  const unknown = await unknownSources(ctx, sql, user, rows)
  return rows.flatMap(row => {
    const place = placeOf(ctx, row)
    // The channel was created after the directory was read: the answer omits the message.
    if (!place) return []
    const message = neutralMessage(ctx, row, {
      place,
      topicLinks: ctx.directory.linkifiers.topicLinks(row.topic),
      reactions: (row.reactions ?? []).map(reaction => wireReaction(ctx, reaction)),
      knows,
    })
    const edits = editHistory(ctx, row, form, unknown)
    return {
      ...messageFor(form, message),
      flags: flagNames({
        bits: row.bits,
        isRead: row.is_read,
        isReceived: row.is_received,
        mentionsChannel: (row.wildcard_mentions & wildcardBit.channel) !== 0,
      }),
      ...(row.last_edit_time && { last_edit_timestamp: seconds(row.last_edit_time) }),
      ...(row.last_move_time && { last_moved_timestamp: seconds(row.last_move_time) }),
      ...(edits.length > 0 && { edit_history: edits }),
    }
  })
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

function placeOf({ directory }: Ctx, row: AnswerMessage): MessagePlace | undefined {
  if (row.channel_id === null) return { userIds: row.user_ids ?? [] }
  const channel = directory.channels.get(row.channel_id)
  return channel && { channel }
}

/** On the wire the type of the extra emoji contains the brand. */
export function wireReaction({ config }: Pick<Ctx, 'config'>, reaction: Reaction): Reaction {
  const { reaction_type: type } = reaction
  return { ...reaction, reaction_type: type === 'extra_emoji' ? `${config.wireBrand}_extra_emoji` : type }
}

/** Channels that some of the messages were moved from and that the reader may not know. */
async function unknownSources(
  { directory }: Ctx,
  sql: ISql,
  user: UserRow | null,
  rows: readonly AnswerMessage[],
): Promise<ReadonlySet<number>> {
  const sources = new Set(rows.flatMap(row => row.edit_history?.flatMap(entry => entry.prev_stream ?? []) ?? []))
  const closed = [...sources].filter(id => {
    const channel = directory.channels.get(id)
    return !channel || !knowsChannel(directory, user, channel, false)
  })
  if (closed.length === 0 || !user) return new Set(closed)
  const own = await activeSubscriptionsAmong(sql, user.id, closed)
  return new Set(closed.filter(id => !own.includes(id)))
}

/**
 * The edits that the organization shows: all, only moves, or none. Edits from before a move out of a channel that the reader may not know,
 * and that move itself, are omitted.
 */
function editHistory(
  { directory }: Ctx,
  row: AnswerMessage,
  form: { readonly empty_topic_name: boolean },
  unknown: ReadonlySet<number>,
): EditHistoryEntry[] {
  const policy = realmSetting(directory, 'message_edit_history_visibility_policy')
  if (policy === 'none' || !row.edit_history) return []
  const arrival = row.edit_history.findIndex(({ prev_stream }) => prev_stream !== undefined && unknown.has(prev_stream))
  const told = arrival < 0 ? row.edit_history : row.edit_history.slice(0, arrival)
  const name = realmSetting(directory, 'empty_topic_display_name')
  const shown = (topic: string | undefined) => (topic === undefined ? undefined : topicFor(form, topic, name))
  return told.flatMap(entry => {
    const { prev_content, prev_rendered_content, topic, prev_topic, ...rest } = entry
    if (policy === 'moves' && prev_topic === undefined && entry.prev_stream === undefined) return []
    return {
      ...rest,
      ...(topic !== undefined && { topic: shown(topic) }),
      ...(prev_topic !== undefined && { prev_topic: shown(prev_topic) }),
      ...(policy === 'all' && prev_content !== undefined && { prev_content, prev_rendered_content }),
    }
  })
}

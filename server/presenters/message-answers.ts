import {
  type EditHistoryEntry,
  type MessageForm,
  type MessageObject,
  messageFor,
  type Reaction,
} from '../../shared/resources/message.js'
import { topicFor } from '../../shared/resources/topic.js'
import type { Ctx } from '../ctx.js'
import { realmSetting } from '../policies/settings.js'
import { type FlagFacts, flagNames, wildcardBit } from '../store/messages/message-flags.js'
import type { ShownEdits } from '../store/messages/message-history.js'
import type { AnswerMessage } from '../store/messages/message-rows.js'
import { type MessagePlace, neutralMessage } from './message-object.js'

/** Which edits the organization shows, from the directory without a refresh; queries skip the others. */
export const shownEdits = ({ directory }: Ctx): ShownEdits =>
  realmSetting(directory, 'message_edit_history_visibility_policy')

/** The settings of the organization that messages in answers depend on. */
export const settingsShown = ({ directory }: Ctx): string =>
  `${realmSetting(directory, 'message_edit_history_visibility_policy')} ${realmSetting(directory, 'empty_topic_display_name')}`

/** What the reader of messages knows of the objects in them. */
export interface KnownToReader {
  /** It has no account. */
  readonly isSpectator: boolean
  user(id: number): boolean
  /** Channels that some of the messages were moved from and that the reader may not know. */
  readonly hiddenSources: ReadonlySet<number>
}

/** Messages on the wire, for a reader who may read all of them; `known`: see lookups/known-to-reader.ts. */
export function messageAnswers(
  ctx: Ctx,
  rows: readonly AnswerMessage[],
  form: MessageForm,
  known: KnownToReader,
): MessageObject[] {
  return rows.flatMap(row => {
    const message = messageWithoutFlags(ctx, row, form, known)
    return message ? { ...message, flags: flagNames(flagFactsOf(row)) } : []
  })
}

/** What decides the flags of a message for the user of the row. */
export const flagFactsOf = (row: AnswerMessage): FlagFacts => ({
  bits: row.bits,
  isRead: row.is_read,
  isReceived: row.is_received,
  mentionsChannel: (row.wildcard_mentions & wildcardBit.channel) !== 0,
})

/**
 * A message on the wire without its flags, which is the same for all readers who know the same users and channels; undefined: its channel
 * was created after the directory was read, and the answer omits the message.
 */
export function messageWithoutFlags(
  ctx: Ctx,
  row: AnswerMessage,
  form: MessageForm,
  known: KnownToReader,
): Omit<MessageObject, 'flags'> | undefined {
  const place = placeOf(ctx, row)
  if (!place) return undefined
  const message = neutralMessage(ctx, row, {
    place,
    topicLinks: ctx.directory.linkifiers.topicLinks(row.topic),
    reactions: (row.reactions ?? []).map(({ id: _, ...reaction }) => wireReaction(ctx, reaction)),
    submessages: row.submessages ?? [],
    knows: known.user,
    forSpectator: known.isSpectator,
  })
  const edits = editHistory(ctx, row, form, known.hiddenSources)
  return {
    ...messageFor(form, message),
    ...(row.last_edit_time && { last_edit_timestamp: seconds(row.last_edit_time) }),
    ...(row.last_move_time && { last_moved_timestamp: seconds(row.last_move_time) }),
    ...(edits.length > 0 && { edit_history: edits }),
  }
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

/**
 * The edits that the organization shows: all, only moves, or none. Edits from before a move out of a channel that the reader may not know,
 * and that move itself, are omitted.
 */
function editHistory(
  { directory }: Ctx,
  row: AnswerMessage,
  form: { readonly empty_topic_name: boolean },
  hiddenSources: ReadonlySet<number>,
): EditHistoryEntry[] {
  const policy = realmSetting(directory, 'message_edit_history_visibility_policy')
  if (policy === 'none' || !row.edit_history) return []
  const arrival = row.edit_history.findIndex(
    ({ prev_stream }) => prev_stream !== undefined && hiddenSources.has(prev_stream),
  )
  const visible = arrival < 0 ? row.edit_history : row.edit_history.slice(0, arrival)
  const name = realmSetting(directory, 'empty_topic_display_name')
  const shown = (topic: string | undefined) => (topic === undefined ? undefined : topicFor(form, topic, name))
  return visible.flatMap(entry => {
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

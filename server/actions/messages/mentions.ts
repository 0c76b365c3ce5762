import type { Ctx } from '../../ctx.js'
import { membersOf } from '../../policies/groups.js'
import { mayMentionMany, requireMayMentionGroups, wildcardRefusal } from '../../policies/messages.js'
import type { ISql } from '../../store/driver/db.js'
import { holdsId } from '../../store/driver/id-ranges.js'
import { flagBit, wildcardBit } from '../../store/messages/message-flags.js'
import { topicParticipants } from '../../store/topics/topics.js'
import type { UserRow } from '../../store/users/users.js'
import type { Rendered } from '../../text/markdown.js'

/** The mentions and alert words in a message, limited to users who receive it. */
export interface Mentioned {
  /** Bits of messages.wildcard_mentions. */
  readonly wildcards: number
  /** Bits of message_flags by user id. */
  readonly bits: ReadonlyMap<number, number>
}

interface MentionedIn {
  readonly rendered: Rendered
  readonly place: { readonly channelId: number; readonly topic: string } | null
  readonly audience: readonly number[]
  readonly content: string
}

/**
 * @param place null in direct conversations, where wildcard mentions have no effect
 * @param audience ids of the users who receive the message, ascending
 * @param content the source, which may contain alert words of receivers
 * @throws {ApiError} if the sender may not use a wildcard mention, or mention a group
 */
export async function findMentioned(
  { directory }: Pick<Ctx, 'directory'>,
  sql: ISql,
  sender: UserRow,
  { rendered: { mentions }, place, audience, content }: MentionedIn,
): Promise<Mentioned> {
  const bits = new Map<number, number>()
  const add = (bit: number, userIds: readonly number[]) => {
    for (const id of userIds) if (holdsId(audience, id)) bits.set(id, (bits.get(id) ?? 0) | bit)
  }
  requireMayMentionGroups(directory, sender, mentions.groupIds)
  add(flagBit.mentioned, mentions.userIds)
  for (const id of mentions.groupIds) add(flagBit.mentioned, membersOf(directory, id))
  add(flagBit.has_alert_word, [...directory.alertWords.usersOf(content)])
  let wildcards = 0
  if (place && mentions.channelWildcard) {
    if (!mayMentionMany(directory, sender, audience.length)) throw wildcardRefusal.channel()
    wildcards |= wildcardBit.channel
  }
  if (place && mentions.topicWildcard) {
    const participants = await topicParticipants(sql, place.channelId, place.topic)
    // The sender may not see the history of the topic, so neither the number of its participants.
    const isKnown = directory.channels.get(place.channelId)?.history_public_to_subscribers === true
    const reached = isKnown ? participants.length : audience.length
    if (!mayMentionMany(directory, sender, reached)) throw wildcardRefusal.topic()
    wildcards |= wildcardBit.topic
    add(flagBit.topic_wildcard_mentioned, [...participants, sender.id])
  }
  return { wildcards, bits }
}

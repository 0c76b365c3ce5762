import { firstText, inside, type Loose, listOf } from '../loose.js'

// What a client shows of the life of a channel. Types without a name are numbers.
const reasons: ReadonlyMap<string, string> = new Map([
  ['RecipientAdd', 'join'],
  ['RecipientRemove', 'leave'],
  ['Call', 'call'],
  ['ChannelNameChange', 'rename'],
  ['ChannelIconChange', 'icon change'],
  ['ChannelPinnedMessage', 'pin'],
  ['GuildMemberJoin', 'join'],
  ['ThreadCreated', 'thread notice'],
  ['8', 'boost'],
  ['9', 'boost'],
  ['10', 'boost'],
  ['11', 'boost'],
])

/** Why a message is not imported; null: it is. */
export function droppedFor(message: Loose): string | null {
  const reason = reasons.get(firstText(message.type))
  if (reason !== undefined) return reason
  return hasContent(message) || hasContent(inside(message.forwardedMessage)) ? null : 'nothing to show'
}

const hasContent = ({ content, attachments, embeds, stickers }: Loose): boolean =>
  firstText(content) !== '' || [attachments, embeds, stickers].some(list => listOf(list).length > 0)

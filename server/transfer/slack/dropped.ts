import { firstText, type Loose, listOf } from '../loose.js'

// What a client shows of the life of a channel; it says nothing that a person wrote.
const reasons: readonly [RegExp, string][] = [
  [/_join$/, 'join'],
  [/_leave$/, 'leave'],
  [/_topic$/, 'topic change'],
  [/_purpose$/, 'purpose change'],
  [/_name$/, 'rename'],
  [/_unarchive$/, 'unarchive'],
  [/_archive$/, 'archive'],
  [/_convert_to_private$/, 'made private'],
  [/_posting_permissions$/, 'posting permissions'],
  [/^(?:un)?pinned_item$/, 'pin'],
  [/^bot_(?:add|remove|enable|disable)$/, 'integration notice'],
  [/^tombstone$/, 'tombstone'],
  // The broadcast itself is a message, too.
  [/^reply_broadcast$/, 'double of a broadcast'],
  [/^message_(?:changed|deleted)$/, 'entry of a log'],
]

// They say what happened without a text.
const withoutText = ['sh_room_created', 'huddle_thread']

/** Why a message is not imported; null: it is. */
export function droppedFor(message: Loose): string | null {
  const subtype = firstText(message.subtype)
  const found = reasons.find(([pattern]) => pattern.test(subtype))
  if (found) return found[1]
  if (message.hidden === true) return 'hidden'
  return hasContent(message) || withoutText.includes(subtype) ? null : 'nothing to show'
}

const hasContent = (message: Loose): boolean =>
  firstText(message.text) !== '' ||
  [message.blocks, message.attachments, message.files].some(list => listOf(list).length > 0) ||
  message.file !== undefined

import { channelReference } from '../../../shared/resources/channel-reference.js'
import { messageUrl } from '../../../shared/resources/hash-links.js'
import { resolvedPrefix, topicKey } from '../../../shared/resources/topic.js'
import type { Notice } from '../../job-types/notice.js'
import type { Directory } from '../../memory/directory.js'
import type { ChannelRow } from '../../store/channels/channels.js'
import type { EditableMessage } from '../../store/messages/editable-message.js'
import type { Moving } from '../../store/messages/movable-message.js'
import type { UserRow } from '../../store/users/users.js'
import type { InLanguages } from '../../text/page-language.js'
import { languageOfChannels } from '../notice-language.js'
import { silently } from './notice-mentions.js'
import type { EditPlan, MessageEdit } from './plan-edit.js'

interface Moved {
  readonly message: EditableMessage
  readonly user: UserRow
  readonly plan: EditPlan
  readonly moving: Moving
  readonly edit: MessageEdit
}

interface Words {
  readonly resolved: (who: string) => string
  readonly unresolved: (who: string) => string
  /** What was moved. */
  readonly topic: string
  readonly message: (url: string) => string
  readonly messages: (count: number) => string
  /** In the topic that it was moved to, and in that from which it was moved. */
  readonly here: (moved: { who: string; what: string; from: string }) => string
  readonly away: (moved: { who: string; what: string; to: string; isWhole: boolean }) => string
  /** A place of which not all readers know. */
  readonly fromHidden: string
  readonly toHidden: string
}

const inLanguages: InLanguages<Words> = {
  en: {
    resolved: who => `${who} has marked this topic as resolved.`,
    unresolved: who => `${who} has marked this topic as unresolved.`,
    topic: 'This topic was',
    message: url => `[A message](${url}) was`,
    messages: count => `${count} messages were`,
    here: ({ who, what, from }) => `${what} moved here from ${from} by ${who}.`,
    away: ({ who, what, to, isWhole }) => `${what} moved${isWhole ? '' : ' from this topic'} to ${to} by ${who}.`,
    fromHidden: 'a private channel',
    toHidden: 'a private channel',
  },
  de: {
    resolved: who => `${who} hat dieses Thema als erledigt markiert.`,
    unresolved: who => `${who} hat dieses Thema als nicht erledigt markiert.`,
    topic: 'dieses Thema',
    message: url => `[eine Nachricht](${url})`,
    messages: count => `${count} Nachrichten`,
    here: ({ who, what, from }) => `${who} hat ${what} aus ${from} hierher verschoben.`,
    away: ({ who, what, to, isWhole }) => `${who} hat ${what}${isWhole ? '' : ' dieses Themas'} in ${to} verschoben.`,
    fromHidden: 'einem privaten Kanal',
    toHidden: 'einen privaten Kanal',
  },
}

/** The notification bot's messages in the topics that messages are moved from and to. */
export function moveNotices(directory: Directory, { message, user, plan: { move }, moving, edit }: Moved): Notice[] {
  if (!move) return []
  const words = inLanguages[languageOfChannels(directory)]
  const who = silently(user)
  const topic = move.topic ?? message.topic
  // Only the spelling changed.
  if (move.from === move.to && topicKey(topic) === topicKey(message.topic)) return []
  const isWhole = !moving.leaves_others
  if (move.resolves && isWhole) {
    const content = words[topic.startsWith(resolvedPrefix) ? 'resolved' : 'unresolved'](who)
    return [{ to: { channel: move.to.id, topic }, content, isOfResolution: true }]
  }
  const target = { stream_id: move.to.id, name: move.to.name }
  const [only, ...others] = move.ids
  const one = only === undefined || others.length > 0 ? null : words.message(messageUrl(target, topic, only))
  const what = isWhole ? words.topic : (one ?? words.messages(move.ids.length))
  // Readers of one channel may not know the other.
  const place = (channel: ChannelRow, name: string, hidden: string) =>
    move.from !== move.to && channel.invite_only
      ? hidden
      : channelReference({ stream_id: channel.id, name: channel.name }, name)
  const notices: Notice[] = []
  if (edit.notifyNewThread) {
    const content = words.here({ who, what, from: place(move.from, message.topic, words.fromHidden) })
    notices.push({ to: { channel: move.to.id, topic }, content })
  }
  if (edit.notifyOldThread) {
    const content = words.away({ who, what, to: place(move.to, topic, words.toHidden), isWhole })
    notices.push({ to: { channel: move.from.id, topic: message.topic }, content })
  }
  return notices
}

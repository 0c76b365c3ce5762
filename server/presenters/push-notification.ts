import { createHash } from 'node:crypto'
import { dmUrl, messageUrl } from '../../shared/resources/hash-links.js'
import { conversationKey, type Place, placeKey } from '../../shared/resources/place.js'
import type { Ctx } from '../ctx.js'
import { realmSetting, userSetting } from '../policies/settings.js'
import type { PushedMessage } from '../store/push/pushed-messages.js'
import { senderFields } from './message-object.js'

type Known = Pick<Ctx, 'directory' | 'publicUrl' | 'realmHost' | 'config'>

/** What a push says of this server; every one begins with it. */
export const serverFields = ({ directory, publicUrl }: Known, userId: number) => ({
  realm_url: publicUrl,
  realm_name: directory.organization.name,
  user_id: userId,
})

const testTexts: Readonly<Record<string, string>> = {
  en: 'This device shows notifications.',
  de: 'Dieses Gerät zeigt Benachrichtigungen.',
}

/** The text of a push that tests a device, in the language of its user. */
export function testNotification(ctx: Known, userId: number) {
  const user = ctx.directory.users.get(userId)
  const language = user ? userSetting(user, 'default_language').split('-')[0] : undefined
  const body = testTexts[language ?? ''] ?? testTexts.en
  const notification = { title: ctx.directory.organization.name, body, navigate: `${ctx.publicUrl}/`, tag: 'test' }
  return { web_push: 8030, notification, mutable: true, type: 'test', ...serverFields(ctx, userId) }
}

interface Reader {
  readonly userId: number
  /** It looks at a client. */
  readonly isSilent: boolean
  /** It may see the sender. */
  readonly knowsSender: boolean
  /** A guest who may not see all users. */
  readonly isLimited: boolean
}

// The fields beside the content must leave room for it: so many names in a title, ids of participants, and characters of a link or tag.
const mostNames = 3
const mostIds = 20
const mostLinkCharacters = 500
const mostTagCharacters = 100

/** The place of a message in the view of a receiver. */
export const pushedPlace = ({ channel_id, topic, user_ids }: PushedMessage, userId: number): Place =>
  channel_id === null ? { direct: conversationKey(user_ids ?? [], userId) } : { channelId: channel_id, topic }

/**
 * The text of a push about a message, an object for JSON (docs/push.md#what-a-push-says). `content`: plain text.
 */
export function messageNotification(ctx: Known, message: PushedMessage, reader: Reader, content: string) {
  const { userId, isSilent, knowsSender } = reader
  const { id, sender_id, date_sent } = message
  const sender = senderFields(ctx, sender_id, knowsSender)
  const tag = tagOf(placeKey(pushedPlace(message, userId)))
  const place = placeFields(ctx, message, reader)
  const title = place.where === '' ? sender.sender_full_name : `${sender.sender_full_name} (${place.where})`
  return {
    // Browsers that know declarative pushes show this without a service worker.
    web_push: 8030,
    notification: { title, body: content, navigate: `${ctx.publicUrl}${place.link}`, tag, silent: isSilent },
    mutable: true,
    type: 'message',
    ...serverFields(ctx, userId),
    sender_id,
    sender_full_name: sender.sender_full_name,
    sender_avatar_url: sender.avatar_url,
    message_id: id,
    time: Math.floor(date_sent.getTime() / 1000),
    ...place.fields,
    content,
    tag,
    silent: isSilent,
  }
}

const tagOf = (key: string): string =>
  key.length > mostTagCharacters ? createHash('sha256').update(key).digest('base64url') : key

/** Clients find the conversation of a message by its id, too. */
const linkOf = (link: string, id: number): string => (link.length > mostLinkCharacters ? `/#narrow/near/${id}` : link)

function placeFields({ directory }: Known, { id, channel_id, topic, user_ids }: PushedMessage, reader: Reader) {
  if (channel_id === null) {
    const people = user_ids ?? []
    const where = people.length > 2 ? namesOf(directory, people, reader) : ''
    const fields = people.length > mostIds ? {} : { recipient_user_ids: people }
    return { link: linkOf(dmUrl(people, id), id), where, fields }
  }
  const channel_name = directory.channels.get(channel_id)?.name ?? ''
  const shown = topic === '' ? realmSetting(directory, 'empty_topic_display_name') : topic
  return {
    link: linkOf(messageUrl({ stream_id: channel_id, name: channel_name }, topic, id), id),
    where: `#${channel_name} > ${shown}`,
    fields: { channel_id, channel_name, topic },
  }
}

/** The first names of the other participants, and the number of the rest. Limited guests see participants only while these are active. */
function namesOf({ users }: Known['directory'], people: readonly number[], { userId, isLimited }: Reader): string {
  const others = people.filter(id => id !== userId)
  const named = others.flatMap(id => {
    const user = users.get(id)
    return user && (user.is_active || !isLimited) ? user.full_name : []
  })
  const shown = named.slice(0, mostNames)
  const rest = others.length - shown.length
  return [shown.join(', '), rest > 0 ? `+${rest}` : ''].filter(part => part !== '').join(' ')
}

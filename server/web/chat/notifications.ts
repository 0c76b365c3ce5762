import { onCleanup } from 'solid-js'
import { type Place, peopleOf, placeKey, placeOf } from '../../../shared/resources/place.js'
import { language, t } from '../language/language.js'
import type { Message } from '../state/chat-state.js'
import { alerts } from '../state/notify.js'
import { messageLink } from '../state/quote.js'
import type { Chat } from './chat.js'
import { textOfMarkup } from './markup.js'
import { placeName } from './names.js'
import { isFirst, isLookedAt, tellFocus } from './other-windows.js'

const longestText = 200
// Messages that arrive together make one sound.
const soundPauseMs = 1500

/** Whether this browser has desktop notifications at all. */
export const hasNotifications = 'Notification' in globalThis

interface Shown {
  /** The message that the notification shows. */
  readonly newest: number
  /** How many messages of the place came since its first notification. */
  readonly count: number
  close(): void
}

/**
 * Alerts the user to new messages while no window of the page has the focus, as the settings want it: with a sound, and
 * with one desktop notification per conversation, about its newest message and with the number of messages. A click opens
 * the conversation at the message; reading the messages elsewhere closes the notification.
 */
export function keepNotifying(chat: Chat): void {
  const shown = new Map<string, Shown>()
  const show = (message: Message) => {
    const place = placeOf(message, chat.state.user_id)
    const key = placeKey(place)
    const count = (shown.get(key)?.count ?? 0) + 1
    const { title, body } = wordsOf(chat, message, place, count)
    // The browser also reports the end of a notification that a newer one has replaced.
    const closed = () => {
      if (shown.get(key)?.newest === message.id) shown.delete(key)
    }
    const address = messageLink(chat.state, message).slice('/#'.length)
    const close = notify(title, { body, tag: key, lang: language(), dir: 'auto' }, address, closed)
    shown.set(key, { newest: message.id, count, close })
  }
  tellFocus()
  let soundAt = Number.NEGATIVE_INFINITY
  const alert = async (message: Message) => {
    const wantsSound = alerts(chat.state, message, 'sound')
    const wantsNotification =
      hasNotifications && Notification.permission === 'granted' && alerts(chat.state, message, 'desktop')
    if (!(wantsSound || wantsNotification) || (await isLookedAt()) || !(await isFirst(message.id))) return
    if (wantsNotification) show(message)
    if (!wantsSound || performance.now() - soundAt < soundPauseMs) return
    soundAt = performance.now()
    const { playSound } = await import('./sound.js')
    await playSound(chat.state.user_settings.notification_sound)
  }
  onCleanup(
    chat.client.on('message', event => {
      alert({ ...event.message, flags: [...event.flags] }).catch(error => console.error(error))
    }),
  )
  const closeRead = (isRead: (id: number) => boolean) => {
    for (const { newest, close } of [...shown.values()]) if (isRead(newest)) close()
  }
  onCleanup(
    chat.client.on('update_message_flags', event => {
      if (event.flag !== 'read' || event.op !== 'add') return
      const read = new Set(event.messages)
      closeRead(id => event.all || read.has(id))
    }),
  )
  onCleanup(() => closeRead(() => true))
}

/**
 * Shows a notification in place of an earlier one with its tag. `address`: the fragment that a click opens.
 * @returns closes it
 */
function notify(title: string, options: NotificationOptions, address: string, closed: () => void): () => void {
  try {
    const notification = new Notification(title, options)
    notification.onclose = closed
    notification.onclick = () => {
      focus()
      location.hash = address
      notification.close()
    }
    return () => notification.close()
  } catch (error) {
    // On phones only the service worker may notify.
    if (!(error instanceof TypeError)) throw error
    return notifyByWorker(title, { ...options, data: address }, closed)
  }
}

function notifyByWorker(title: string, options: NotificationOptions, closed: () => void): () => void {
  const worker = navigator.serviceWorker?.ready
  worker?.then(registration => registration.showNotification(title, options)).catch(error => console.error(error))
  return () => {
    closed()
    void worker
      ?.then(registration => registration.getNotifications({ tag: options.tag }))
      .then(open => {
        for (const one of open) one.close()
      })
  }
}

function wordsOf(chat: Chat, message: Message, place: Place, count: number): { title: string; body: string } {
  const isPrivate = 'direct' in place && !chat.state.user_settings.pm_content_in_desktop_notifications
  const isForTwo = 'direct' in place && peopleOf(place.direct).length === 1
  const sender = message.sender_full_name
  const words = isPrivate ? t('notification.direct') : textOf(message)
  return {
    title: isForTwo ? sender : t('notification.from', sender, placeName(chat.state, place)),
    body: count > 1 ? `${words}\n${t('notification.newMessages', count)}` : words,
  }
}

const textOf = ({ content }: Message): string => [...textOfMarkup(content)].slice(0, longestText).join('')

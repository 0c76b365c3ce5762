import { onCleanup } from 'solid-js'
import { peopleOf, placeKey, placeOf } from '../../../shared/resources/place.js'
import type { Message } from '../state/chat-state.js'
import { notifies } from '../state/notify.js'
import type { Chat } from './chat.js'
import { markupOf, readerOf } from './markup.js'
import { placeName } from './names.js'
import type { View } from './view.js'

const longestText = 200

/** Whether this browser has desktop notifications at all. */
export const hasNotifications = 'Notification' in globalThis

/**
 * Desktop notifications of new messages while the window has no focus: one per conversation, about its newest message. A
 * click opens the conversation; reading the message elsewhere closes the notification.
 */
export function keepNotifying(chat: Chat, view: View): void {
  if (!hasNotifications) return
  const open = new Map<number, Notification>()
  const show = (message: Message) => {
    if (Notification.permission !== 'granted' || document.hasFocus() || !notifies(chat.state, message)) return
    const place = placeOf(message, chat.state.user_id)
    const isPrivate = 'direct' in place && !chat.state.user_settings.pm_content_in_desktop_notifications
    const isForTwo = 'direct' in place && peopleOf(place.direct).length === 1
    const notification = notify(
      isForTwo ? message.sender_full_name : `${message.sender_full_name} (${placeName(chat.state, place)})`,
      { body: isPrivate ? 'New direct message' : textOf(chat, message), tag: placeKey(place) },
    )
    if (!notification) return
    open.set(message.id, notification)
    notification.onclose = () => open.delete(message.id)
    notification.onclick = () => {
      focus()
      view.go('direct' in place ? { kind: 'direct', key: place.direct } : { kind: 'topic', ...place })
      notification.close()
    }
  }
  onCleanup(chat.client.on('message', event => show({ ...event.message, flags: [...event.flags] })))
  const close = (ids: Iterable<number>) => {
    for (const id of ids) open.get(id)?.close()
  }
  onCleanup(
    chat.client.on('update_message_flags', event => {
      if (event.flag === 'read' && event.op === 'add') close(event.all ? open.keys() : event.messages)
    }),
  )
  onCleanup(() => close(open.keys()))
}

/** Undefined on phones, where only service workers may notify. */
function notify(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function textOf(chat: Chat, message: Message): string {
  const content = markupOf(message.content, readerOf(chat))
  for (const hidden of content.querySelectorAll('.spoiler > div')) hidden.remove()
  return [...(content.textContent ?? '').trim()].slice(0, longestText).join('')
}

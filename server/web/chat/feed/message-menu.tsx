import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import type { Message } from '../../state/chat-state.js'
import { whyNotDelete, whyNotEdit } from '../../state/message-rights.js'
import { sameNarrow } from '../../state/narrow.js'
import { takesReports } from '../../state/reports.js'
import { type Chat, useChat } from '../chat.js'
import { ContextMenu } from '../context-menu.js'
import type { Deed } from '../menu.js'
import { copyLink, copySources, markUnread, markUnreadFrom, placeNarrow, quote } from '../message-deeds.js'
import { setFlag } from '../set-flag.js'
import { useView, type View } from '../view.js'

/** The entries of the menu of a message. */
function deedsFor(chat: Chat, view: View, message: Message): Deed[] {
  const isStarred = message.flags.includes('starred')
  const place = placeNarrow(chat, message)
  const open = view.narrow()
  return [
    ...(open && sameNarrow(open, place)
      ? []
      : [
          {
            icon: 'topic' as const,
            title: t('message.showInPlace'),
            work: () => view.go(place, { near: message.id }),
          },
        ]),
    { icon: 'quote', title: t('message.quote'), work: () => quote(chat, view, message) },
    { icon: 'forward', title: t('message.forward'), work: () => view.open({ forward: [message.id] }) },
    { icon: 'clock', title: t('message.remind'), work: () => view.open({ remind: message.id }) },
    {
      icon: 'check',
      title: view.selection.has(message.id) ? t('message.unselect') : t('message.select'),
      work: () => view.selection.toggle(message.id),
    },
    { icon: 'link', title: t('message.copyLink'), work: () => copyLink(chat, message) },
    { icon: 'copy', title: t('message.copyText'), work: () => copySources(chat, [message.id]) },
    {
      icon: 'star',
      title: isStarred ? t('message.unstar') : t('message.star'),
      work: () => setFlag(chat, [message.id], 'starred', !isStarred),
    },
    { icon: 'unread', title: t('message.markUnread'), work: () => markUnread(chat, view, message) },
    { icon: 'unread', title: t('message.markUnreadFrom'), work: () => markUnreadFrom(chat, view, message) },
    { icon: 'info', title: t('message.about'), work: () => view.open({ aboutMessage: message.id }) },
    ...(takesReports(chat.state) && message.sender_id !== chat.state.user_id
      ? [{ icon: 'mention' as const, title: t('report.title'), work: () => view.open({ report: message.id }) }]
      : []),
    ...changesOf(chat, view, message),
  ]
}

/** To edit and delete the message. An own message that is too old for it says so; others have only what the user may do. */
function changesOf(chat: Chat, view: View, message: Message): Deed[] {
  const [noEdit, noDelete] = [
    whyNotEdit(chat.state, message, chat.now()),
    whyNotDelete(chat.state, message, chat.now()),
  ]
  const isOwn = message.sender_id === chat.state.user_id
  return [
    ...(noEdit === 'notOwn'
      ? []
      : [
          {
            icon: 'edit' as const,
            title: t('message.edit'),
            refusal: noEdit && t(`message.noEdit.${noEdit}`),
            work: () => view.edit(message.id),
          },
        ]),
    ...(noDelete && !isOwn
      ? []
      : [
          {
            icon: 'trash' as const,
            title: t('message.delete'),
            sure: t('message.reallyDelete'),
            refusal: noDelete && t(`message.noDelete.${noDelete}`),
            work: () => chat.ask('DELETE', `/messages/${message.id}`),
          },
        ]),
  ]
}

/** The open menu of a message, if any. */
export function MessageMenu(): JSX.Element {
  const chat = useChat()
  const view = useView()
  return (
    <Show when={view.contextMenu()} keyed>
      {place => (
        <Show when={chat.state.messages[place.messageId ?? -1]}>
          {message => <ContextMenu place={place} label={t('message.menu')} deeds={deedsFor(chat, view, message())} />}
        </Show>
      )}
    </Show>
  )
}

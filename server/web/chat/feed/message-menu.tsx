import { type JSX, Show } from 'solid-js'
import { placeOf } from '../../../../shared/resources/place.js'
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
import { QuickReactions } from './quick-reactions.js'

/** The entries of the menu of a message: to answer it, to change it, to take it elsewhere, and what cannot be undone last. */
export function deedsFor(chat: Chat, view: View, message: Message): Deed[] {
  return [
    { icon: 'quote', title: t('message.quote'), work: () => quote(chat, view, message) },
    { icon: 'forward', title: t('message.forward'), work: () => view.open({ forward: [message.id] }) },
    { icon: 'clock', title: t('message.remind'), work: () => view.open({ remind: message.id }) },
    ...grouped(changesOf(chat, view, message)),
    ...grouped(marksOf(chat, view, message)),
    ...grouped(copiesOf(chat, view, message)),
    ...grouped([...reportOf(chat, view, message), ...deletionOf(chat, message)]),
  ]
}

const grouped = ([first, ...others]: Deed[]): Deed[] => (first ? [{ ...first, beginsGroup: true }, ...others] : [])

/** To edit and to move it. An own message that is too old for it says so; others have only what the user may do. */
function changesOf(chat: Chat, view: View, message: Message): Deed[] {
  const refusal = whyNotEdit(chat.state, message, chat.now())
  const place = placeOf(message, chat.state.user_id)
  const edit: Deed = {
    icon: 'edit',
    title: t('message.edit'),
    refusal: refusal && refusal !== 'notOwn' ? t(`message.noEdit.${refusal}`) : undefined,
    work: () => view.edit(message.id),
  }
  return [
    ...(refusal === 'notOwn' ? [] : [edit]),
    ...('direct' in place
      ? []
      : [
          {
            icon: 'move' as const,
            title: t('message.move'),
            work: () => view.open({ move: { ...place, messageId: message.id } }),
          },
        ]),
  ]
}

function marksOf(chat: Chat, view: View, message: Message): Deed[] {
  const isStarred = message.flags.includes('starred')
  return [
    {
      icon: 'star',
      title: isStarred ? t('message.unstar') : t('message.star'),
      work: () => setFlag(chat, [message.id], 'starred', !isStarred),
    },
    { icon: 'unread', title: t('message.markUnread'), work: () => markUnread(chat, view, message) },
    { icon: 'unread', title: t('message.markUnreadFrom'), work: () => markUnreadFrom(chat, view, message) },
    {
      icon: 'check',
      title: view.selection.has(message.id) ? t('message.unselect') : t('message.select'),
      work: () => view.selection.toggle(message.id),
    },
  ]
}

function copiesOf(chat: Chat, view: View, message: Message): Deed[] {
  const place = placeNarrow(chat, message)
  const open = view.narrow()
  const show: Deed = {
    icon: 'topic',
    title: t('message.showInPlace'),
    work: () => view.go(place, { near: message.id }),
  }
  return [
    ...(open && sameNarrow(open, place) ? [] : [show]),
    { icon: 'link', title: t('message.copyLink'), work: () => copyLink(chat, message) },
    { icon: 'copy', title: t('message.copyText'), work: () => copySources(chat, [message.id]) },
    { icon: 'info', title: t('message.about'), work: () => view.open({ aboutMessage: message.id }) },
  ]
}

function reportOf(chat: Chat, view: View, message: Message): Deed[] {
  if (!takesReports(chat.state) || message.sender_id === chat.state.user_id) return []
  return [{ icon: 'flag', title: t('report.title'), work: () => view.open({ report: message.id }) }]
}

/** An own message that is too old to be deleted says so; that of another user has the entry only for those who may delete it. */
function deletionOf(chat: Chat, message: Message): Deed[] {
  const refusal = whyNotDelete(chat.state, message, chat.now())
  if (refusal && message.sender_id !== chat.state.user_id) return []
  return [
    {
      icon: 'trash',
      title: t('message.delete'),
      sure: t('message.reallyDelete'),
      refusal: refusal && t(`message.noDelete.${refusal}`),
      work: () => chat.ask('DELETE', `/messages/${message.id}`),
    },
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
          {message => (
            <ContextMenu
              place={place}
              label={t('message.menu')}
              deeds={deedsFor(chat, view, message())}
              head={close => <QuickReactions message={message()} close={close} />}
            />
          )}
        </Show>
      )}
    </Show>
  )
}

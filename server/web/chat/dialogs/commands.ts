import type { IconName } from '../../look/icon.js'
import { personOf } from '../../state/people.js'
import { unreadIdsOf } from '../../state/unread.js'
import type { Chat } from '../chat.js'
import { markRead } from '../mark-read.js'
import type { Dialog, View } from '../view.js'

export interface Command {
  readonly icon: IconName
  readonly title: string
  work(): unknown
}

/** What the dialog of Ctrl+K offers beside places: views, dialogs and actions. */
export function commandsFor(chat: Chat, view: View): Command[] {
  const open = (icon: IconName, title: string, dialog: Dialog): Command => ({
    icon,
    title,
    work: () => view.open(dialog),
  })
  const isAdmin = (personOf(chat.state, chat.state.user_id)?.role ?? 600) <= 200
  return [
    { icon: 'inbox', title: 'Inbox', work: () => view.go({ kind: 'inbox' }) },
    { icon: 'clock', title: 'Recent conversations', work: () => view.go({ kind: 'recent' }) },
    { icon: 'all', title: 'All messages', work: () => view.go({ kind: 'all' }) },
    { icon: 'mention', title: 'Mentions', work: () => view.go({ kind: 'mentions' }) },
    { icon: 'star', title: 'Starred', work: () => view.go({ kind: 'starred' }) },
    { icon: 'search', title: 'Search messages', work: () => view.searchBox.focus() },
    open('plus', 'New topic', 'new-topic'),
    open('plus', 'New direct message', 'new-direct'),
    open('plus', 'Browse channels', 'channels'),
    open('edit', 'Drafts', 'drafts'),
    {
      icon: 'check',
      title: 'Mark everything as read',
      work: () => markRead(chat, view, unreadIdsOf(chat.state, { kind: 'all' })),
    },
    open('sliders', 'Settings', 'settings'),
    open('smile', 'Your status', 'status'),
    open('edit', 'Your picture', 'avatar'),
    open('smile', 'Custom emoji', 'emoji'),
    open('keys', 'Keyboard', 'keys'),
    ...(isAdmin ? [open('star', 'Icon and logo', 'organization')] : []),
    { icon: 'out', title: 'Sign out', work: () => chat.signOut() },
  ]
}

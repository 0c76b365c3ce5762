import { t } from '../../language/language.js'
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
    { icon: 'inbox', title: t('view.inbox'), work: () => view.go({ kind: 'inbox' }) },
    { icon: 'clock', title: t('view.recent'), work: () => view.go({ kind: 'recent' }) },
    { icon: 'all', title: t('view.all'), work: () => view.go({ kind: 'all' }) },
    { icon: 'mention', title: t('view.mentions'), work: () => view.go({ kind: 'mentions' }) },
    { icon: 'star', title: t('view.starred'), work: () => view.go({ kind: 'starred' }) },
    { icon: 'search', title: t('search.label'), work: () => view.searchBox.focus() },
    open('plus', t('channels.newTopic'), 'new-topic'),
    open('plus', t('newDirect.title'), 'new-direct'),
    open('plus', t('sidebar.browse'), 'channels'),
    open('edit', t('ownMenu.drafts'), 'drafts'),
    {
      icon: 'check',
      title: t('jump.markAllRead'),
      work: () => markRead(chat, view, unreadIdsOf(chat.state, { kind: 'all' })),
    },
    open('sliders', t('ownMenu.settings'), 'settings'),
    open('smile', t('ownMenu.status'), 'status'),
    open('edit', t('ownMenu.picture'), 'avatar'),
    open('smile', t('ownMenu.emoji'), 'emoji'),
    open('people', t('userGroups.title'), { group: 'all' }),
    open('keys', t('ownMenu.keys'), 'keys'),
    ...(isAdmin ? [open('star', t('ownMenu.organization'), 'organization')] : []),
    { icon: 'out', title: t('ownMenu.signOut'), work: () => chat.signOut() },
  ]
}

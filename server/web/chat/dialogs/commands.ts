import { t } from '../../language/language.js'
import type { IconName } from '../../look/icon.js'
import { unreadIdsOf } from '../../state/unread.js'
import type { Chat } from '../chat.js'
import { markRead } from '../mark-read.js'
import { ownDialogs } from '../own-dialogs.js'
import { signOut } from '../sign-out.js'
import type { Dialog, View } from '../view.js'

interface Command {
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
  const own = (one: (typeof ownDialogs)['settings']): Command => ({
    icon: one.icon,
    title: t(one.title),
    work: () => one.open(view),
  })
  const { settings, status, quiet, drafts, files, picture, keys, emoji, groups, organization } = ownDialogs
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
    own(drafts),
    own(files),
    {
      icon: 'check',
      title: t('jump.markAllRead'),
      work: () => markRead(chat, view, unreadIdsOf(chat.state, { kind: 'all' })),
    },
    ...[settings, organization, status, quiet, picture, emoji, groups, keys].map(own),
    { icon: 'out', title: t('ownMenu.signOut'), work: () => signOut(chat) },
  ]
}

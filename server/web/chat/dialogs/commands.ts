import { t } from '../../language/language.js'
import type { IconName } from '../../look/icon.js'
import type { Theme, ThemeState } from '../../look/theme.js'
import type { Message } from '../../state/chat-state.js'
import { isAdministrator, mayCreateChannels } from '../../state/permissions.js'
import { arrangementOf } from '../../state/sections.js'
import { unreadIdsOf } from '../../state/unread.js'
import { showOnlyUnread } from '../arranging.js'
import type { Chat } from '../chat.js'
import { deedsFor } from '../feed/message-menu.js'
import { markRead } from '../mark-read.js'
import type { Deed } from '../menu.js'
import { nameOf, narrowTitle } from '../names.js'
import { ownDialogs } from '../own-dialogs.js'
import { signOut } from '../sign-out.js'
import { chooseTheme } from '../theme-context.js'
import type { Dialog, View } from '../view.js'

/** What the dialog of Ctrl+K does beside going to places. */
export interface Command extends Pick<Deed, 'icon' | 'title' | 'sure' | 'work'> {
  /** What it acts on, where the title does not say so. */
  readonly hint?: string
  /** The key that does the same outside of the dialog (chat/keys.ts). */
  readonly key?: string
}

interface Circumstances {
  readonly theme: ThemeState
  /** Actions on the open view. */
  readonly placeDeeds: readonly Deed[]
  /** The message that had the focus. */
  readonly message: Message | undefined
}

const themes: readonly (readonly [Theme, IconName])[] = [
  ['light', 'sun'],
  ['dark', 'moon'],
  ['system', 'screen'],
]

/** Actions on the message that had the focus, on the open view, and on everything. */
export const commandsFor = (chat: Chat, view: View, { theme, placeDeeds, message }: Circumstances): Command[] => [
  ...onMessage(chat, view, message),
  ...onPlace(chat, view, placeDeeds),
  ...views(chat, view),
  ...beginnings(chat, view),
  ...themes.map(
    ([one, icon]): Command => ({
      icon,
      title: t(`settings.theme.${one}`),
      hint: t('settings.colours'),
      work: () => chooseTheme(chat, theme, one),
    }),
  ),
  { icon: 'out', title: t('ownMenu.signOut'), work: () => signOut(chat) },
]

function onMessage(chat: Chat, view: View, message: Message | undefined): Command[] {
  if (!message) return []
  const hint = t('jump.ofMessage', nameOf(chat.state, message.sender_id))
  return [
    { icon: 'smile', title: t('message.react'), hint, work: () => view.react(message.id) },
    ...possible(deedsFor(chat, view, message)).map(deed => ({ ...deed, hint })),
  ]
}

function onPlace(chat: Chat, view: View, deeds: readonly Deed[]): Command[] {
  const narrow = view.narrow()
  if (!narrow) return []
  const hint = narrowTitle(chat.state, narrow)
  return possible(deeds).map(deed => ({ ...deed, hint }))
}

const possible = (deeds: readonly Deed[]): Deed[] => deeds.filter(({ refusal }) => !refusal)

function views(chat: Chat, view: View): Command[] {
  const offer = chat.said()?.offer
  return [
    ...(offer ? [{ icon: 'back' as const, title: offer.title, key: 'Z', work: () => offer.work() }] : []),
    { icon: 'unread', title: t('keys.unread'), key: 'N', work: view.readThrough.next },
    { icon: 'inbox', title: t('view.inbox'), key: 'I', work: () => view.go({ kind: 'inbox' }) },
    { icon: 'clock', title: t('view.recent'), key: 'O', work: () => view.go({ kind: 'recent' }) },
    { icon: 'all', title: t('view.all'), key: 'A', work: () => view.go({ kind: 'all' }) },
    { icon: 'mention', title: t('view.mentions'), key: 'M', work: () => view.go({ kind: 'mentions' }) },
    { icon: 'star', title: t('view.starred'), key: 'S', work: () => view.go({ kind: 'starred' }) },
    { icon: 'clock', title: t('view.scheduled'), work: () => view.go({ kind: 'scheduled' }) },
    { icon: 'search', title: t('search.label'), key: '/', work: () => view.searchBox.focus() },
    { icon: 'people', title: t('keys.people'), key: 'P', work: view.people.toggle },
    ...(view.beside()
      ? [
          { icon: 'columns' as const, title: t('keys.toOther'), key: 'F6', work: view.toOther },
          { icon: 'close' as const, title: t('beside.close'), work: view.close },
        ]
      : []),
    {
      icon: 'check',
      title: t('jump.markAllRead'),
      work: () => markRead(chat, view, unreadIdsOf(chat.state, { kind: 'all' })),
    },
    {
      icon: 'unread',
      title: t('sidebar.onlyUnread'),
      hint: t('sidebar.label'),
      work: () => showOnlyUnread(chat, !arrangementOf(chat.state).unread_only),
    },
  ]
}

function beginnings(chat: Chat, view: View): Command[] {
  const open = (icon: IconName, title: string, dialog: Dialog, key?: string): Command => ({
    icon,
    title,
    ...(key !== undefined && { key }),
    work: () => view.open(dialog),
  })
  const own = (one: (typeof ownDialogs)['settings'], key?: string): Command => ({
    icon: one.icon,
    title: t(one.title),
    ...(key !== undefined && { key }),
    work: () => one.open(view),
  })
  const { settings, status, quiet, drafts, files, picture, keys, emoji, groups, organization } = ownDialogs
  return [
    ...(view.composer?.isConnected
      ? [{ icon: 'send' as const, title: t('keys.write'), key: 'R', work: view.focusComposer }]
      : []),
    open('plus', t('channels.newTopic'), 'new-topic', 'C'),
    open('plus', t('newDirect.title'), 'new-direct', 'X'),
    open('plus', t('sidebar.browse'), 'channels'),
    ...(mayCreateChannels(chat.state) ? [open('plus', t('channels.create'), 'create-channel')] : []),
    ...(isAdministrator(chat.state) ? [open('plus', t('sidebar.newFolder'), 'new-folder')] : []),
    open('snippet', t('snippets.title'), 'snippets'),
    ...[drafts, files, settings, organization, status, quiet, picture, emoji, groups].map(one => own(one)),
    own(keys, '?'),
  ]
}

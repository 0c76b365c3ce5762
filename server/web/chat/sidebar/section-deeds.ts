import { t } from '../../language/language.js'
import type { IconName } from '../../look/icon.js'
import { isAdministrator } from '../../state/permissions.js'
import { folderOf, type Section } from '../../state/sections.js'
import { unreadIdsOf } from '../../state/unread.js'
import { moveSection } from '../arranging.js'
import type { Chat } from '../chat.js'
import { markRead } from '../mark-read.js'
import type { Deed } from '../menu.js'
import type { View } from '../view.js'
import type { Listing } from './listing.js'

/** The entries of the menu of a section. */
export const deedsOfSection = (chat: Chat, view: View, listing: Listing, section: Section): Deed[] => [
  {
    icon: 'check',
    title: t('sidebar.readSection'),
    work: () => markRead(chat, view, unreadIn(chat, listing, section)),
  },
  ...movesOf(chat, listing, section),
  ...(section !== 'direct' && isAdministrator(chat.state) ? deedsOfFolders(chat, view, section) : []),
]

const unreadIn = ({ state }: Chat, listing: Listing, section: Section): number[] =>
  section === 'direct'
    ? Object.values(state.unread_msgs.direct).flat()
    : listing.channelsOf(section).flatMap(channelId => unreadIdsOf(state, { kind: 'channel', channelId }))

/** Up and down among the sections that the list shows. */
function movesOf(chat: Chat, listing: Listing, section: Section): Deed[] {
  const isThere = (one: Section) =>
    one === 'direct' || one === 'channels' || one === section || listing.channelsOf(one).length > 0
  const order = listing.sections().filter(isThere)
  const at = order.indexOf(section)
  const move = (icon: IconName, title: string, target: Section | undefined): Deed[] =>
    target === undefined ? [] : [{ icon, title, work: () => moveSection(chat, section, target) }]
  return [...move('up', t('feed.moveUp'), order[at - 1]), ...move('down', t('feed.moveDown'), order[at + 1])]
}

/** Folders are of all people: administrators make, rename and order them. */
function deedsOfFolders(chat: Chat, view: View, section: Section): Deed[] {
  const folder = folderOf(chat.state, section)
  return [
    ...(folder
      ? [{ icon: 'edit', title: t('sidebar.editFolder'), work: () => view.open({ folder: folder.id }) } as const]
      : []),
    { icon: 'plus', title: t('sidebar.newFolder'), work: () => view.open('new-folder') },
    {
      icon: 'sliders',
      title: t('sidebar.allFolders'),
      work: () => view.openSettings({ about: 'organization', section: 'channels' }),
    },
  ]
}

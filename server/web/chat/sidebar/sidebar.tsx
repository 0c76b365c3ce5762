import { createMemo, For, type JSX, onMount, Show } from 'solid-js'
import { unreadCount } from '../../../../shared/events/unread.js'
import { type TextKey, t } from '../../language/language.js'
import { Icon, type IconName } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import { OrganizationIcon } from '../../look/mark.js'
import { ownPicture } from '../../look/own-picture.js'
import { rankOf } from '../../state/completion.js'
import type { Narrow } from '../../state/narrow.js'
import { arrangementOf } from '../../state/sections.js'
import { useChat } from '../chat.js'
import { conversationName } from '../names.js'
import { useTheme } from '../theme-context.js'
import { useView } from '../view.js'
import { ChannelSection } from './channel-section.js'
import { Corner } from './corner.js'
import { Count } from './count.js'
import { DirectSection } from './direct-section.js'
import { dragInList } from './dragging.js'
import { ListTools } from './list-tools.js'
import { createListing, ListingContext, useListing } from './listing.js'
import { ListMenus } from './menus.js'
import { OwnMenu } from './own-menu.js'
import { ViewLink } from './view-link.js'
import { walkInList } from './walking.js'

/** The sidebar: general views, channels with their topics, direct conversations. */
export function Sidebar(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const { isDark } = useTheme()
  /** The logo for the present colours. The one for light colours serves in dark ones, too, if it is the only one. */
  const logo = () =>
    (isDark() ? ownPicture(chat.state.realm_night_logo_url) : undefined) ?? ownPicture(chat.state.realm_logo_url)
  return (
    <nav class="sidebar" aria-label={t('sidebar.label')}>
      <header class="sidebar-head">
        <Show when={logo()} fallback={<OrganizationIcon address={chat.state.realm_icon_url} size={28} />}>
          {address => <img class="organization-logo" src={address()} alt="" />}
        </Show>
        <h1 class="organization" dir="auto" title={chat.state.realm_name} classList={{ unseen: logo() !== undefined }}>
          {chat.state.realm_name}
        </h1>
        <IconButton
          icon="search"
          label={t('sidebar.jump')}
          title={t('sidebar.jumpKey', t('keys.names.ctrl'))}
          opens="dialog"
          work={() => view.open('jump')}
        />
        <OwnMenu />
      </header>
      <ListingContext.Provider value={createListing(chat, view)}>
        <List />
        <ListMenus />
      </ListingContext.Provider>
      <Corner />
    </nav>
  )
}

/** The general views, and the sections in the user's order. */
function List(): JSX.Element {
  const chat = useChat()
  const listing = useListing()
  let list!: HTMLDivElement
  onMount(() => {
    walkInList(list)
    dragInList(chat, listing, list)
  })
  return (
    <>
      <ListTools list={() => list} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it gives the focus to a line, and arrow keys go on from there */}
      <div class="sidebar-list" ref={list} tabIndex={0}>
        <Show when={listing.words() === ''}>
          <Views />
        </Show>
        <For each={listing.sections()}>
          {section => (section === 'direct' ? <DirectSection /> : <ChannelSection section={section} />)}
        </For>
        <Nothing />
      </div>
    </>
  )
}

/** Why the list is empty. */
function Nothing(): JSX.Element {
  const chat = useChat()
  const listing = useListing()
  const isEmpty = () =>
    listing.words() !== '' &&
    Object.values(chat.state.subscriptions).every(own => rankOf(own.name, listing.words()) < 0) &&
    Object.keys(chat.state.recent_private_conversations).every(
      key => rankOf(conversationName(chat.state, key), listing.words()) < 0,
    )
  const isRead = () => arrangementOf(chat.state).unread_only && unreadCount(chat.state) === 0
  return (
    <Show when={isEmpty() || isRead()}>
      <p class="list-note">{isEmpty() ? t('sidebar.notFound') : t('sidebar.allRead')}</p>
    </Show>
  )
}

/** The views that are of no single place. */
function Views(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const all = createMemo(() => unreadCount(chat.state))
  const mentions = () => chat.state.unread_msgs.mentions.length
  const later = createMemo(() => chat.state.scheduled_messages.length + chat.state.reminders.length)
  const hasLater = createMemo(() => later() > 0)
  const views: readonly { narrow: Narrow; icon: IconName; title: TextKey; count?: () => number }[] = [
    { narrow: { kind: 'inbox' }, icon: 'inbox', title: 'view.inbox', count: all },
    { narrow: { kind: 'recent' }, icon: 'clock', title: 'view.recent' },
    { narrow: { kind: 'all' }, icon: 'all', title: 'view.all' },
    { narrow: { kind: 'mentions' }, icon: 'mention', title: 'view.mentions', count: mentions },
    { narrow: { kind: 'starred' }, icon: 'star', title: 'view.starred' },
  ]
  const scheduled = { narrow: { kind: 'scheduled' }, icon: 'send', title: 'view.scheduled', count: later } as const
  return (
    <ul class="rows">
      <For each={hasLater() ? [...views, scheduled] : views}>
        {one => (
          <li>
            <ViewLink narrow={one.narrow} isOpen={view.narrow()?.kind === one.narrow.kind}>
              <Icon name={one.icon} />
              <span class="row-name">{t(one.title)}</span>
              <Show when={one.count}>
                {count => <Count of={count()()} isMention={one.icon === 'mention'} isPlain={one === scheduled} />}
              </Show>
            </ViewLink>
          </li>
        )}
      </For>
    </ul>
  )
}

import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import { channelOf } from '../../state/channels.js'
import type { Section } from '../../state/sections.js'
import { shownChannels } from '../../state/shown-channels.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { Count } from './count.js'
import { ListSection } from './list-section.js'
import { useListing } from './listing.js'
import { TopicList } from './topic-list.js'
import { ViewLink } from './view-link.js'

/** Channels under a heading: the pinned ones, those of a folder, or those without one. */
export function ChannelSection(props: { section: Section }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const listing = useListing()
  const [isWhole, setWhole] = createSignal(false)
  const all = () => listing.channelsOf(props.section)
  const rows = createMemo(() =>
    shownChannels(chat.state, all(), {
      words: listing.words(),
      isWhole: isWhole(),
      isOpen: id => id === listing.openChannel(),
      unread: listing.unread,
    }),
  )
  const isCollapsed = () => listing.isCollapsed(props.section)
  const shown = () => (isCollapsed() ? rows().shown.filter(id => id === listing.openChannel()) : rows().shown)
  const unread = createMemo(() =>
    all().reduce((sum, id) => sum + (chat.state.subscriptions[id]?.is_muted ? 0 : listing.unread(id)), 0),
  )
  /** Headings without rows: of channels, because of its buttons, and where a channel can be dropped. */
  const isThere = () =>
    rows().shown.length + rows().quiet > 0 ||
    (listing.words() === '' && (props.section === 'channels' || listing.isDragging()))
  return (
    <Show when={isThere()}>
      <ListSection
        section={props.section}
        unread={unread()}
        tools={
          <Show when={props.section === 'channels'}>
            <IconButton
              icon="plus"
              size={16}
              label={t('sidebar.browse')}
              class="small"
              isWalked
              work={() => view.open('channels')}
            />
          </Show>
        }
      >
        <For each={shown()}>{id => <ChannelRow id={id} />}</For>
        <Show when={!isCollapsed() && rows().quiet > 0}>
          <li>
            <button
              type="button"
              class="row more"
              tabIndex={-1}
              aria-expanded={isWhole()}
              onClick={() => setWhole(!isWhole())}
            >
              <span class="row-name">{isWhole() ? t('sidebar.lessQuiet') : t('sidebar.quiet', rows().quiet)}</span>
            </button>
          </li>
        </Show>
      </ListSection>
    </Show>
  )
}

/** A channel, with its topics while it is open. */
function ChannelRow(props: { id: number }): JSX.Element {
  const chat = useChat()
  const listing = useListing()
  const isMuted = () => chat.state.subscriptions[props.id]?.is_muted
  const isOpen = () => listing.isOpen(props.id)
  return (
    <li data-channel={props.id}>
      <ViewLink narrow={{ kind: 'channel', channelId: props.id }} isOpen={isOpen()} classList={{ muted: isMuted() }}>
        <ChannelSign id={props.id} />
        <span class="row-name" dir="auto">
          {channelOf(chat.state, props.id)?.name}
        </span>
        <Show when={isMuted()}>
          <span class="row-mark" title={t('sidebar.muted')}>
            <Icon name="muted" size={13} />
          </span>
        </Show>
        <Count of={listing.unread(props.id)} isQuiet={isMuted()} />
      </ViewLink>
      <Show when={isOpen() && listing.words() === ''}>
        <TopicList channelId={props.id} />
      </Show>
    </li>
  )
}

import { createMemo, For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import { channelGroups, channelOf } from '../../state/channels.js'
import { channelIdOf } from '../../state/narrow.js'
import { unreadOfChannel } from '../../state/unread.js'
import { ChannelSign } from '../channel-sign.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { Count } from './count.js'
import { createPinDrag, type PinDrag } from './pin-drag.js'
import { TopicList } from './topic-list.js'
import { ViewLink } from './view-link.js'

export function ChannelList(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const drag = createPinDrag(chat)
  const groups = createMemo(() => channelGroups(chat.state))
  const folders = createMemo(() => groups().map(group => group.folderId))
  const channelsOf = (folderId: number | null) => groups().find(group => group.folderId === folderId)?.channels
  return (
    <section aria-labelledby="channels-title">
      <div class="rows-head">
        <h2 id="channels-title">{t('sidebar.channels')}</h2>
        <IconButton
          icon="plus"
          size={16}
          label={t('sidebar.browse')}
          class="small"
          work={() => view.open('channels')}
        />
      </div>
      <For each={folders()}>
        {folderId => (
          <>
            <Show when={folderId !== null}>
              <h3 class="rows-folder" dir="auto">
                {chat.state.channel_folders.find(one => one.id === folderId)?.name}
              </h3>
            </Show>
            <ul class="rows">
              <For each={channelsOf(folderId)}>{id => <ChannelRow id={id} drag={drag} />}</For>
            </ul>
          </>
        )}
      </For>
    </section>
  )
}

/** A channel, with its topics while it is open. */
function ChannelRow(props: { id: number; drag: PinDrag }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const own = () => chat.state.subscriptions[props.id]
  const isOpen = () => channelIdOf(view.narrow()) === props.id
  return (
    <li
      data-drop={props.drag.edge(props.id)}
      onDragStart={event => props.drag.start(props.id, event)}
      onDragOver={event => props.drag.over(props.id, event)}
      onDragLeave={event => props.drag.leave(event)}
      onDrop={event => props.drag.drop(props.id, event)}
      onDragEnd={() => props.drag.end()}
    >
      <ViewLink
        narrow={{ kind: 'channel', channelId: props.id }}
        isOpen={isOpen()}
        classList={{ muted: own()?.is_muted }}
      >
        <ChannelSign id={props.id} />
        <span class="row-name" dir="auto">
          {channelOf(chat.state, props.id)?.name}
        </span>
        <Show when={own()?.pin_to_top}>
          <span class="row-mark" title={t('sidebar.pinned')}>
            <Icon name="pin" size={13} />
          </span>
        </Show>
        <Show when={own()?.is_muted}>
          <span class="row-mark" title={t('sidebar.muted')}>
            <Icon name="muted" size={13} />
          </span>
        </Show>
        <Count of={unreadOfChannel(chat.state, props.id)} isQuiet={own()?.is_muted} />
      </ViewLink>
      <Show when={isOpen()}>
        <TopicList channelId={props.id} />
      </Show>
    </li>
  )
}

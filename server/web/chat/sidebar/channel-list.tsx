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
import { createPinDrag } from './pin-drag.js'
import { TopicList } from './topic-list.js'
import { ViewLink } from './view-link.js'

export function ChannelList(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const drag = createPinDrag(chat)
  const groups = createMemo(() => channelGroups(chat.state))
  const folders = createMemo(() => groups().map(group => group.folderId))
  const channelsOf = (folderId: number | null) => groups().find(group => group.folderId === folderId)?.channels
  const openChannel = () => channelIdOf(view.narrow())
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
              <For each={channelsOf(folderId)}>
                {id => (
                  <li
                    data-drop={drag.edge(id)}
                    onDragStart={event => drag.start(id, event)}
                    onDragOver={event => drag.over(id, event)}
                    onDragLeave={drag.leave}
                    onDrop={event => drag.drop(id, event)}
                    onDragEnd={drag.end}
                  >
                    <ViewLink
                      narrow={{ kind: 'channel', channelId: id }}
                      isOpen={openChannel() === id}
                      classList={{ muted: chat.state.subscriptions[id]?.is_muted }}
                    >
                      <ChannelSign id={id} />
                      <span class="row-name" dir="auto">
                        {channelOf(chat.state, id)?.name}
                      </span>
                      <Show when={chat.state.subscriptions[id]?.pin_to_top}>
                        <span class="row-mark" title={t('sidebar.pinned')}>
                          <Icon name="pin" size={13} />
                        </span>
                      </Show>
                      <Show when={chat.state.subscriptions[id]?.is_muted}>
                        <span class="row-mark" title={t('sidebar.muted')}>
                          <Icon name="muted" size={13} />
                        </span>
                      </Show>
                      <Count of={unreadOfChannel(chat.state, id)} isQuiet={chat.state.subscriptions[id]?.is_muted} />
                    </ViewLink>
                    <Show when={openChannel() === id}>
                      <TopicList channelId={id} />
                    </Show>
                  </li>
                )}
              </For>
            </ul>
          </>
        )}
      </For>
    </section>
  )
}

import { type JSX, Show } from 'solid-js'
import { t } from '../../../language/language.js'
import { channelOf } from '../../../state/channels.js'
import { useChat } from '../../chat.js'
import { channelName } from '../../names.js'
import type { About, ChannelTab } from '../../view.js'
import { Dialog } from '../dialog.js'
import { createSaving, SavingContext } from '../saving.js'
import { SavingNews } from '../saving-news.js'
import { type Tab, Tabs } from '../tabs.js'
import { ChannelMembers } from './channel-members.js'
import { ChannelNotifications } from './channel-notifications.js'
import { ChannelPermissions } from './channel-permissions.js'
import { ChannelSettings } from './channel-settings.js'
import { ChannelTopics } from './channel-topics.js'

/** A channel: its settings, permissions, members and topics, and of what the user is notified. Each change is saved at once. */
export function ChannelDialog(props: About<'channel'>): JSX.Element {
  const chat = useChat()
  const saving = createSaving()
  const id = () => props.about.channel
  const tabs: readonly (Tab & { readonly name: ChannelTab })[] = [
    { name: 'settings', title: 'channel.tabs.settings', panel: () => <ChannelSettings channelId={id()} /> },
    {
      name: 'permissions',
      title: 'channel.tabs.permissions',
      panel: () => <ChannelPermissions channelId={id()} />,
    },
    { name: 'members', title: 'channel.tabs.members', panel: () => <ChannelMembers channelId={id()} /> },
    { name: 'topics', title: 'channel.tabs.topics', panel: () => <ChannelTopics channelId={id()} /> },
    {
      name: 'notifications',
      title: 'feed.notifications',
      panel: () => <ChannelNotifications channelId={id()} topic={props.about.topic} />,
    },
  ]
  return (
    <SavingContext.Provider value={saving}>
      <Dialog title={`#${channelName(chat.state, id())}`} class="settings">
        <Show when={channelOf(chat.state, id())} fallback={<p class="quiet">{t('channel.gone')}</p>}>
          <Tabs label={t('channel.about')} tabs={tabs} first={tabs.findIndex(({ name }) => name === props.about.tab)}>
            <SavingNews />
          </Tabs>
        </Show>
      </Dialog>
    </SavingContext.Provider>
  )
}

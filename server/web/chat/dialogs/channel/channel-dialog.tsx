import { type JSX, Show } from 'solid-js'
import { t } from '../../../language/language.js'
import { channelOf } from '../../../state/channels.js'
import { useChat } from '../../chat.js'
import { channelName } from '../../names.js'
import type { ChannelTab } from '../../view.js'
import { Dialog } from '../dialog.js'
import { createSaving, SavingContext } from '../saving.js'
import { SavingNews } from '../saving-news.js'
import { type Tab, Tabs } from '../tabs.js'
import { ChannelMembers } from './channel-members.js'
import { ChannelPermissions } from './channel-permissions.js'
import { ChannelSettings } from './channel-settings.js'
import { ChannelTopics } from './channel-topics.js'

/** A channel: its settings, permissions, members and topics. Each change is saved at once. */
export function ChannelDialog(props: { channelId: number; tab?: ChannelTab }): JSX.Element {
  const chat = useChat()
  const saving = createSaving()
  const tabs: readonly (Tab & { readonly name: ChannelTab })[] = [
    { name: 'settings', title: 'channel.tabs.settings', panel: () => <ChannelSettings channelId={props.channelId} /> },
    {
      name: 'permissions',
      title: 'channel.tabs.permissions',
      panel: () => <ChannelPermissions channelId={props.channelId} />,
    },
    { name: 'members', title: 'channel.tabs.members', panel: () => <ChannelMembers channelId={props.channelId} /> },
    { name: 'topics', title: 'channel.tabs.topics', panel: () => <ChannelTopics channelId={props.channelId} /> },
  ]
  return (
    <SavingContext.Provider value={saving}>
      <Dialog title={`#${channelName(chat.state, props.channelId)}`} class="settings">
        <Show when={channelOf(chat.state, props.channelId)} fallback={<p class="quiet">{t('channel.gone')}</p>}>
          <Tabs label={t('channel.about')} tabs={tabs} first={tabs.findIndex(({ name }) => name === props.tab)}>
            <SavingNews />
          </Tabs>
        </Show>
      </Dialog>
    </SavingContext.Provider>
  )
}

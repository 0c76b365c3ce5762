import { createMemo, type JSX, Show } from 'solid-js'
import { t } from '../../../language/language.js'
import { groupTitle } from '../../../state/holders.js'
import { useChat } from '../../chat.js'
import { Dialog } from '../dialog.js'
import { SavingNews } from '../saving-news.js'
import { type Tab, Tabs } from '../tabs.js'
import { GroupMembers } from './group-members.js'
import { GroupPermissions } from './group-permissions.js'
import { GroupSettings } from './group-settings.js'

/** A group: its settings, members and permissions. Each change is saved at once. */
export function GroupDialog(props: { groupId: number }): JSX.Element {
  const chat = useChat()
  const group = () => chat.state.realm_user_groups[props.groupId]
  const title = () => {
    const known = group()
    return known ? groupTitle(known) : t('userGroups.title')
  }
  // The event about a new group may come later than the answer to the request that made it.
  const wasThere = createMemo<boolean>(before => before || group() !== undefined, false)
  return (
    <Dialog title={title()} class="settings" back={{ title: t('userGroups.all'), to: { group: 'all' } }}>
      <Show when={group()} fallback={<p class="quiet">{wasThere() ? t('userGroups.gone') : t('words.loading')}</p>}>
        {known => {
          const tabs: readonly Tab[] = [
            { title: 'channel.tabs.settings', panel: () => <GroupSettings group={known()} /> },
            { title: 'channel.tabs.members', panel: () => <GroupMembers group={known()} /> },
            { title: 'channel.tabs.permissions', panel: () => <GroupPermissions group={known()} /> },
          ]
          return (
            <Tabs label={t('userGroups.about')} tabs={tabs}>
              <SavingNews />
            </Tabs>
          )
        }}
      </Show>
    </Dialog>
  )
}

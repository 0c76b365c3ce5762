import type { JSX } from 'solid-js'
import { t } from '../../../language/language.js'
import { Dialog } from '../dialog.js'
import { type Tab, Tabs } from '../tabs.js'
import { Account } from './account.js'
import { AlertWords } from './alert-words.js'
import { Appearance } from './appearance.js'
import { MutedPeople } from './muted-people.js'
import { MutedTopics } from './muted-topics.js'
import { Notifications } from './notifications.js'
import { Privacy } from './privacy.js'
import { Profile } from './profile.js'
import { createSaving, SavingContext } from './saving.js'
import { SavingNews } from './saving-news.js'

const tabs: readonly Tab[] = [
  { title: 'settings.tabs.profile', panel: Profile },
  { title: 'settings.tabs.account', panel: Account },
  { title: 'settings.tabs.appearance', panel: Appearance },
  { title: 'settings.tabs.notifications', panel: Notifications },
  { title: 'settings.tabs.privacy', panel: Privacy },
  { title: 'settings.tabs.alertWords', panel: AlertWords },
  { title: 'settings.tabs.mutedTopics', panel: MutedTopics },
  { title: 'settings.tabs.mutedPeople', panel: MutedPeople },
]

/** The user's settings. Each change is saved at once. */
export function Settings(): JSX.Element {
  const saving = createSaving()
  return (
    <SavingContext.Provider value={saving}>
      <Dialog title={t('settings.title')} class="settings">
        <Tabs label={t('settings.title')} tabs={tabs}>
          <SavingNews />
        </Tabs>
      </Dialog>
    </SavingContext.Provider>
  )
}

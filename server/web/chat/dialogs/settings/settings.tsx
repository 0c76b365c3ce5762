import type { JSX } from 'solid-js'
import { Dialog } from '../dialog.js'
import { type Tab, Tabs } from '../tabs.js'
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
  { title: 'Profile', panel: Profile },
  { title: 'Appearance', panel: Appearance },
  { title: 'Notifications', panel: Notifications },
  { title: 'Privacy', panel: Privacy },
  { title: 'Alert words', panel: AlertWords },
  { title: 'Muted topics', panel: MutedTopics },
  { title: 'Muted people', panel: MutedPeople },
]

/** The user's settings. Each change is saved at once. */
export function Settings(): JSX.Element {
  const saving = createSaving()
  return (
    <SavingContext.Provider value={saving}>
      <Dialog title="Settings" class="settings">
        <Tabs label="Settings" tabs={tabs}>
          <SavingNews />
        </Tabs>
      </Dialog>
    </SavingContext.Provider>
  )
}

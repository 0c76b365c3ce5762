import { type JSX, Suspense } from 'solid-js'
import { t } from '../../language/language.js'
import { laterWithTexts } from '../later.js'
import { HomeHead } from './home-head.js'

const ScheduledList = laterWithTexts(async () => (await import('./scheduled-list.js')).ScheduledList)

/** Messages and reminders of a later time. */
export function ScheduledPane(): JSX.Element {
  return (
    <main class="pane">
      <HomeHead title={t('view.scheduled')} />
      <div class="home-list">
        <Suspense>
          <ScheduledList />
        </Suspense>
      </div>
    </main>
  )
}

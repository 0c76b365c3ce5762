import { createSignal, type JSX, Match, onCleanup, Show, Suspense, Switch } from 'solid-js'
import { t } from '../language/language.js'
import { takeOverPins } from './arranging.js'
import { AwayNote } from './away-note.js'
import { keepBadges } from './badges.js'
import { useChat } from './chat.js'
import { createViews } from './create-view.js'
import { Dialogs } from './dialogs/dialogs.js'
import { FeedPane } from './feed/feed-pane.js'
import { keepFirstView } from './first-view.js'
import { followLanguage } from './follow-language.js'
import { InboxPane } from './home/inbox-pane.js'
import { RecentPane } from './home/recent-pane.js'
import { ScheduledPane } from './home/scheduled-pane.js'
import { keepState } from './keep-state.js'
import { listenToKeys } from './keys.js'
import { later, laterWithTexts } from './later.js'
import { keepNotifying } from './notifications.js'
import { keepPresence } from './presence.js'
import { keepPresses } from './presses.js'
import { keepReacting } from './reacting.js'
import { keepServiceWorker } from './service-worker.js'
import { Sidebar } from './sidebar/sidebar.js'
import { followTextSize, followTheme, useTheme } from './theme-context.js'
import { useView, ViewContext } from './view.js'

const PeoplePanel = later(async () => (await import('./people/people-panel.js')).PeoplePanel)
const SettingsPage = laterWithTexts(async () => (await import('./settings/settings-page.js')).SettingsPage)

const patienceMs = 4000

/** The page of a signed-in user: the sidebar, and the open view beside it. */
export function Shell(): JSX.Element {
  const chat = useChat()
  const { view, side, used } = createViews(chat)
  keepPresence(chat)
  keepPresses()
  followTheme(chat, useTheme())
  followTextSize(chat)
  followLanguage(chat)
  listenToKeys(chat, used)
  keepNotifying(chat)
  keepBadges(chat)
  takeOverPins(chat)
  keepServiceWorker(chat)
  keepState(chat, chat.keptStore)
  keepFirstView(chat, view)
  keepReacting(chat)
  return (
    <ViewContext.Provider value={view}>
      {/* The list alone, as on a phone, is the main content. */}
      <div
        class="shell"
        classList={{
          'has-view': view.narrow() !== undefined,
          'has-beside': view.beside() !== undefined && !view.settings(),
          'has-people': view.people.isBeside() && !view.settings(),
          'has-settings': view.settings() !== undefined,
        }}
        role={view.narrow() || view.settings() ? undefined : 'main'}
      >
        <Show when={chat.isReady()} fallback={<Waiting />}>
          <SkipLink />
          <AwayNote />
          <Sidebar />
          <Show
            when={view.settings()}
            fallback={
              <>
                <OpenView />
                <Show when={view.beside()}>
                  {narrow => (
                    <ViewContext.Provider value={side}>
                      <FeedPane narrow={narrow()} />
                    </ViewContext.Provider>
                  )}
                </Show>
                <Show when={view.people.isBeside()}>
                  <Suspense>
                    <PeoplePanel />
                  </Suspense>
                </Show>
              </>
            }
          >
            <Suspense>
              <SettingsPage />
            </Suspense>
          </Show>
        </Show>
      </div>
      <Show when={used()} keyed>
        {view => (
          <ViewContext.Provider value={view}>
            <Dialogs />
          </ViewContext.Provider>
        )}
      </Show>
      <Toast />
    </ViewContext.Provider>
  )
}

/** The first stop of the Tab key leads past the list. */
function SkipLink(): JSX.Element {
  const view = useView()
  const skip = () => {
    const main = document.querySelector<HTMLElement>('main')
    main?.setAttribute('tabindex', '-1')
    main?.focus()
  }
  return (
    <Show when={view.narrow() || view.settings()}>
      <button type="button" class="skip-link" onClick={skip}>
        {t('sidebar.skip')}
      </button>
    </Show>
  )
}

function OpenView(): JSX.Element {
  const view = useView()
  return (
    <Switch fallback={<div class="pane empty-pane" />}>
      <Match when={view.narrow()?.kind === 'inbox'}>
        <InboxPane />
      </Match>
      <Match when={view.narrow()?.kind === 'recent'}>
        <RecentPane />
      </Match>
      <Match when={view.narrow()?.kind === 'scheduled'}>
        <ScheduledPane />
      </Match>
      <Match when={view.narrow()}>{narrow => <FeedPane narrow={narrow()} />}</Match>
    </Switch>
  )
}

/** The short notice of the page. */
function Toast(): JSX.Element {
  const chat = useChat()
  return (
    <div class="toast-place" role="status" aria-live="polite">
      <Show when={chat.said()}>
        {said => (
          <p class={`toast ${said().manner}`}>
            {said().sentence}
            <Show when={said().offer}>
              {offer => (
                <button type="button" class="toast-offer" onClick={() => offer().work()}>
                  {offer().title}
                </button>
              )}
            </Show>
          </p>
        )}
      </Show>
    </div>
  )
}

/** Until the server has answered for the first time. */
function Waiting(): JSX.Element {
  const [isLong, setLong] = createSignal(false)
  const timer = setTimeout(() => setLong(true), patienceMs)
  onCleanup(() => clearTimeout(timer))
  return (
    <p class="waiting" role="status">
      {isLong() ? t('view.unreachable') : t('view.connecting')}
    </p>
  )
}

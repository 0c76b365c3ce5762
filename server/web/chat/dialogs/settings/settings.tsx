import { createSignal, For, type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { Dialog } from '../dialog.js'
import { AlertWords } from './alert-words.js'
import { Appearance } from './appearance.js'
import { MutedPeople } from './muted-people.js'
import { MutedTopics } from './muted-topics.js'
import { Notifications } from './notifications.js'
import { Privacy } from './privacy.js'
import { Profile } from './profile.js'
import { createSaving, SavingContext } from './saving.js'

const tabs: readonly { readonly title: string; readonly panel: () => JSX.Element }[] = [
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
  const [open, setOpen] = createSignal(0)
  const saving = createSaving()
  let list: HTMLDivElement | undefined
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setOpen((open() + step + tabs.length) % tabs.length)
    list?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
  }
  return (
    <SavingContext.Provider value={saving}>
      <Dialog title="Settings" class="settings">
        <div class="tabs" role="tablist" aria-label="Settings" tabIndex={-1} ref={list} onKeyDown={keys}>
          <For each={tabs}>
            {({ title }, index) => (
              <button
                type="button"
                class="tab"
                role="tab"
                id={`settings-tab-${index()}`}
                aria-controls="settings-panel"
                aria-selected={open() === index()}
                tabIndex={open() === index() ? 0 : -1}
                onClick={() => setOpen(index())}
              >
                {title}
              </button>
            )}
          </For>
        </div>
        <div class="settings-news">
          <p role="status">{saving.progress()}</p>
          <Show when={saving.error()}>
            <p class="notice bad" role="alert">
              {saving.error()}
            </p>
          </Show>
        </div>
        <div class="settings-panel" role="tabpanel" id="settings-panel" aria-labelledby={`settings-tab-${open()}`}>
          <Dynamic component={tabs[open()]?.panel} />
        </div>
      </Dialog>
    </SavingContext.Provider>
  )
}

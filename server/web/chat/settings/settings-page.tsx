import { createEffect, createMemo, createSignal, type JSX, on, Show } from 'solid-js'
import { language } from '../../language/language.js'
import { openSettingsTexts } from '../../language/settings-language.js'
import { listen } from '../../look/listen.js'
import { createMedia } from '../../look/media.js'
import type { SettingsPlace } from '../../state/settings-place.js'
import { useChat } from '../chat.js'
import { useView } from '../view.js'
import { SectionList } from './section-list.js'
import { SectionPane } from './section-pane.js'
import { chaptersFor, sectionAt } from './sections.js'
import './settings.css'

/** The user's settings and those of the organization: the list of sections, and one of them; on a phone one after the other. */
export function SettingsPage(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const isNarrow = createMedia('(max-width: 759px)')
  const [last, setLast] = createSignal<SettingsPlace>({ about: 'settings' })
  // Until the page has gone, it shows what it showed.
  const place = createMemo(() => view.settings() ?? last())
  createEffect(() => setLast(place()))
  const chapters = createMemo(() => chaptersFor(chat.state))
  const section = createMemo(() => sectionAt(chapters(), place()))
  const isOpen = () => !isNarrow() || place().section !== undefined
  createEffect(on(language, () => void chat.attempt(openSettingsTexts), { defer: true }))
  listen(window, 'keydown', event => {
    if (event.key !== 'Escape' || event.defaultPrevented || view.dialog()) return
    if (!(event.target as HTMLElement).closest('input, textarea, select')) view.leaveSettings()
  })
  return (
    <div
      class="settings-page"
      classList={{ 'has-section': place().section !== undefined }}
      role={isOpen() ? undefined : 'main'}
    >
      <SectionList chapters={chapters()} place={place()} open={isOpen() ? section()?.id : undefined} />
      <Show when={isOpen() && section()} keyed>
        {shown => <SectionPane about={place().about} section={shown} isAlone={isNarrow()} />}
      </Show>
    </div>
  )
}

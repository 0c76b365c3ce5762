import { For, type JSX, onMount, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { st } from '../../language/settings-language.js'
import { IconButton } from '../../look/icon-button.js'
import { isAdministrator } from '../../state/permissions.js'
import type { SettingsPlace } from '../../state/settings-place.js'
import { useChat } from '../chat.js'
import { createSaving, SavingContext } from '../dialogs/saving.js'
import { useView } from '../view.js'
import type { Part, Section } from './section.js'
import { SettingRow } from './setting-row.js'

interface SectionPaneProps {
  readonly about: SettingsPlace['about']
  readonly section: Section
  /** The list of sections is not beside it. */
  readonly isAlone: boolean
}

/** A section. Each change is saved at once. */
export function SectionPane(props: SectionPaneProps): JSX.Element {
  const chat = useChat()
  const view = useView()
  const saving = createSaving()
  let title: HTMLHeadingElement | undefined
  onMount(() => {
    // The link that led here is gone, and the focus with it.
    if (props.isAlone && view.settings()?.entry === undefined) title?.focus()
  })
  const isReadOnly = () => props.about === 'organization' && props.section.parts.some(({ rows }) => rows)
  return (
    <SavingContext.Provider value={saving}>
      <main class="pane settings-pane" aria-label={st(`sections.${props.section.id}`)}>
        <header class="feed-head">
          <Show when={props.isAlone}>
            <IconButton
              icon="back"
              label={st('frame.backToList')}
              work={() => view.openSettings({ about: props.about })}
            />
            <h1 class="unseen">{st('frame.title')}</h1>
          </Show>
          <h2 class="settings-title" tabIndex={-1} ref={title}>
            {st(`sections.${props.section.id}`)}
          </h2>
          <p class="settings-progress" role="status">
            {saving.progress()}
          </p>
        </header>
        <div class="settings-body">
          <div class="settings-form">
            <Show when={isReadOnly() && !isAdministrator(chat.state)}>
              <p class="notice">{st('frame.onlyRead')}</p>
            </Show>
            <For each={props.section.parts}>{part => <PartOf part={part} />}</For>
          </div>
        </div>
      </main>
    </SavingContext.Provider>
  )
}

function PartOf(props: { part: Part }): JSX.Element {
  return (
    <Show when={props.part.title} fallback={<Inner part={props.part} />}>
      {title => (
        <fieldset class="group settings-part">
          <legend>{st(title())}</legend>
          <Inner part={props.part} />
        </fieldset>
      )}
    </Show>
  )
}

function Inner(props: { part: Part }): JSX.Element {
  return (
    <>
      <Show when={props.part.shows}>{shows => <Dynamic component={shows()} />}</Show>
      <For each={props.part.rows}>{row => <SettingRow row={row} />}</For>
    </>
  )
}

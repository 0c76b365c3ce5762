import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { st } from '../../language/settings-language.js'
import { Icon } from '../../look/icon.js'
import { IconButton } from '../../look/icon-button.js'
import { SearchField } from '../../look/search-field.js'
import { type Hit, type SettingsPlace, settingsAddress } from '../../state/settings-place.js'
import { useView } from '../view.js'
import type { SectionId } from './section.js'
import { aboutKey, type Chapter, findSettings } from './sections.js'

interface SectionListProps {
  readonly chapters: readonly Chapter[]
  readonly place: SettingsPlace
  /** The section beside the list. */
  readonly open: SectionId | undefined
}

/** All sections, and a search over all settings. */
export function SectionList(props: SectionListProps): JSX.Element {
  const view = useView()
  const [words, setWords] = createSignal('')
  const hits = createMemo(() => findSettings(props.chapters, words()))
  return (
    <nav class="settings-list" aria-label={st('frame.list')}>
      <header class="settings-list-head">
        <IconButton icon="back" label={st('frame.leave')} work={view.leaveSettings} />
        <h1>{st('frame.title')}</h1>
      </header>
      <div class="settings-search">
        <SearchField label={st('frame.find')} typed={setWords} />
        <p class="unseen" role="status">
          {words().trim() && st('frame.found', hits().length)}
        </p>
      </div>
      <div class="settings-links">
        <Show when={words().trim() === ''} fallback={<Hits hits={hits()} />}>
          <For each={props.chapters.filter(({ sections }) => sections.length > 0)}>
            {({ about, sections }) => (
              <section>
                <h2 class="home-title">{st(`frame.${aboutKey(about)}`)}</h2>
                <ul class="rows">
                  <For each={sections}>
                    {({ id, icon }) => (
                      <li>
                        <a
                          class="row"
                          href={`#${settingsAddress({ about, section: id })}`}
                          aria-current={props.place.about === about && props.open === id ? 'page' : undefined}
                        >
                          <Icon name={icon} />
                          <span class="row-name">{st(`sections.${id}`)}</span>
                        </a>
                      </li>
                    )}
                  </For>
                </ul>
              </section>
            )}
          </For>
        </Show>
      </div>
    </nav>
  )
}

function Hits(props: { hits: readonly Hit[] }): JSX.Element {
  return (
    <ul class="rows">
      <For each={props.hits} fallback={<li class="quiet settings-none">{st('frame.nothing')}</li>}>
        {({ place, title, within }) => (
          <li>
            <a class="row hit" href={`#${settingsAddress(place)}`}>
              <span class="row-name">{title}</span>
              <small>{within}</small>
            </a>
          </li>
        )}
      </For>
    </ul>
  )
}

import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { IconButton } from '../../look/icon-button.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { narrowTitle } from '../names.js'
import { chosenId } from '../offer-list.js'
import { useView } from '../view.js'
import { listId, SearchOffers } from './search-offers.js'
import { createSearching, type Searching } from './searching.js'

/** The search box with its suggestions (state/search-operators.ts lists the operators). */
export function SearchBox(props: { narrow: Narrow | undefined }): JSX.Element {
  const view = useView()
  let input!: HTMLInputElement
  let whole!: HTMLElement
  const searching = createSearching(
    useChat(),
    view,
    () => props.narrow,
    () => input,
  )
  view.searchBox.focus = () => {
    searching.open()
    input.focus()
    input.select()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    searching.submit()
  }
  return (
    <search
      class="search"
      classList={{ open: searching.isOpen() }}
      ref={whole}
      onFocusOut={event => {
        if (!whole.contains(event.relatedTarget as Node)) searching.close()
      }}
    >
      <form onSubmit={submit}>
        <IconButton icon="search" label={t('search.label')} class="search-open" work={() => view.searchBox.focus()} />
        <input
          class="input"
          type="search"
          role="combobox"
          aria-label={t('search.label')}
          aria-autocomplete="list"
          aria-expanded={searching.isOpen() && searching.suggesting.choosing.offers().length > 0}
          aria-controls={searching.isOpen() ? listId : undefined}
          aria-activedescendant={chosenId(listId, searching.suggesting.choosing)}
          dir="auto"
          placeholder={t('search.placeholder')}
          maxLength={1000}
          ref={input}
          value={props.narrow?.kind === 'search' ? props.narrow.words : ''}
          onFocus={searching.open}
          onInput={searching.open}
          onClick={searching.open}
          onKeyDown={searching.key}
        />
      </form>
      <Show when={searching.isOpen()}>
        <Panel searching={searching} box={input} />
      </Show>
    </search>
  )
}

/** What stands below the box while it is in use. */
function Panel(props: { searching: Searching; box: HTMLInputElement }): JSX.Element {
  const change = () => {
    props.searching.setEverywhere(!props.searching.isEverywhere())
    props.box.focus()
  }
  return (
    <div class="search-panel card">
      <Show when={props.searching.place()}>
        {where => <PlaceOfSearch place={where()} isEverywhere={props.searching.isEverywhere()} change={change} />}
      </Show>
      <SearchOffers suggesting={props.searching.suggesting} />
    </div>
  )
}

/** Shows whether the search is limited to the open place, and changes it. */
function PlaceOfSearch(props: { place: Narrow; isEverywhere: boolean; change(): void }): JSX.Element {
  const chat = useChat()
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={!props.isEverywhere}
      // Not every browser gives a button the focus, and the panel closes without it.
      onPointerDown={event => event.preventDefault()}
      onClick={props.change}
    >
      {props.isEverywhere ? t('search.everywhere') : t('search.onlyIn', narrowTitle(chat.state, props.place))}
    </button>
  )
}

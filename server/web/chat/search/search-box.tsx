import { createSignal, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Narrow } from '../../state/narrow.js'
import { useChat } from '../chat.js'
import { narrowTitle } from '../names.js'
import { useView } from '../view.js'
import { SearchOffers } from './search-offers.js'
import { createSuggesting } from './suggesting.js'

/** The place that a search is limited to unless the user wants it everywhere. */
function placeIn(narrow: Narrow | undefined): Narrow | undefined {
  if (narrow?.kind === 'search') return narrow.within
  return narrow?.kind === 'channel' || narrow?.kind === 'topic' || narrow?.kind === 'direct' ? narrow : undefined
}

/** The search box with its suggestions (state/search-operators.ts lists the operators). */
export function SearchBox(props: { narrow: Narrow | undefined }): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [isOpen, setOpen] = createSignal(false)
  const [isEverywhere, setEverywhere] = createSignal(false)
  let input!: HTMLInputElement
  let whole!: HTMLElement
  const suggesting = createSuggesting(chat, () => input)
  const place = () => placeIn(props.narrow)
  const open = () => {
    setOpen(true)
    suggesting.look()
  }
  view.searchBox.focus = () => {
    open()
    input.focus()
    input.select()
  }
  const leave = () => {
    setOpen(false)
    setEverywhere(false)
    if (props.narrow?.kind !== 'search') return
    if (props.narrow.within) view.go(props.narrow.within)
    else view.goHome()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const words = input.value.trim()
    const within = isEverywhere() ? undefined : place()
    if (words === '') return leave()
    setOpen(false)
    view.go({ kind: 'search', words, ...(within && { within }) })
    input.blur()
  }
  const keys = (event: KeyboardEvent) => {
    const step = stepOf(event.key)
    const chosen = suggesting.chosen()
    if (step !== undefined && suggesting.offers().length > 0) {
      setOpen(true)
      suggesting.step(step)
    } else if (isOpen() && chosen && (event.key === 'Enter' || event.key === 'Tab')) suggesting.take(chosen)
    else if (event.key === 'Escape') {
      event.stopPropagation()
      input.blur()
      leave()
      return
    } else return
    event.preventDefault()
  }
  return (
    <search
      class="search"
      classList={{ open: isOpen() }}
      ref={whole}
      onFocusOut={event => {
        if (!whole.contains(event.relatedTarget as Node)) setOpen(false)
      }}
    >
      <form onSubmit={submit}>
        <button
          type="button"
          class="icon-button search-open"
          aria-label={t('search.label')}
          title={t('search.label')}
          onClick={() => view.searchBox.focus()}
        >
          <Icon name="search" />
        </button>
        <input
          class="input"
          type="search"
          role="combobox"
          aria-label={t('search.label')}
          aria-autocomplete="list"
          aria-expanded={isOpen() && suggesting.offers().length > 0}
          aria-controls={isOpen() ? 'search-offers' : undefined}
          aria-activedescendant={suggesting.at() < 0 ? undefined : `search-offer-${suggesting.at()}`}
          dir="auto"
          placeholder={t('search.placeholder')}
          maxLength={1000}
          ref={input}
          value={props.narrow?.kind === 'search' ? props.narrow.words : ''}
          onFocus={open}
          onInput={open}
          onClick={open}
          onKeyDown={keys}
        />
      </form>
      <Show when={isOpen()}>
        <div class="search-panel card">
          <Show when={place()}>
            {where => (
              <PlaceOfSearch
                place={where()}
                isEverywhere={isEverywhere()}
                change={() => {
                  setEverywhere(!isEverywhere())
                  input.focus()
                }}
              />
            )}
          </Show>
          <SearchOffers suggesting={suggesting} />
        </div>
      </Show>
    </search>
  )
}

const stepOf = (key: string): 1 | -1 | undefined => (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined)

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

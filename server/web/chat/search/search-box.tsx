import { createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { t } from '../../language/language.js'
import { Icon } from '../../look/icon.js'
import type { Narrow } from '../../state/narrow.js'
import { type Suggestion, suggestionsFor } from '../../state/search-suggestions.js'
import { useChat } from '../chat.js'
import { narrowTitle } from '../names.js'
import { useView } from '../view.js'

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
  const [offers, setOffers] = createSignal<readonly Suggestion[]>([])
  const [at, setAt] = createSignal(-1)
  let input!: HTMLInputElement
  let whole!: HTMLElement
  const place = () => placeIn(props.narrow)
  const look = () => {
    setAt(-1)
    // Unwrapped, because tracking each of ten thousand users for changes would cost more than the search.
    setOffers(suggestionsFor(unwrap(chat.state), input.value, input.selectionStart ?? 0, new Date()))
  }
  const open = () => {
    setOpen(true)
    look()
  }
  view.searchBox.focus = () => {
    open()
    input.focus()
    input.select()
  }
  const take = ({ text, cursor }: Suggestion) => {
    input.value = text
    input.focus()
    input.setSelectionRange(cursor, cursor)
    look()
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
    const count = offers().length
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = offers()[at()]
    if (step !== undefined && count > 0) {
      setOpen(true)
      // One place beside the suggestions is that of the text itself.
      setAt(((at() + 1 + step + count + 1) % (count + 1)) - 1)
    } else if (isOpen() && chosen && (event.key === 'Enter' || event.key === 'Tab')) take(chosen)
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
          aria-expanded={isOpen() && offers().length > 0}
          aria-controls={isOpen() ? 'search-offers' : undefined}
          aria-activedescendant={at() < 0 ? undefined : `search-offer-${at()}`}
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
              <button
                type="button"
                class="chip"
                aria-pressed={!isEverywhere()}
                // Not every browser gives a button the focus, and the panel closes without it.
                onPointerDown={event => event.preventDefault()}
                onClick={() => {
                  setEverywhere(!isEverywhere())
                  input.focus()
                }}
              >
                {isEverywhere() ? t('search.everywhere') : t('search.onlyIn', narrowTitle(chat.state, where()))}
              </button>
            )}
          </Show>
          <div class="search-offers" id="search-offers" role="listbox" aria-label={t('search.suggestions')}>
            <For each={offers()}>
              {(offer, index) => (
                <div
                  class="search-offer"
                  id={`search-offer-${index()}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index() === at()}
                  // The box keeps the focus.
                  onPointerDown={event => event.preventDefault()}
                  onClick={() => take(offer)}
                  onKeyDown={event => event.key === 'Enter' && take(offer)}
                >
                  <span class="chip" dir="auto">
                    {offer.label}
                  </span>
                  <Show when={offer.hint}>{hint => <small>{hint()}</small>}</Show>
                </div>
              )}
            </For>
          </div>
        </div>
      </Show>
    </search>
  )
}

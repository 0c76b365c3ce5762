import { createMemo, For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { addressOf, type Narrow, type SearchNarrow } from '../../state/narrow.js'
import { meantBy, queryOf } from '../../state/query.js'
import { filtersOf, searchFor } from '../../state/search.js'
import { useChat } from '../chat.js'
import { Chip } from '../chip.js'
import { narrowTitle } from '../names.js'
import { useView } from '../view.js'

interface OfSearch {
  readonly narrow: SearchNarrow
}

/** What the user has to know of a search: how much it finds and where, what it did not understand, and what else could be looked for. */
export function SearchNotes(props: OfSearch): JSX.Element {
  const chat = useChat()
  const view = useView()
  const query = createMemo(() => queryOf(chat.state, props.narrow.words))
  const feed = () => chat.state.feeds[addressOf(props.narrow)]
  const isEmpty = () => {
    const known = feed()
    return (
      known !== undefined && known.ids.length === 0 && known.foundNewest && !known.isLoading && known.error === null
    )
  }
  const isPlaced = () => query().terms.some(({ operator }) => ['channel', 'channels', 'dm', 'is'].includes(operator))
  const searchWords = (words: string) => view.go({ ...props.narrow, words })
  const inPublic = () => view.go({ kind: 'search', words: `channels:public ${props.narrow.words}` })
  return (
    <>
      <div class="search-bar">
        <Count narrow={props.narrow} />
        <Filters narrow={props.narrow} />
        <Show when={(feed()?.ids.length ?? 0) > 1 && query().terms.some(({ operator }) => operator === 'search')}>
          <Order narrow={props.narrow} />
        </Show>
      </div>
      <div role="status">
        <Show when={query().unknown.length > 0}>
          <p class="feed-note">
            <span>{t('search.noOperator', query().unknown.join(', '))}</span>
            <Show when={meantBy(props.narrow.words)}>
              {meant => <SearchButton words={meant()} search={searchWords} />}
            </Show>
          </p>
        </Show>
        <Show when={isEmpty() && feed()?.summary?.meant}>
          {meant => (
            <p class="feed-note">
              <span>{t('search.nearWords')}</span>
              <SearchButton words={withWords(props.narrow.words, meant())} search={searchWords} />
            </p>
          )}
        </Show>
        <Show when={isEmpty() && !props.narrow.within && !isPlaced()}>
          <p class="feed-note">
            {t('search.nothingReceived')}
            <button type="button" class="button" onClick={inPublic}>
              {t('search.searchPublic')}
            </button>
          </p>
        </Show>
      </div>
    </>
  )
}

/** The operators of a search, with other words. */
const withWords = (words: string, others: string): string =>
  [...filtersOf(words).map(filter => filter.text), others].join(' ')

function SearchButton(props: { words: string; search(words: string): void }): JSX.Element {
  return (
    <button type="button" class="button" onClick={() => props.search(props.words)}>
      {t('search.didYouMean', props.words)}
    </button>
  )
}

function Count(props: OfSearch): JSX.Element {
  const chat = useChat()
  const summary = () => {
    const known = chat.state.feeds[addressOf(props.narrow)]?.summary
    return known && known.count > 0 ? known : undefined
  }
  return (
    <span class="search-count" role="status">
      <Show when={summary()}>
        {known => (known().hasMore ? t('search.countAbove') : t('search.count', known().count))}
      </Show>
    </span>
  )
}

/** The place and the operators of a search; a click removes one. */
function Filters(props: OfSearch): JSX.Element {
  const chat = useChat()
  const view = useView()
  const search = (words: string, within: Narrow | undefined) => {
    const next = searchFor(words, within)
    if (next) view.go({ ...next, ...(props.narrow.byRelevance && { byRelevance: true }) })
    else if (within) view.go(within)
    else view.goHome()
  }
  return (
    <>
      <Show when={props.narrow.within}>
        {within => (
          <Chip
            name={t('search.foundIn', narrowTitle(chat.state, within()))}
            remove={() => search(props.narrow.words, undefined)}
          />
        )}
      </Show>
      <For each={filtersOf(props.narrow.words)}>
        {filter => <Chip name={filter.text} remove={() => search(filter.rest, props.narrow.within)} />}
      </For>
    </>
  )
}

/** Whether the newest results or the most relevant ones come first. */
function Order(props: OfSearch): JSX.Element {
  const view = useView()
  const order = (isByRelevance: boolean) => {
    const { byRelevance, ...search } = props.narrow
    view.go({ ...search, ...(isByRelevance && { byRelevance: true }) })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be drawn as a box
    <span class="search-order" role="group" aria-label={t('search.order')}>
      <button type="button" class="chip" aria-pressed={!props.narrow.byRelevance} onClick={() => order(false)}>
        {t('search.newest')}
      </button>
      <button type="button" class="chip" aria-pressed={!!props.narrow.byRelevance} onClick={() => order(true)}>
        {t('search.mostRelevant')}
      </button>
    </span>
  )
}

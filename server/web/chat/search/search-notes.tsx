import { createMemo, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { meantBy, queryOf } from '../../state/query.js'
import { useChat } from '../chat.js'
import { narrowTitle } from '../names.js'
import { useView } from '../view.js'

type SearchNarrow = Extract<Narrow, { kind: 'search' }>

/** What the user has to know of a search: where it looks, what it did not understand, and where else it could look. */
export function SearchNotes(props: { narrow: SearchNarrow }): JSX.Element {
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
  const everywhere = () => view.go({ kind: 'search', words: props.narrow.words })
  const inPublic = () => view.go({ kind: 'search', words: `channels:public ${props.narrow.words}` })
  return (
    <div role="status">
      <Show when={query().unknown.length > 0}>
        <p class="feed-note">
          <span>{t('search.noOperator', query().unknown.join(', '))}</span>
          <Show when={meantBy(props.narrow.words)}>
            {meant => (
              <button type="button" class="button" onClick={() => view.go({ ...props.narrow, words: meant() })}>
                {t('search.didYouMean', meant())}
              </button>
            )}
          </Show>
        </p>
      </Show>
      <Show when={props.narrow.within}>
        {within => (
          <p class="feed-note">
            {t('search.foundIn', narrowTitle(chat.state, within()))}
            <button type="button" class="button" onClick={everywhere}>
              {t('search.searchEverywhere')}
            </button>
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
  )
}

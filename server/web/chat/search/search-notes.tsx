import { createMemo, type JSX, Show } from 'solid-js'
import { addressOf, type Narrow } from '../../state/narrow.js'
import { queryOf } from '../../state/query.js'
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
          <span>
            There is no operator <strong>{query().unknown.join(', ')}</strong>; it was looked for as a word. The
            suggestions of the search box show all operators.
          </span>
        </p>
      </Show>
      <Show when={props.narrow.within}>
        {within => (
          <p class="feed-note">
            Found in {narrowTitle(chat.state, within())}.
            <button type="button" class="button" onClick={everywhere}>
              Search everywhere
            </button>
          </p>
        )}
      </Show>
      <Show when={isEmpty() && !props.narrow.within && !isPlaced()}>
        <p class="feed-note">
          Nothing was found in what you have received.
          <button type="button" class="button" onClick={inPublic}>
            Search all public channels
          </button>
        </p>
      </Show>
    </div>
  )
}

import { createSignal, For, type JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import { useChat } from '../../chat.js'
import { useSaving } from './saving.js'

/** The words that the page marks in messages for this user. */
export function AlertWords(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const [word, setWord] = createSignal('')
  const path = '/users/me/alert_words'
  const add = async () => {
    if (await save('POST', path, { alert_words: [word().trim()] })) setWord('')
  }
  return (
    <>
      <form
        class="setting-row choice"
        onSubmit={event => {
          event.preventDefault()
          if (word().trim() !== '') void add()
        }}
      >
        <label class="field choice-words">
          New alert word
          <input
            class="input"
            maxLength={limits.alert_word_length}
            value={word()}
            onInput={event => setWord(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="button primary" disabled={word().trim() === ''}>
          Add
        </button>
      </form>
      <ul class="choices" aria-label="Alert words">
        <For
          each={[...chat.state.alert_words].sort((a, b) => a.localeCompare(b))}
          fallback={<li class="quiet">Messages with one of these words stand out for you, from now on.</li>}
        >
          {one => (
            <li class="choice setting-row">
              <span class="choice-words">{one}</span>
              <button
                type="button"
                class="button"
                aria-label={`Remove ${one}`}
                onClick={() => void save('DELETE', path, { alert_words: [one] })}
              >
                Remove
              </button>
            </li>
          )}
        </For>
      </ul>
    </>
  )
}

import { createMemo, For, type JSX } from 'solid-js'
import { useChat } from '../../chat.js'
import { nameOf } from '../../names.js'
import { useSaving } from './saving.js'

/** The people that the user muted, to unmute them. */
export function MutedPeople(): JSX.Element {
  const chat = useChat()
  const { save } = useSaving()
  const muted = createMemo(() =>
    chat.state.muted_users
      .map(({ id }) => ({ id, name: nameOf(chat.state, id) }))
      .sort((a, b) => a.name.localeCompare(b.name)),
  )
  return (
    <ul class="choices" aria-label="Muted people">
      <For
        each={muted()}
        fallback={<li class="quiet">You have muted no person. The profile of a person has the button.</li>}
      >
        {({ id, name }) => (
          <li class="choice setting-row">
            <span class="choice-words">{name}</span>
            <button
              type="button"
              class="button"
              aria-label={`Unmute ${name}`}
              onClick={() => void save('DELETE', `/users/me/muted_users/${id}`, {})}
            >
              Unmute
            </button>
          </li>
        )}
      </For>
    </ul>
  )
}

import { createMemo, createSignal, For, type JSX } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { t } from '../../language/language.js'
import { bestMatches } from '../../state/completion.js'
import { useChat } from '../chat.js'
import { Chip } from '../chip.js'
import { nameOf } from '../names.js'

const shownAtMost = 6

interface PeoplePickerProps {
  /** Of the text box. */
  readonly id: string
  readonly isLocked: boolean
  readonly chosen: readonly number[]
  choose(people: readonly number[]): void
}

/** A list of people: each chosen one can be removed, and a search adds others. */
export function PeoplePicker(props: PeoplePickerProps): JSX.Element {
  const chat = useChat()
  const [words, setWords] = createSignal('')
  const found = createMemo(() => {
    if (words().trim() === '') return []
    const others = Object.values(unwrap(chat.state.realm_users)).filter(
      person => !person.is_bot && !props.chosen.includes(person.user_id),
    )
    return bestMatches(others, person => person.full_name, words().trim(), shownAtMost)
  })
  const add = (id: number) => {
    setWords('')
    props.choose([...props.chosen, id])
  }
  return (
    <>
      <span class="chosen">
        <For each={props.chosen}>
          {id => (
            <Chip
              name={nameOf(chat.state, id)}
              isLocked={props.isLocked}
              remove={() => props.choose(props.chosen.filter(one => one !== id))}
            />
          )}
        </For>
      </span>
      <input
        class="input"
        type="search"
        id={props.id}
        disabled={props.isLocked}
        dir="auto"
        placeholder={t('settings.findPeople')}
        value={words()}
        onInput={event => setWords(event.currentTarget.value)}
      />
      <ul class="choices" aria-label={t('settings.foundPeople')}>
        <For each={found()}>
          {person => (
            <li>
              <button type="button" class="choice-main" dir="auto" onClick={() => add(person.user_id)}>
                {person.full_name}
              </button>
            </li>
          )}
        </For>
      </ul>
    </>
  )
}

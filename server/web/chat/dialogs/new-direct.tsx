import { createMemo, createSignal, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { conversationKey } from '../../../../shared/resources/place.js'
import { t } from '../../language/language.js'
import { SearchField } from '../../look/search-field.js'
import { bestMatches } from '../../state/completion.js'
import { personOf } from '../../state/people.js'
import { suggestedPeople } from '../../state/people-panel.js'
import { Avatar } from '../avatar.js'
import { useChat } from '../chat.js'
import { Chip } from '../chip.js'
import { nameOf } from '../names.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

const shownAtMost = 50

/** Selects one or more recipients of a direct message. */
export function NewDirect(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const [words, setWords] = createSignal('')
  const [chosen, setChosen] = createSignal<readonly number[]>([])
  const found = createMemo(() => {
    const all = suggestedPeople(unwrap(chat.state))
    return bestMatches(all, person => person.full_name, words(), shownAtMost).map(person => person.user_id)
  })
  const toggle = (id: number) =>
    setChosen(chosen().includes(id) ? chosen().filter(one => one !== id) : [...chosen(), id])
  const begin = (ids: readonly number[]) => {
    view.open(undefined)
    view.go({ kind: 'direct', key: conversationKey(ids, chat.state.user_id) })
  }
  return (
    <Dialog title={t('newDirect.title')}>
      <form
        class="dialog-bar"
        onSubmit={event => {
          event.preventDefault()
          const first = found()[0]
          if (chosen().length > 0) begin(chosen())
          else if (first !== undefined) begin([first])
        }}
      >
        <SearchField label={t('newDirect.find')} isFirst typed={setWords} />
        <button type="submit" class="button primary" disabled={chosen().length === 0 && words() === ''}>
          {t('newDirect.write')}
        </button>
      </form>
      <Show when={chosen().length > 0}>
        <p class="chosen">
          <For each={chosen()}>{id => <Chip name={nameOf(chat.state, id)} remove={() => toggle(id)} />}</For>
        </p>
      </Show>
      <ul class="choices">
        <For each={found()}>
          {id => (
            <li class="choice">
              <button type="button" class="choice-main" aria-pressed={chosen().includes(id)} onClick={() => toggle(id)}>
                <Avatar userId={id} hasPresence />
                <span class="choice-words">
                  <strong dir="auto">{nameOf(chat.state, id)}</strong>
                  <Show when={personOf(chat.state, id)?.is_bot}>
                    <small>{t('words.bot')}</small>
                  </Show>
                </span>
                <Show when={chosen().includes(id)}>✓</Show>
              </button>
            </li>
          )}
        </For>
      </ul>
    </Dialog>
  )
}

import { createSignal, For, type JSX } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { laterTimes, momentOf, wallTimeAt, zoneOf } from '../../../state/zoned-time.js'
import { useChat } from '../../chat.js'
import { momentText } from '../../moment-text.js'

interface TimeChoiceProps {
  /** Of the button that takes the own time. */
  readonly submit: string
  /** @param at in ms */
  take(at: number): void
}

/** Times to choose from, and an own one; all in the time zone of the user. */
export function TimeChoice(props: TimeChoiceProps): JSX.Element {
  const chat = useChat()
  const times = laterTimes(Date.now(), zoneOf(chat.state))
  const [own, setOwn] = createSignal(times[0]?.at ?? Date.now())
  return (
    <div class="time-choice">
      <ul class="choices">
        <For each={times}>
          {({ name, at }) => (
            <li class="choice">
              <button type="button" class="choice-main" onClick={() => props.take(at)}>
                <span class="choice-words">{st(`scheduled.times.${name}`)}</span>
                <small>{momentText(chat.state, at)}</small>
              </button>
            </li>
          )}
        </For>
      </ul>
      <form
        class="own-time"
        onSubmit={event => {
          event.preventDefault()
          props.take(own())
        }}
      >
        <OwnTime at={own()} change={setOwn} />
        <button type="submit" class="button primary">
          {props.submit}
        </button>
      </form>
    </div>
  )
}

/** A date and a time of day in the time zone of the user. `at` in ms. */
export function OwnTime(props: { at: number; change(at: number): void }): JSX.Element {
  const chat = useChat()
  const zone = () => zoneOf(chat.state)
  return (
    <label class="field">
      {st('scheduled.ownTime', zone().replaceAll('_', ' '))}
      <input
        class="input"
        type="datetime-local"
        required
        max="9999-12-31T23:59"
        min={wallTimeAt(Date.now(), zone())}
        value={wallTimeAt(props.at, zone())}
        onChange={event => {
          const at = momentOf(event.currentTarget.value, zone())
          if (!Number.isNaN(at)) props.change(at)
        }}
      />
    </label>
  )
}

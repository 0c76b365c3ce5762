import { For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { st } from '../../language/settings-language.js'
import { createAttempts } from '../../look/attempts.js'
import { ErrorNotice } from '../../look/error-notice.js'
import { laterTimes, zoneOf } from '../../state/zoned-time.js'
import { useChat } from '../chat.js'
import { momentText } from '../moment-text.js'
import { useNow } from '../now.js'
import { useView } from '../view.js'
import { Dialog } from './dialog.js'

/** When the user wants no notifications: until a time, and on each day. */
export function QuietTimes(): JSX.Element {
  const chat = useChat()
  const view = useView()
  const now = useNow()
  const { error, attempt } = createAttempts()
  const change = (params: object) =>
    void attempt(async () => {
      await chat.ask('PATCH', '/users/me/do_not_disturb', { ...params })
      view.open(undefined)
    })
  const until = () => (chat.state.do_not_disturb.until ?? 0) * 1000
  const isQuiet = () => until() > now()
  return (
    <Dialog title={t('ownMenu.quiet')}>
      <p class="quiet">{isQuiet() ? st('quiet.until', momentText(chat.state, until())) : st('quiet.meaning')}</p>
      <Show when={isQuiet()}>
        <button type="button" class="button" onClick={() => change({ until: null })}>
          {st('quiet.end')}
        </button>
      </Show>
      <ul class="choices">
        <For each={laterTimes(Date.now(), zoneOf(chat.state))}>
          {({ name, at }) => (
            <li class="choice">
              <button type="button" class="choice-main" onClick={() => change({ until: Math.floor(at / 1000) })}>
                <span class="choice-words">{st(`quiet.times.${name}`)}</span>
                <small>{momentText(chat.state, at)}</small>
              </button>
            </li>
          )}
        </For>
      </ul>
      <QuietHours change={quiet_hours => change({ quiet_hours })} />
      <ErrorNotice text={error()} />
    </Dialog>
  )
}

type Hours = { readonly from: number; readonly to: number }

const usual: Hours = { from: 22 * 60, to: 7 * 60 }

const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

function minutesOf(time: FormDataEntryValue | null): number {
  const [hours = Number.NaN, minutes = Number.NaN] = String(time).split(':').map(Number)
  return hours * 60 + minutes
}

/** The quiet part of each day, in the time zone of the account. */
function QuietHours(props: { change(hours: Hours | null): void }): JSX.Element {
  const chat = useChat()
  const hours = () => chat.state.do_not_disturb.quiet_hours
  const zone = () => chat.state.user_settings.timezone || 'UTC'
  return (
    <form
      class="dialog-form"
      onSubmit={event => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        props.change({ from: minutesOf(form.get('from')), to: minutesOf(form.get('to')) })
      }}
    >
      <h3 class="part-title">{st('quiet.hours', zone().replaceAll('_', ' '))}</h3>
      <label class="field">
        {st('quiet.from')}
        <input class="input" type="time" name="from" required value={timeOf((hours() ?? usual).from)} />
      </label>
      <label class="field">
        {st('quiet.to')}
        <input class="input" type="time" name="to" required value={timeOf((hours() ?? usual).to)} />
      </label>
      <div class="status-buttons">
        <Show when={hours()}>
          <button type="button" class="button" onClick={() => props.change(null)}>
            {st('quiet.noHours')}
          </button>
        </Show>
        <button type="submit" class="button primary">
          {t('words.save')}
        </button>
      </div>
    </form>
  )
}

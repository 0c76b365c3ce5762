import { createSignal, type JSX } from 'solid-js'
import { limits } from '../../../../../shared/limits.js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { useChat } from '../../chat.js'

/** Deactivates the organization, once its name is typed. The session ends with it, and the page leaves for `/accounts/deactivated/`. */
export function Closing(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [name, setName] = createSignal('')
  const [days, setDays] = createSignal('')
  const isConfirmed = () => name().trim() === chat.state.realm_name.trim()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy() || !isConfirmed()) return
    const deletion_delay_days = days() === '' ? null : Number(days())
    void attempt(() => chat.ask('POST', '/realm/deactivate', { deletion_delay_days }))
  }
  return (
    <form class="settings-form" onSubmit={submit}>
      <p>{st('closing.meaning')}</p>
      <div class="setting">
        <label class="field">
          {st('closing.days')}
          <input
            class="input"
            type="number"
            min={limits.realm_deletion_days.least}
            max={limits.realm_deletion_days.most}
            onInput={event => setDays(event.currentTarget.value)}
          />
        </label>
        <p class="quiet">{st('closing.daysMeaning', limits.realm_deletion_days.least)}</p>
      </div>
      <div class="setting">
        <label class="field">
          {st('closing.confirm', chat.state.realm_name)}
          <input class="input" autocomplete="off" onInput={event => setName(event.currentTarget.value)} />
        </label>
      </div>
      <p>
        <button type="submit" class="button danger" disabled={isBusy() || !isConfirmed()}>
          {st('closing.close')}
        </button>
      </p>
      <ErrorNotice text={error()} />
    </form>
  )
}

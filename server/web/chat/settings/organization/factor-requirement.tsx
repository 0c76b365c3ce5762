import { createResource, For, type JSX, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { isOwner } from '../../../state/organization-rights.js'
import { useChat } from '../../chat.js'

const choices = [
  ['none', 'factors.none'],
  ['administrators', 'factors.administrators'],
  ['users', 'factors.users'],
] as const

/** Who needs a second factor; only owners change it. */
export function FactorRequirement(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const read = async () => String((await chat.ask('GET', '/users/me/factors')).required_for)
  const [required, { refetch }] = createResource(() => read().catch(() => 'none'))
  const choose = (required_for: string) =>
    attempt(async () => {
      await chat.ask('PATCH', '/realm/second_factors', { required_for })
    }).finally(refetch)
  return (
    <Show when={required()}>
      <label class="field">
        {st('factors.required')}
        <select
          class="input"
          disabled={isBusy() || !isOwner(chat.state)}
          value={required()}
          onChange={event => void choose(event.currentTarget.value)}
        >
          <For each={choices}>{([value, text]) => <option value={value}>{st(text)}</option>}</For>
        </select>
      </label>
      <p class="quiet">{st('factors.requiredMeaning')}</p>
      <ErrorNotice text={error()} />
    </Show>
  )
}

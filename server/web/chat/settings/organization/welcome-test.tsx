import { createSignal, type JSX, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { isAdministrator } from '../../../state/permissions.js'
import { useChat } from '../../chat.js'

/** Sends the welcome message of the organization to the user alone. */
export function WelcomeTest(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [isSent, setSent] = createSignal(false)
  const text = () => chat.state.realm_welcome_message_custom_text
  const send = () =>
    attempt(async () => {
      await chat.ask('POST', '/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text() })
      setSent(true)
    })
  return (
    <Show when={isAdministrator(chat.state) && text().trim() !== ''}>
      <p>
        <button type="button" class="button" disabled={isBusy()} onClick={() => void send()}>
          {st('people.testWelcome')}
        </button>
      </p>
      <p class="quiet" role="status">
        {isSent() && st('people.welcomeSent')}
      </p>
      <ErrorNotice text={error()} />
    </Show>
  )
}

import { createSignal, type JSX, Show } from 'solid-js'
import { st } from '../../../language/settings-language.js'
import { createAttempts } from '../../../look/attempts.js'
import { ErrorNotice } from '../../../look/error-notice.js'
import { useChat } from '../../chat.js'

/** Another address. Nothing changes before the link is opened that the server mails to it. */
export function AddressChange(): JSX.Element {
  const chat = useChat()
  const { error, isBusy, attempt } = createAttempts()
  const [mailedTo, setMailedTo] = createSignal('')
  const submit = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = event.currentTarget
    const email = String(new FormData(form).get('email')).trim()
    setMailedTo('')
    void attempt(async () => {
      await chat.ask('PATCH', '/settings', { email })
      form.reset()
      setMailedTo(email)
    })
  }
  return (
    <form class="account-part" onSubmit={submit}>
      <h3 class="part-title">{st('rows.email')}</h3>
      <p class="quiet">{st('ownAccount.addressMeaning')}</p>
      <label class="field">
        {st('ownAccount.newAddress')}
        <input
          class="input"
          type="email"
          name="email"
          required
          maxLength={254}
          autocomplete="email"
          spellcheck={false}
        />
      </label>
      <div class="account-done">
        <button type="submit" class="button" disabled={isBusy()}>
          {st('ownAccount.changeAddress')}
        </button>
        <p role="status">
          <Show when={mailedTo()}>{st('ownAccount.addressMailed', mailedTo())}</Show>
        </p>
      </div>
      <ErrorNotice text={error()} />
    </form>
  )
}

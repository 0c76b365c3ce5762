import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import type { RequestError } from '../../../../../shared/client/index.js'
import { limits } from '../../../../../shared/limits.js'
import { type TextKey, t } from '../../../language/language.js'
import { useChat } from '../../chat.js'

interface Refusal {
  readonly field: 'old' | 'new'
  readonly text: string
}

// All these refusals have the code BAD_REQUEST; only the message says which field is meant.
const refusals: readonly (readonly [message: RegExp, field: Refusal['field'], text: TextKey])[] = [
  [/^wrong password/i, 'old', 'account.wrongPassword'],
  [/too weak/i, 'new', 'account.weakPassword'],
  [/too long/i, 'new', 'account.longPassword'],
]

function refusalOf({ code, message }: RequestError): Refusal {
  const known = refusals.find(([pattern]) => pattern.test(message))
  if (known) return { field: known[1], text: t(known[2]) }
  return { field: code === 'RATE_LIMIT_HIT' ? 'old' : 'new', text: message }
}

/** A new password, with the old one. */
export function PasswordChange(): JSX.Element {
  const chat = useChat()
  const [refusal, setRefusal] = createSignal<Refusal>()
  const [isShown, setShown] = createSignal(false)
  const [isBusy, setBusy] = createSignal(false)
  const [isDone, setDone] = createSignal(false)
  const change = async (form: HTMLFormElement) => {
    const fields = new FormData(form)
    setRefusal(undefined)
    setDone(false)
    setBusy(true)
    try {
      await chat.ask('PATCH', '/settings', {
        old_password: String(fields.get('old')),
        new_password: String(fields.get('new')),
      })
      form.reset()
      setDone(true)
    } catch (failure) {
      const refused = refusalOf(failure as RequestError)
      setRefusal(refused)
      ;(form.elements.namedItem(refused.field) as HTMLInputElement).focus()
    } finally {
      setBusy(false)
    }
  }
  const refused = (field: Refusal['field']) => (refusal()?.field === field ? refusal()?.text : undefined)
  return (
    <form
      class="account-part"
      onSubmit={event => {
        event.preventDefault()
        if (!isBusy()) void change(event.currentTarget)
      }}
    >
      <h3 class="part-title">{t('account.password')}</h3>
      {/* For the password manager of the browser. */}
      <input type="email" name="email" autocomplete="username" value={chat.session.email} readOnly hidden />
      <PasswordField name="old" title={t('account.oldPassword')} isShown={isShown()} refusal={refused('old')} />
      <PasswordField name="new" title={t('account.newPassword')} isShown={isShown()} refusal={refused('new')} />
      <label class="check">
        <input type="checkbox" checked={isShown()} onChange={event => setShown(event.currentTarget.checked)} />
        {t('account.showPasswords')}
      </label>
      <div class="account-done">
        <button type="submit" class="button primary" disabled={isBusy()}>
          {t('account.changePassword')}
        </button>
        <p role="status">{isDone() ? t('account.passwordChanged') : ''}</p>
      </div>
    </form>
  )
}

interface PasswordFieldProps {
  readonly name: Refusal['field']
  readonly title: string
  readonly isShown: boolean
  /** Why the server did not accept the value. */
  readonly refusal: string | undefined
}

function PasswordField(props: PasswordFieldProps): JSX.Element {
  const id = createUniqueId()
  const isNew = props.name === 'new'
  return (
    <div class="field">
      <label for={id}>{props.title}</label>
      <input
        class="input"
        id={id}
        name={props.name}
        type={props.isShown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        required
        minLength={isNew ? limits.password_min_length : undefined}
        maxLength={isNew ? limits.password_max_length : undefined}
        spellcheck={false}
        aria-invalid={props.refusal !== undefined}
        aria-describedby={`${id}-refusal`}
      />
      <div id={`${id}-refusal`} role="alert">
        <Show when={props.refusal}>
          <p class="notice bad">{props.refusal}</p>
        </Show>
      </div>
    </div>
  )
}

import { createResource, createSignal, type JSX, Show } from 'solid-js'
import { Mark } from './mark.js'
import { aboutServer, type Session, signIn } from './session.js'
import './sign-in.css'

interface SignInProps {
  /** Why the user has to sign in again, if known. */
  readonly reason?: string
  signedIn(session: Session): void
}

/** The sign-in form. The page sends email and password only to the server. */
export function SignIn(props: SignInProps): JSX.Element {
  const [about] = createResource(() => aboutServer().catch(() => undefined))
  const [error, setError] = createSignal('')
  const [isBusy, setBusy] = createSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    setBusy(true)
    setError('')
    try {
      props.signedIn(await signIn(String(form.get('email')).trim(), String(form.get('password'))))
    } catch (failure) {
      setError((failure as Error).message)
    } finally {
      setBusy(false)
    }
  }
  // The name of the demonstration organization (server/demo).
  const isDemonstration = () => about()?.realm_name === 'Parley demonstration'
  const name = () => String(about()?.realm_name ?? 'Parley')
  return (
    <main class="sign-in">
      <form class="sign-in-card card" onSubmit={submit}>
        <Mark size={44} />
        <div>
          <h1>Sign in</h1>
          <p class="sign-in-place">to {name()}</p>
        </div>
        <Show when={props.reason && !error()}>
          <p class="notice">{props.reason}</p>
        </Show>
        <label class="field">
          Email
          <input
            class="input"
            type="email"
            name="email"
            autocomplete="username"
            required
            autofocus
            spellcheck={false}
          />
        </label>
        <label class="field">
          Password
          <input class="input" type="password" name="password" autocomplete="current-password" required />
        </label>
        <div role="alert">
          <Show when={error()}>
            <p class="notice bad">{error()}</p>
          </Show>
        </div>
        <button type="submit" class="button primary" disabled={isBusy()}>
          {isBusy() ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="sign-in-hint">
          <Show when={isDemonstration()} fallback="Whoever runs this server makes the accounts.">
            Accounts to try with, and their passwords, are in the file <code>.data/demo.json</code> beside the server.
          </Show>
        </p>
      </form>
    </main>
  )
}

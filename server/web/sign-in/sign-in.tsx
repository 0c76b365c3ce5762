import { createEffect, createResource, For, type JSX, onCleanup, Show } from 'solid-js'
import { t } from '../language/language.js'
import { openLanguage } from '../language/page-language.js'
import { createAttempts } from '../look/attempts.js'
import { OrganizationIcon } from '../look/mark.js'
import { showPageIcon } from '../look/page-icon.js'
import { aboutServer, demonstrationPeople, enterAs, type Session, signIn } from './session.js'
import './sign-in.css'

interface SignInProps {
  /** Why the user has to sign in again, if known. */
  readonly reason?: string
  signedIn(session: Session): void
}

/** The sign-in form. The page sends email and password only to the server. */
export function SignIn(props: SignInProps): JSX.Element {
  const [about] = createResource(() => aboutServer().catch(() => undefined))
  const { error, isBusy, attempt } = createAttempts()
  // The name of the demonstration organization (server/demo).
  const isDemonstration = () => about()?.realm_name === 'Parley demonstration'
  const [people] = createResource(isDemonstration, demonstrationPeople)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    return enter(signIn(String(form.get('email')).trim(), String(form.get('password'))))
  }
  const enter = (session: Promise<Session>) => attempt(async () => props.signedIn(await session))
  let isOver = false
  onCleanup(() => {
    isOver = true
  })
  // No account is known yet, so the browser's languages count.
  void openLanguage(navigator.languages, () => !isOver)
  const icon = () => about()?.realm_icon as string | undefined
  createEffect(() => void showPageIcon(icon()))
  const name = () => String(about()?.realm_name ?? 'Parley')
  return (
    <main class="sign-in">
      <form class="sign-in-card card" onSubmit={submit}>
        <OrganizationIcon address={icon()} size={44} />
        <div>
          <h1>{t('signIn.title')}</h1>
          <p class="sign-in-place" dir="auto">
            {t('signIn.place', name())}
          </p>
        </div>
        <Show when={props.reason && !error()}>
          <p class="notice">{props.reason}</p>
        </Show>
        <Fields />
        <div role="alert">
          <Show when={error()}>
            <p class="notice bad">{error()}</p>
          </Show>
        </div>
        <button type="submit" class="button primary" disabled={isBusy()}>
          {isBusy() ? t('signIn.busy') : t('signIn.submit')}
        </button>
        <Show when={people()?.length} fallback={<p class="sign-in-hint">{t('signIn.accounts')}</p>}>
          <Demonstration people={people() ?? []} isBusy={isBusy()} enter={email => enter(enterAs(email))} />
        </Show>
      </form>
    </main>
  )
}

function Fields(): JSX.Element {
  return (
    <>
      <label class="field">
        {t('signIn.email')}
        <input class="input" type="email" name="email" autocomplete="username" required autofocus spellcheck={false} />
      </label>
      <label class="field">
        {t('signIn.password')}
        <input class="input" type="password" name="password" autocomplete="current-password" required />
      </label>
    </>
  )
}

interface DemonstrationProps {
  /** Their email addresses. */
  readonly people: readonly string[]
  readonly isBusy: boolean
  enter(email: string): unknown
}

/** The accounts of the demonstration, which need no password. */
function Demonstration(props: DemonstrationProps): JSX.Element {
  return (
    <div class="sign-in-hint">
      <p>{t('signIn.demonstration')}</p>
      <div class="sign-in-people">
        <For each={props.people}>
          {email => (
            <button type="button" class="button" disabled={props.isBusy} onClick={() => props.enter(email)}>
              {email.split('@')[0]}
            </button>
          )}
        </For>
      </div>
    </div>
  )
}

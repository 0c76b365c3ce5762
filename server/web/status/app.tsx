import { createEffect, createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { type TextKey, t } from '../language/language.js'
import { forgetSession, readSession, renewedSession, type Session, watchSession } from '../sign-in/session.js'
import { SignIn } from '../sign-in/sign-in.js'
import { Board } from './board.js'

/** The figures for owners and administrators; for others the sign-in form. */
export function App(): JSX.Element {
  const [session, setSession] = createSignal(readSession())
  const [reason, setReason] = createSignal<TextKey>('status.forAdministrators')
  createEffect(() => {
    document.title = t('status.page')
  })
  onCleanup(watchSession(() => setSession(readSession())))
  const signedOut = async (rejected: Session) => {
    const renewed = await renewedSession(rejected)
    if (session() !== rejected) return
    if (renewed) return void setSession(renewed)
    forgetSession()
    setReason('status.invalidKey')
    setSession(undefined)
  }
  // The chat stays signed in; the form accepts another account.
  const refused = () => {
    setReason('status.refused')
    setSession(undefined)
  }
  return (
    <Show when={session()} keyed fallback={<SignIn reason={t(reason())} signedIn={setSession} />}>
      {(given: Session) => <Board session={given} signedOut={() => void signedOut(given)} refused={refused} />}
    </Show>
  )
}

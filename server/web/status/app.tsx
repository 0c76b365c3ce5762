import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { forgetSession, readSession, type Session, watchSession } from '../look/session.js'
import { SignIn } from '../look/sign-in.js'
import { Board } from './board.js'

/** The figures for owners and administrators; for others the sign-in form. */
export function App(): JSX.Element {
  const [session, setSession] = createSignal(readSession())
  const [reason, setReason] = createSignal('This page is for owners and administrators.')
  onCleanup(watchSession(() => setSession(readSession())))
  const signedOut = () => {
    forgetSession()
    setReason('Your key is no longer valid: sign in again.')
    setSession(undefined)
  }
  // The chat stays signed in; the form accepts another account.
  const refused = () => {
    setReason('This page is for owners and administrators; your account is neither.')
    setSession(undefined)
  }
  return (
    <Show when={session()} keyed fallback={<SignIn reason={reason()} signedIn={setSession} />}>
      {(given: Session) => <Board session={given} signedOut={signedOut} refused={refused} />}
    </Show>
  )
}

import { createSignal, type JSX, onCleanup, Show } from 'solid-js'
import { forgetSession, readSession, type Session, watchSession } from '../look/session.js'
import { SignIn } from '../look/sign-in.js'
import { Board } from './board.js'

/** The way in for who is not signed in, and for who may not see this; for others the figures. */
export function App(): JSX.Element {
  const [session, setSession] = createSignal(readSession())
  const [reason, setReason] = createSignal('This page is for owners and administrators.')
  onCleanup(watchSession(() => setSession(readSession())))
  const signedOut = () => {
    forgetSession()
    setReason('Your key is no longer valid: sign in again.')
    setSession(undefined)
  }
  // Still signed in, in the chat: another account may be given here.
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

import { createStore } from 'solid-js/store'
import { regenerateKey, renewedSession, type Session } from '../sign-in/session.js'

/** The session of this window, whose API key may be regenerated: here, or by another window of this browser. */
interface OwnSession {
  readonly session: Session
  /** Regenerates the key and continues with it. @throws {SignInError} */
  renew(): Promise<void>
  /** The key that has replaced one which the server refuses; undefined: none, so the session is over. */
  renewed(refused: string): Promise<string | undefined>
}

/** `changed` runs when the session has another key. */
export function createOwnSession(given: Session, changed: () => void): OwnSession {
  const [session, setSession] = createStore<Session>({ ...given })
  // Of this window; resolves in any case.
  let renewal = Promise.resolve()
  const continueWith = ({ apiKey }: Session) => {
    if (apiKey === session.apiKey) return
    setSession({ apiKey })
    changed()
  }
  return {
    session,
    renew() {
      const renewed = regenerateKey(session).then(continueWith)
      renewal = renewed.catch(() => {})
      return renewed
    },
    async renewed(refused) {
      await renewal
      const renewed = session.apiKey === refused ? await renewedSession({ ...given, apiKey: refused }) : session
      if (renewed) continueWith(renewed)
      return renewed?.apiKey
    },
  }
}

import { authorization, type Session } from '../look/session.js'

// The cookie lasts a day.
const renewEveryMs = 12 * 3_600_000
const address = '/user_uploads/session'

/** The right of the page to load uploaded files: the browser sends a cookie for them, because it can send no other header. */
export interface FileSession {
  /** Resolves when the browser has the cookie. */
  readonly opened: Promise<void>
  /** Takes the cookie away. */
  end(): void
}

/** Gets the cookie, and renews it. */
export function openFiles(session: Session): FileSession {
  const open = async () => {
    try {
      await fetch(address, { method: 'POST', headers: { Authorization: authorization(session) } })
    } catch (error) {
      // Pictures show their names until the next attempt.
      console.warn('uploaded files cannot be shown', error)
    }
  }
  const timer = setInterval(() => void open(), renewEveryMs)
  return {
    opened: open(),
    end() {
      clearInterval(timer)
      void fetch(address, { method: 'DELETE', keepalive: true }).catch(() => undefined)
    },
  }
}

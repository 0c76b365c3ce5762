import { authorization, type Session } from '../sign-in/session.js'

// The cookie lasts a day.
const renewEveryMs = 12 * 3_600_000
const address = '/user_uploads/session'

/** The right of the page to load uploaded files: the browser sends a cookie for them, because it can send no other header. */
interface FileSession {
  /** Resolves when the browser has the cookie. */
  readonly opened: Promise<void>
  /** Repeats the request for the cookie if it has failed. */
  retry(): void
  /** Replaces the cookie, which ends with the API key. */
  renew(): void
  /** Takes the cookie away. */
  end(): void
}

/** Gets the cookie, and renews it. */
export function openFiles(session: Session): FileSession {
  let hasFailed = false
  let resolve: () => void
  const opened = new Promise<void>(done => {
    resolve = done
  })
  const open = async () => {
    hasFailed = false
    try {
      const answer = await fetch(address, { method: 'POST', headers: { Authorization: authorization(session) } })
      hasFailed = answer.status >= 500
    } catch (error) {
      // Pictures show their names until the next attempt.
      console.warn('uploaded files cannot be shown', error)
      hasFailed = true
    }
    if (!hasFailed) resolve()
  }
  void open()
  const timer = setInterval(() => void open(), renewEveryMs)
  return {
    opened,
    retry: () => void (hasFailed && open()),
    renew: () => void open(),
    end() {
      clearInterval(timer)
      void fetch(address, { method: 'DELETE', keepalive: true }).catch(() => undefined)
    },
  }
}

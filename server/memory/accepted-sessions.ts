import type { UserRow } from '../store/users/users.js'
import type { Directory } from './directory.js'

// More than the pages that a worker serves.
const mostSessions = 16_384

/** A session that this worker has found in the table. Requests, sockets and the memory of the worker share one object. */
export interface KnownSession {
  readonly id: number
  /** The account, as it was when the session was last found. */
  user: UserRow
  /** From then on, in ms of the clock, the table has to be asked again. */
  checkAt: number
  isEnded: boolean
}

/**
 * Sessions by the value of their cookie.
 *
 * Source: the table `sessions`.
 * Version: the row of the account: who ends a session makes a new version of it. After ten minutes the table is asked in any case, which
 * notes the use.
 * Bound: 16,384 sessions.
 * Dropped: all when it is full, as in accepted-headers.ts.
 */
export class AcceptedSessions {
  private readonly known = new Map<string, KnownSession>()

  constructor(private readonly directory: Directory) {}

  /** The session, unless something may have changed since it was found. */
  find(token: string, now: number): KnownSession | undefined {
    const session = this.known.get(token)
    return session && this.isCurrent(session, now) ? session : undefined
  }

  isCurrent({ user, checkAt, isEnded }: KnownSession, now: number): boolean {
    const { users, organization } = this.directory
    return !isEnded && organization.is_active && now < checkAt && users.get(user.id) === user
  }

  /** The object of a session that was found again, so that its sockets share what becomes of it. */
  keep(token: string, found: KnownSession): KnownSession {
    const before = this.known.get(token)
    if (before && before.id === found.id && !before.isEnded) {
      before.user = found.user
      before.checkAt = found.checkAt
      return before
    }
    if (this.known.size >= mostSessions) this.known.clear()
    this.known.set(token, found)
    return found
  }

  forget(token: string): void {
    this.known.delete(token)
  }
}

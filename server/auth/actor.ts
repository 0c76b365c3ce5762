import type { UserRow } from '../store/users/users.js'

/** The caller of an operation. */
export interface Actor {
  readonly user: UserRow
  /** The client program: its User-Agent up to the first `/` or space. */
  readonly client: string
  /** Id of the session that authenticated the request; undefined: an API key did. */
  readonly sessionId?: number | undefined
}

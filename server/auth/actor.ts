import type { UserRow } from '../store/users/users.js'

/** The caller of an operation. */
export interface Actor {
  readonly user: UserRow
  /** The client program: its User-Agent up to the first `/` or space. */
  readonly client: string
}

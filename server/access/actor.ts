import type { UserRow } from '../store/users.js'

/** Who calls. */
export interface Actor {
  readonly user: UserRow
  /** The calling program, from its User-Agent up to the first `/` or space. */
  readonly client: string
}

import type { z } from 'zod'
import type { View } from '../../shared/capabilities.js'
import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import { currentUser } from '../lookups/find-user.js'
import { accessibleUsers } from '../lookups/known-users.js'
import type { Tx } from '../store/driver/db.js'
import type { Select, SelectedRows } from '../store/driver/read-together.js'
import type { JsonFields } from './route.js'

/** What the state in a register answer depends on apart from the account. */
export interface StateOptions {
  readonly view: View
  /** Null: all fields. */
  readonly fetchEventTypes: ReadonlySet<string> | null
  readonly presenceHistoryDays: number
  /** Lists of users without profile data and without pictures that were not uploaded. */
  readonly slimUsers: boolean
}

export interface StateCall {
  readonly ctx: Ctx
  /** Null: a spectator. */
  readonly actor: Actor | null
  /**
   * Isolation level repeatable read: every piece shows the same snapshot, and `ctx.directory` shows the snapshot's
   * version of the organization.
   */
  readonly tx: Tx
  /** The snapshot of `tx`, in the text form of PostgreSQL. */
  readonly snapshot: string
  /** The version of lists of channels (channel-lists.ts) in that snapshot. */
  readonly listsVersion: number
  /** The rows of the selects of all wanted pieces; of none for a spectator. */
  readonly rows: SelectedRows
  readonly options: StateOptions
  /** What several pieces of this answer need, read once; `read` is the key. */
  shared<T>(read: (call: StateCall) => Promise<T>): Promise<T>
}

/** The fields of a register answer that one fetch type adds (docs/protocol/register.md#fields). */
export interface StatePiece {
  readonly fetchType: string
  /** The schema of each field. */
  readonly fields: Readonly<Record<string, z.ZodType>>
  /** What the piece reads from tables alone: one statement runs the selects of all wanted pieces. */
  readonly selects?: readonly Select[]
  read(call: StateCall): Promise<Record<string, unknown> | JsonFields>
}

/** The users that the caller may see, for `shared`; null: all users. */
export const knownUsers = ({ ctx: { directory }, actor, tx }: StateCall): Promise<ReadonlySet<number> | null> =>
  accessibleUsers(tx, directory, actor && currentUser(directory, actor.user))

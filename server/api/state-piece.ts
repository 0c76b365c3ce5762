import type { z } from 'zod'
import type { View } from '../../shared/capabilities.js'
import type { Actor } from '../auth/actor.js'
import type { Ctx } from '../ctx.js'
import type { Tx } from '../store/driver/db.js'
import type { JsonFields } from './route.js'

/** What the state in a register answer depends on apart from the account. */
export interface StateOptions {
  readonly view: View
  /** Null: all fields. */
  readonly fetchEventTypes: ReadonlySet<string> | null
  readonly presenceHistoryDays: number
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
  /** The version of lists of channels (channel-lists.ts) in that snapshot. */
  readonly listsVersion: number
  readonly options: StateOptions
  /** What several pieces of this answer need, read once; `read` is the key. */
  shared<T>(read: (call: StateCall) => Promise<T>): Promise<T>
}

/** The fields of a register answer that one fetch type adds (docs/protocol/register.md#fields). */
export interface StatePiece {
  readonly fetchType: string
  /** The schema of each field. */
  readonly fields: Readonly<Record<string, z.ZodType>>
  read(call: StateCall): Promise<Record<string, unknown> | JsonFields>
}

import type { View } from '../../../shared/capabilities.js'
import type { Actor } from '../../access/actor.js'
import type { Ctx } from '../../ctx.js'
import type { Tx } from '../../store/db.js'
import type { JsonFields } from '../route.js'

/** What the state in a register answer depends on beside the account. */
export interface StateOptions {
  readonly view: View
  /** Null: everything. */
  readonly fetchEventTypes: ReadonlySet<string> | null
  readonly presenceHistoryDays: number
}

export interface StateCall {
  readonly ctx: Ctx
  /** Null: a spectator. */
  readonly actor: Actor | null
  /** Repeatable read: every piece shows the same snapshot. `ctx.directory` shows that snapshot's organization version. */
  readonly tx: Tx
  readonly options: StateOptions
}

/** The part of the register answer that one fetch type brings (docs/protocol/register.md#fields). */
export interface StatePiece {
  readonly fetchType: string
  read(call: StateCall): Promise<Record<string, unknown> | JsonFields>
}

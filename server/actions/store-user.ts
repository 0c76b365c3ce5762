import { ApiError } from '../../shared/errors.js'
import type { Additions, Ctx } from '../ctx.js'
import type { Emit } from '../realtime/emission.js'
import type { Tx } from '../store/driver/db.js'
import { changedUser, type UserChange } from '../store/users/user-changes.js'
import type { UserRow } from '../store/users/users.js'

/** A change of one user's row. */
interface UserUpdate {
  readonly user: UserRow
  readonly change: UserChange
  /** Names of settings to record as chosen by the user itself. */
  readonly edited?: readonly string[]
  /** The audience of an event rests on subscriptions, which the version of the organization does not cover. */
  readonly restsOnSubscriptions?: boolean
}

interface Writing extends Pick<Additions, 'store'> {
  readonly emit: Emit
}

/** Decides by the directory and emits all events of the change; null: there is nothing to change. @throws {ApiError} a refusal */
export type Prepare = (tx: Tx, emit: Emit) => Promise<UserUpdate | null>

/** Makes a change of one user's row, as `storeUser` does, and shows it. */
export async function changeUser(ctx: Ctx, prepare: Prepare): Promise<void> {
  const rows = await ctx.write((tx, emit, { store }) => storeUser(ctx, tx, { emit, store }, prepare))
  ctx.directory.adopt({ users: rows })
}

/**
 * Stores a change of one user's row with a new version of the organization and its events, in one statement, which is the first one of the
 * transaction: it compares the version with that of the directory. Only if the directory was out of date, or if there is a refusal,
 * nothing to change, an entry of the audit log, or an audience that rests on subscriptions, the transaction holds the organization, which
 * changes of subscriptions share, and the change is prepared again.
 * @returns the changed row, for `Directory.adopt`; none: nothing has changed
 */
export async function storeUser({ directory }: Ctx, tx: Tx, writing: Writing, prepare: Prepare): Promise<UserRow[]> {
  const { version } = directory
  try {
    const calls: Parameters<Emit>[] = []
    const update = await prepare(tx, (...call) => calls.push(call as Parameters<Emit>))
    if (update && !update.restsOnSubscriptions && !calls.some(([def]) => def.audit)) {
      const row = await store(tx, writing, { calls, update, version })
      if (row) return [row]
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
  await directory.hold(tx, 'change')
  const calls: Parameters<Emit>[] = []
  const update = await prepare(tx, (...call) => calls.push(call as Parameters<Emit>))
  if (!update) return []
  const row = await store(tx, writing, { calls, update, version: directory.version })
  if (!row) throw new Error('the organization has changed although it is held')
  return [row]
}

function store(
  tx: Tx,
  { emit, store }: Writing,
  {
    calls,
    update: { user, change, edited = [] },
    version,
  }: { readonly calls: readonly Parameters<Emit>[]; readonly update: UserUpdate; readonly version: number },
): Promise<UserRow | undefined> {
  for (const call of calls) emit(...call)
  return store<UserRow>(changedUser(tx, user.id, { change, edited, version }))
}

import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import type { Snapshot } from '../../realtime/realtime.js'
import type { Tx } from '../../store/driver/db.js'
import { readTogether, type Select, SelectedRows } from '../../store/driver/read-together.js'
import { readSnapshot } from '../../store/driver/snapshot.js'
import { type JsonChunk, JsonFields } from '../route.js'
import type { StateCall, StatePiece } from '../state-piece.js'
import { isFetched, pieces } from './pieces.js'

// One attempt takes some ms; only an organization that changes all the time causes this many conflicts in a row.
const tries = 20

/** The fields of the state that the client requested, as chunks of JSON, and the database snapshot that they show. */
export async function readState(
  ctx: Ctx,
  call: Pick<StateCall, 'actor' | 'options'>,
): Promise<{ snapshot: Snapshot; fields: JsonChunk[] }> {
  const wanted = pieces.filter(piece => isFetched(piece.fetchType, call.options.fetchEventTypes))
  // A transaction holds a connection for three round trips; the snapshot alone is one statement.
  if (wanted.length === 0) return { snapshot: (await readSnapshot(ctx.sql)).snapshot, fields: [] }
  for (let attempt = 1; attempt <= tries; attempt++) {
    // Before the transaction: a request that waits for a second connection while it holds one can block all register
    // requests.
    await ctx.directory.fresh()
    const read = await ctx.workLimits.stateReads(() =>
      ctx.sql.begin('isolation level repeatable read read only', tx => readOnce(ctx, tx, call, wanted)),
    )
    if (read) return read
  }
  throw new ApiError('SERVER_NOT_READY', 'The organization is changing too fast; try again.')
}

const selectsOf = (of: readonly StatePiece[]): readonly Select[] => of.flatMap(({ selects = [] }) => selects)
const allSelects: readonly Select[] = [...new Set(selectsOf(pieces))]

/**
 * Beside `begin` and `commit`, two statements when the worker knows what it can know: the first has the snapshot and the selects of all
 * pieces; the second has the newest messages of channels, which depend on it (ChannelIndex). More are for what the worker has to learn,
 * and for the users that a guest may see in an organization that shows guests only some.
 *
 * Null if the directory has another version of the organization than the transaction: fields from memory and fields
 * from the database would contradict each other.
 */
async function readOnce(
  ctx: Ctx,
  tx: Tx,
  { actor, options }: Pick<StateCall, 'actor' | 'options'>,
  wanted: readonly StatePiece[],
) {
  const { stored, rows } = actor
    ? await readTogether(tx, actor.user.id, { all: allSelects, wanted: new Set(selectsOf(wanted)) })
    : { stored: await readSnapshot(tx), rows: new SelectedRows(new Map()) }
  const { snapshot, version, lists_version: listsVersion } = stored
  if (ctx.directory.version !== version) return null
  const known = new Map<unknown, unknown>()
  const state: StateCall = {
    ctx,
    actor,
    tx,
    snapshot,
    listsVersion,
    rows,
    options,
    shared<T>(read: (call: StateCall) => Promise<T>): Promise<T> {
      if (!known.has(read)) known.set(read, read(state))
      return known.get(read) as Promise<T>
    },
  }
  const read = await Promise.all(wanted.map(piece => piece.read(state)))
  // The queries of all pieces resolve together and so do their continuations; the answer is built in a turn of its own.
  await ctx.workLimits.longTasks.ownTurn()
  if (ctx.directory.version !== version) return null
  return { snapshot, fields: read.flatMap(chunksOf) }
}

/** Fields with a comma before them; nothing if there are none. */
function chunksOf(fields: Record<string, unknown> | JsonFields): JsonChunk[] {
  if (fields instanceof JsonFields) return fields.chunks.length > 0 ? [',', ...fields.chunks] : []
  const text = JSON.stringify(fields).slice(1, -1)
  return text === '' ? [] : [`,${text}`]
}

import { ApiError } from '../../../shared/errors.js'
import type { Ctx } from '../../ctx.js'
import type { Snapshot } from '../../realtime/realtime.js'
import type { Tx } from '../../store/db.js'
import type { Directory } from '../../store/directory.js'
import { readSnapshot } from '../../store/snapshot.js'
import { JsonFields, type JsonPiece } from '../route.js'
import { ownTurn } from './loop-turns.js'
import { isFetched, pieces } from './pieces.js'
import type { StateCall } from './state.js'
import { Turns } from './turns.js'

// A reading takes some milliseconds; only an organization that changes all the time spoils this many in a row.
const tries = 20

// A reading holds a connection, a core of the database and then much of the loop's time: when thousands of clients come back at
// once, whatever else is asked must find all three free. There are as many workers as cores, so that one each is enough.
const readingsAtOnce = 1
// By what all requests of a worker share: each has a context of its own.
const turns = new WeakMap<Directory, Turns>()

function turnsOf({ directory }: Ctx): Turns {
  const known = turns.get(directory) ?? new Turns(readingsAtOnce)
  turns.set(directory, known)
  return known
}

/** The fields of the state that the client asked for, as pieces of JSON, and the snapshot of the database that they show. */
export async function readState(
  ctx: Ctx,
  call: Pick<StateCall, 'actor' | 'options'>,
): Promise<{ snapshot: Snapshot; fields: JsonPiece[] }> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    // Before the transaction: waiting for a second connection while holding one could leave every register waiting.
    await ctx.directory.fresh()
    const read = await turnsOf(ctx).take(() =>
      ctx.sql.begin('isolation level repeatable read read only', tx => readOnce(ctx, tx, call)),
    )
    if (read) return read
  }
  throw new ApiError('SERVER_NOT_READY', 'The organization is changing too fast; try again.')
}

/**
 * Null when the directory shows another version of the organization than the transaction does: what comes from memory and
 * what comes from the database would not fit together.
 */
async function readOnce(ctx: Ctx, tx: Tx, { actor, options }: Pick<StateCall, 'actor' | 'options'>) {
  const { snapshot, version } = await readSnapshot(tx)
  if (ctx.directory.version !== version) return null
  const wanted = pieces.filter(piece => isFetched(piece.fetchType, options.fetchEventTypes))
  const read = await Promise.all(wanted.map(piece => piece.read({ ctx, actor, tx, options })))
  // What came from the database came together, and with it all of its continuations: putting together is for a turn of its own.
  await ownTurn(ctx.directory)
  if (ctx.directory.version !== version) return null
  return { snapshot, fields: read.flatMap(piecesOf) }
}

/** Fields after others; nothing where there are none. */
function piecesOf(fields: Record<string, unknown> | JsonFields): JsonPiece[] {
  if (fields instanceof JsonFields) return fields.pieces.length > 0 ? [',', ...fields.pieces] : []
  const text = JSON.stringify(fields).slice(1, -1)
  return text === '' ? [] : [`,${text}`]
}

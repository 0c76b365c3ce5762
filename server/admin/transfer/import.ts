import { countChannelTraffic } from '../../store/channels/channel-traffic.js'
import type { Sql, Tx } from '../../store/driver/db.js'
import { insertLines } from '../../store/transfer/insert-lines.js'
import {
  clearForImport,
  dataComplaint,
  finishImport,
  holdForImport,
  importing,
  missingSystemGroups,
  tried,
  workThere,
} from '../../store/transfer/prepare-import.js'
import { AdminError } from '../admin-error.js'
import type { Progress } from '../progress.js'
import { type CheckedLine, checkedLines, wrong } from './checked-lines.js'
import type { Counts } from './export.js'

// Lines per statement: one statement takes some tenths of a second.
const linesTogether = 1000
const charactersTogether = 4_000_000

/**
 * Fills an empty organization from the lines of an export, all or nothing.
 * @throws {AdminError} with the number of the first wrong line
 */
export async function importOrganization(sql: Sql, lines: AsyncIterable<string>, progress: Progress): Promise<Counts> {
  const counts = await importing(sql, async tx => {
    await holdForImport(tx)
    await requireEmpty(tx)
    await clearForImport(tx)
    const stored = await store(tx, checkedLines(lines))
    progress.end()
    const missing = await missingSystemGroups(tx)
    if (stored.organization !== 1 || missing.length > 0) {
      throw new AdminError(
        `The file lacks ${stored.organization === 1 ? missing.join(', ') : 'the organization'}.`,
        'BAD_LINE',
      )
    }
    progress.begin('finishing', 1)
    await finishImport(tx)
    progress.end()
    return stored
  })
  await countChannelTraffic(sql, new Date())
  return counts
}

async function requireEmpty(tx: Tx): Promise<void> {
  const there = Object.entries(await workThere(tx)).map(([what, count]) => `${count} ${what}`)
  if (there.length === 0) return
  throw new AdminError(`The organization is not empty, it has ${there.join(', ')}: import into a new one.`, 'NOT_EMPTY')
}

async function store(tx: Tx, lines: AsyncIterable<CheckedLine>): Promise<Counts> {
  const counts: Counts = {}
  for await (const batch of batchesOf(lines)) {
    const { type } = batch[0] as CheckedLine
    counts[type.line] = (counts[type.line] ?? 0) + batch.length
    await insert(tx, batch)
  }
  return counts
}

/** Batches of lines of one type. */
async function* batchesOf(lines: AsyncIterable<CheckedLine>): AsyncGenerator<readonly CheckedLine[]> {
  let batch: CheckedLine[] = []
  let characters = 0
  for await (const line of lines) {
    const isFull = batch.length >= linesTogether || characters > charactersTogether
    if (batch.length > 0 && (isFull || batch[0]?.type !== line.type)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(line)
    characters += line.text.length
  }
  if (batch.length > 0) yield batch
}

/** Repeats a rejected batch line by line, so that the error names the line. */
async function insert(tx: Tx, batch: readonly CheckedLine[]): Promise<void> {
  const [{ type, number }] = batch as [CheckedLine]
  const stored = (lines: readonly CheckedLine[]) =>
    tried(tx, inner =>
      insertLines(
        inner,
        type,
        lines.map(line => line.text),
      ),
    )
  try {
    await stored(batch)
  } catch (error) {
    const complaint = dataComplaint(error)
    if (complaint === undefined) throw error
    if (batch.length === 1) throw wrong(number, complaint)
    for (const line of batch) await insert(tx, [line])
    // Each line is valid by itself, so the conflict is between lines of the batch.
    throw wrong(number, `or one of the ${batch.length - 1} lines behind it: ${complaint}`)
  }
}

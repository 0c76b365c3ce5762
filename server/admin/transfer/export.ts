import type { WriteStream } from 'node:fs'
import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { inheritOwner } from '../../disk/owned-paths.js'
import type { Sql, Tx } from '../../store/driver/db.js'
import { lineTypes } from '../../store/transfer/line-types.js'
import { messageLine } from '../../store/transfer/lines/message.js'
import { inSnapshot, readLines, readSize } from '../../store/transfer/read-lines.js'
import { AdminError } from '../admin-error.js'
import { writeWhole } from '../draft-file.js'
import type { Progress } from '../progress.js'
import { endOf, headerOf } from './frame.js'

interface ExportOptions {
  /** `-`: standard output. A file whose name ends in `.gz` is compressed. */
  readonly file: string
  readonly withSecrets: boolean
  /** A file in this directory belongs to its owner, as everything there. */
  readonly dataDir: string
}

/** Number of lines by type. */
export type Counts = Record<string, number>

/**
 * Writes the organization from one snapshot, a line per object. Uses little memory at any size: rows are read only as fast as the output
 * accepts them. The file appears under its name only when it is complete.
 */
export async function exportOrganization(sql: Sql, options: ExportOptions, progress: Progress): Promise<Counts> {
  return await inSnapshot(sql, async tx => {
    const counts: Counts = {}
    const lines = Readable.from(piecesOf(tx, options, counts, progress))
    if (options.file === '-') await toStandardOutput(lines)
    else await intoFile(options, lines)
    return counts
  })
}

async function toStandardOutput(lines: Readable): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false })
  } catch (error) {
    const { syscall, message } = error as { syscall?: string; message: string }
    if (syscall === undefined) throw error
    throw new AdminError(`Standard output cannot be written: ${message}.`)
  }
}

async function intoFile({ file, dataDir }: ExportOptions, lines: Readable): Promise<void> {
  const write = (draft: WriteStream) =>
    file.endsWith('.gz') ? pipeline(lines, createGzip(), draft) : pipeline(lines, draft)
  const isInDataDir = !relative(dataDir, file).startsWith('..')
  await writeWhole(file, write, draft => (isInDataDir ? inheritOwner(draft) : undefined))
}

async function* piecesOf(
  tx: Tx,
  { withSecrets }: ExportOptions,
  counts: Counts,
  progress: Progress,
): AsyncGenerator<string> {
  const { uuid, messages } = await readSize(tx)
  yield `${headerOf(uuid, withSecrets)}\n`
  for (const type of lineTypes) {
    counts[type.line] = 0
    progress.begin(`${type.line} lines`, type === messageLine ? messages : 1)
    for await (const lines of readLines(tx, type, withSecrets)) {
      counts[type.line] = (counts[type.line] ?? 0) + lines.length
      yield `${lines.join('\n')}\n`
      progress.advance(lines.length)
    }
    progress.end()
  }
  yield `${endOf(counts)}\n`
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../ctx.js'
import { exportName } from '../../presenters/exports.js'
import { roomOn } from '../../storage/disk-room.js'
import { fullMessage, StorageFailure } from '../../storage/storage-failure.js'
import { type ExportPart, insertPart, lastPart } from '../../store/exports/export-parts.js'
import { type ExportRow, firstMessage, fixCut } from '../../store/exports/exports.js'
import { adoptFile } from '../../store/files/loose-files.js'
import { newestMessageId, oldestTransaction } from '../../store/reading/settled-messages.js'
import {
  type ArchivePart,
  type ArchivePlace,
  type ArchiveStep,
  type ExportWork,
  firstPlace,
  storePieces,
} from './archive-part.js'
import { scopeOf } from './export-scope.js'
import { attachmentPart, picturePart, recordPart, uploadPart } from './file-parts.js'
import { messagePart } from './message-part.js'
import { endPart, tablePart } from './table-part.js'

const partOf: Record<Exclude<ArchiveStep, 'over'>, (work: ExportWork, place: ArchivePlace) => ArchivePart> = {
  messages: messagePart,
  attachments: attachmentPart,
  uploads: uploadPart,
  records: recordPart,
  pictures: picturePart,
  tables: tablePart,
  end: endPart,
}

// Of all work, when a step begins.
const percents: Record<ArchiveStep, number> = {
  messages: 0,
  attachments: 80,
  uploads: 82,
  records: 92,
  pictures: 93,
  tables: 94,
  end: 99,
  over: 100,
}

/**
 * Writes what is missing of the archive of an export, part by part; a part is stored with the place where the next one begins, so another worker
 * can go on after each. @throws {StorageFailure} if the disk has no room; when the signal aborts
 */
export async function writeArchive(ctx: Ctx, row: ExportRow, signal: AbortSignal): Promise<void> {
  const cut = row.cut ?? (await fixCut(ctx.sql, row.id, await settledId(ctx, signal)))
  const [scope, first] = [await scopeOf(ctx, row, cut), await firstMessage(ctx.sql, row.since)]
  const work = { ctx, row, signal, scope, first, directory: exportName(row) }
  for (;;) {
    const last = await lastPart(ctx.sql, row.id)
    // The cast: only this function stores places.
    const place = last ? ({ ...last.next } as unknown as ArchivePlace) : firstPlace
    if (place.step === 'over') return
    signal.throwIfAborted()
    await requireRoom(ctx)
    await addPart(work, (last?.number ?? 0) + 1, partOf[place.step](work, place))
  }
}

async function addPart(work: ExportWork, number: number, part: ArchivePart): Promise<void> {
  const { ctx, row } = work
  const store = () => storePieces(work, number, part.pieces)
  const stored = await (part.during ? part.during(store) : store())
  const [head, next] = [part.head(), part.next()]
  const added: ExportPart = { ...stored, number, head, next: { ...next } }
  await ctx.write(async tx => {
    const isAdded = await insertPart(tx, row.id, added, percentOf(work, next))
    if (!isAdded || !(await adoptFile(tx, stored.key)))
      throw new Error('another worker writes the export, or it has ended')
  })
}

function percentOf({ first, scope: { cut } }: ExportWork, { step, after }: ArchivePlace): number {
  const share = step === 'messages' && cut > first ? Math.max(0, after - first) / (cut - first) : 0
  return Math.floor(percents[step] + share * percents.attachments)
}

/** Uploads leave this room, too. @throws {StorageFailure} */
async function requireRoom({ storage }: Ctx): Promise<void> {
  const disk = await storage.space()
  if (disk && roomOn(disk) <= 0) throw new StorageFailure(fullMessage, undefined)
}

const lookEveryMs = 20
// A transaction that takes longer is no insert of a message.
const longestMs = 10_000

/** The newest message, when no message with a smaller id is being stored any more. */
async function settledId({ sql }: Ctx, signal: AbortSignal): Promise<number> {
  const { id, xid } = await newestMessageId(sql)
  const until = performance.now() + longestMs
  while ((await oldestTransaction(sql)) <= xid && performance.now() < until) {
    await sleep(lookEveryMs, undefined, { signal })
  }
  return id
}

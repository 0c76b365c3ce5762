import { text as textOf } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { BackupTable } from '../../store/backup/read-tables.js'
import { AdminError } from '../admin-error.js'
import { ArchiveEntries, type ArchiveEntry } from './archive-entries.js'
import {
  entryNames,
  type FileLine,
  fileName,
  fileSchema,
  formatSchema,
  formatVersion,
  type Header,
  headerSchema,
  indexName,
  type Manifest,
  manifestSchema,
  rowsName,
  type Sequences,
  sequencesSchema,
} from './format.js'
import { sha256Of, Tally } from './tally.js'

/** Takes the contents of an archive in their order. It must take all chunks. */
export interface Receiver {
  begin(header: Header): Promise<void>
  /** The rows of one table; not called for a table without rows. */
  table(table: BackupTable, rows: AsyncIterable<Uint8Array>): Promise<void>
  sequences(sequences: Sequences): Promise<void>
  file(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

/** Takes everything and keeps nothing. */
export const ignoring: Receiver = {
  async begin() {},
  table: (_, rows) => drain(rows),
  async sequences() {},
  file: (_, bytes) => drain(bytes),
}

async function drain(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

/**
 * Passes the contents of an archive on, and compares all of them with the manifest.
 * @param end number of bytes before the seal, which the caller has checked
 * @throws {AdminError} if it is not what this program writes; the errors of the receiver
 */
export async function readArchive(file: string, end: number, receiver: Receiver): Promise<Manifest> {
  const entries = new ArchiveEntries(file, end)
  try {
    return await new Reading(file, entries, receiver).all()
  } finally {
    entries.close()
  }
}

class Reading {
  constructor(
    private readonly file: string,
    private readonly entries: ArchiveEntries,
    private readonly receiver: Receiver,
  ) {}

  async all(): Promise<Manifest> {
    const head = await this.text(entryNames.header)
    const header = this.headerOf(head)
    await this.receiver.begin(header)
    const tables: Manifest['tables'] = {}
    for (const table of header.tables) tables[table.name] = await this.rowsOf(table)
    const sequences = await this.text(entryNames.sequences)
    await this.receiver.sequences(this.parsed(sequencesSchema, entryNames.sequences, sequences))
    const files = await this.files()
    const manifest = this.parsed(manifestSchema, entryNames.manifest, await this.text(entryNames.manifest))
    const found = { header: sha256Of(head), tables, sequences: sha256Of(sequences), files } satisfies Manifest
    if (!isDeepStrictEqual(found, manifest)) throw this.damaged('the manifest differs from what is there')
    if (await this.entries.peek()) throw this.damaged('something is behind the manifest')
    return manifest
  }

  private headerOf(text: string): Header {
    const { version } = this.parsed(formatSchema, entryNames.header, text)
    if (version > formatVersion) {
      throw new AdminError(`${this.file} was written by a newer release: use that release, or a newer one.`, 'NEWER')
    }
    return this.parsed(headerSchema, entryNames.header, text)
  }

  private async rowsOf(table: BackupTable): Promise<Manifest['tables'][string]> {
    const tally = new Tally()
    const isEmpty = (await this.entries.peek())?.name !== rowsName(table.name, 1)
    if (!isEmpty) await this.receiver.table(table, tally.counted(this.parts(table.name)))
    return tally.totals()
  }

  private async *parts(table: string): AsyncGenerator<Uint8Array> {
    for (let part = 1; ; part++) {
      const entry = await this.entries.take(rowsName(table, part))
      if (!entry) return
      yield* entry.chunks
    }
  }

  private async files(): Promise<Manifest['files']> {
    const all = new Tally()
    const sums = { count: 0, bytes: 0, missing: 0 }
    for (let part = 1; ; part++) {
      const read: FileLine[] = []
      for (let entry = await this.nextFile(); entry; entry = await this.nextFile()) read.push(await this.fileOf(entry))
      const name = indexName(part)
      const index = await this.entries.take(name)
      if (!index && read.length === 0) return { ...sums, sha256: all.totals().sha256 }
      const text = index ? await textOf(index.chunks) : ''
      all.add(Buffer.from(text))
      const lines = text.split('\n').slice(0, -1)
      const listed = lines.map(line => this.parsed(fileSchema, name, line))
      const present = listed.filter(({ size }) => size !== null)
      if (!isDeepStrictEqual(present, read)) throw this.damaged(`${name} differs from the files before it`)
      sums.count += read.length
      sums.missing += listed.length - read.length
      for (const { size } of read) sums.bytes += size ?? 0
    }
  }

  private async nextFile(): Promise<ArchiveEntry | undefined> {
    const next = await this.entries.peek()
    return next?.name.startsWith(fileName('')) ? this.entries.take(next.name) : undefined
  }

  private async fileOf({ name, size, chunks }: ArchiveEntry): Promise<FileLine> {
    const key = name.slice(fileName('').length)
    const tally = new Tally()
    await this.receiver.file(key, tally.counted(chunks))
    return { key, size, sha256: tally.totals().sha256 }
  }

  private async text(name: string): Promise<string> {
    const entry = await this.entries.take(name)
    if (!entry) throw this.damaged(`${name} is missing`)
    return textOf(entry.chunks)
  }

  private parsed<Schema extends z.ZodType>(schema: Schema, name: string, text: string): z.output<Schema> {
    const { success, data } = schema.safeParse(jsonOf(text))
    if (success) return data
    throw this.damaged(`${name} is not what a backup has`)
  }

  private damaged(what: string): AdminError {
    return new AdminError(`${this.file} is damaged: ${what}.`, 'BAD_BACKUP')
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No schema accepts it.
    return undefined
  }
}

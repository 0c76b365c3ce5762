import type { Faults } from './faults.js'
import { UnreadableEntry } from './source.js'

const mostEntryBytes = 256 * 1024 * 1024

/** How many files an archive may have. */
export const mostEntries = 2_000_000

/** The files of an archive, read at any place. Nothing is unpacked to a path that the archive names, so a name can do no harm. */
export abstract class Archive {
  /** The names of its files, without a folder around all, and without what a Mac adds. */
  abstract readonly names: readonly string[]
  abstract has(name: string): boolean
  /** Bytes of a file; 0 if the archive has none of this name. */
  abstract sizeOf(name: string): number
  abstract close(): void
  /** Why a file of the archive is not read; undefined: it is. */
  protected abstract refusalOf(name: string, mostBytes: number): string | undefined
  /** @throws {Error} it is damaged */
  protected abstract piecesOf(name: string): AsyncIterable<Buffer>

  /** The content of a file in pieces. Damage is a fault; the pieces before it are yielded. `mostBytes`: of a larger file nothing is read. */
  async *read(name: string, faults: Faults, mostBytes = mostEntryBytes): AsyncGenerator<Buffer> {
    if (!this.has(name)) return
    const refusal = this.refusalOf(name, mostBytes)
    if (refusal !== undefined) {
      faults.add('files of the archive that are not read', name, refusal)
      return
    }
    try {
      yield* this.piecesOf(name)
    } catch (error) {
      faults.add('files of the archive that are damaged', name, (error as Error).message)
    }
  }

  /** The same as `read` for a file whose beginning alone is worth nothing, of any size. @throws {UnreadableEntry} */
  async *bytesOf(name: string): AsyncGenerator<Buffer> {
    if (!this.has(name)) throw new UnreadableEntry('not in the archive')
    const refusal = this.refusalOf(name, Number.POSITIVE_INFINITY)
    if (refusal !== undefined) throw new UnreadableEntry(refusal)
    try {
      yield* this.piecesOf(name)
    } catch (error) {
      throw new UnreadableEntry(`damaged in the archive: ${(error as Error).message}`)
    }
  }
}

/** What programs add that pack a folder on a Mac, and folders themselves. */
export const isNoFile = (name: string): boolean =>
  name.endsWith('/') || name.startsWith('__MACOSX/') || /(^|\/)\.DS_Store$/.test(name)

/** A person who packs a folder packs the folder around all, too. */
export function withoutRoot<Entry>(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  const roots = new Set([...entries.keys()].map(name => name.slice(0, name.indexOf('/') + 1)))
  const [root = ''] = roots
  if (roots.size !== 1 || root === '') return entries
  return withoutRoot(new Map([...entries].map(([name, entry]) => [name.slice(root.length), entry])))
}

/** `bytes` is too large for what it is packed in. */
export const tooLarge = (bytes: number, mostBytes: number): string | undefined =>
  bytes > mostBytes ? `it has ${bytes} bytes, more than ${mostBytes}` : undefined

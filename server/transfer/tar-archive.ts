import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { writeAll } from '../storage/write-all.js'
import { Archive, isNoFile, mostEntries, tooLarge, withoutRoot } from './archive.js'
import type { Faults } from './faults.js'
import { UnusableArchive } from './source.js'

// JSON of a chat is packed to a tenth or twentieth.
const greatestRatio = 200
const smallBytes = 1024 * 1024
const pieceBytes = 256 * 1024

interface Entry {
  /** Where its bytes begin in the copy. */
  readonly at: number
  readonly bytes: number
}

/**
 * A tar archive, packed by gzip or not. It can be read only from its start, so its files are copied one behind the other into a file without a name
 * beside it, which goes away with the process.
 */
export class TarArchive extends Archive {
  private constructor(
    private readonly copy: FileHandle,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {
    super()
  }

  /** @throws {UnusableArchive} */
  static async open(file: string, { isPacked, faults }: { isPacked: boolean; faults: Faults }): Promise<TarArchive> {
    const copy = await unnamedBeside(file)
    try {
      return new TarArchive(copy, withoutRoot(await copyEntries(file, { copy, isPacked, faults })))
    } catch (error) {
      await copy.close()
      throw unusable(file, error)
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()]
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  sizeOf(name: string): number {
    return this.entries.get(name)?.bytes ?? 0
  }

  close(): void {
    // It is only read, and has no name: nothing can be lost with it.
    void this.copy.close()
  }

  protected refusalOf(name: string, mostBytes: number): string | undefined {
    return tooLarge(this.sizeOf(name), mostBytes)
  }

  protected async *piecesOf(name: string): AsyncGenerator<Buffer> {
    const { at, bytes } = this.entries.get(name) ?? { at: 0, bytes: 0 }
    for (let read = 0; read < bytes; ) {
      const length = Math.min(pieceBytes, bytes - read)
      const { bytesRead, buffer } = await this.copy.read(Buffer.allocUnsafe(length), 0, length, at + read)
      if (bytesRead === 0) throw new Error('it is cut off')
      read += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
}

async function unnamedBeside(file: string): Promise<FileHandle> {
  const path = `${file}.${process.pid}.unpacked`
  try {
    const handle = await open(path, 'wx+', 0o600)
    await rm(path)
    return handle
  } catch (error) {
    throw new UnusableArchive(
      `${file} cannot be unpacked beside itself: ${(error as Error).message}. Put it into a folder that can be written.`,
    )
  }
}

interface Copying {
  readonly copy: FileHandle
  readonly isPacked: boolean
  readonly faults: Faults
}

async function copyEntries(file: string, { copy, isPacked, faults }: Copying): Promise<Map<string, Entry>> {
  const { size } = await stat(file)
  const mostBytes = Math.max(smallBytes, size * greatestRatio)
  const bytes = createReadStream(file, { highWaterMark: pieceBytes })
  const unpacked = isPacked ? createGunzip({ chunkSize: pieceBytes }) : new PassThrough()
  const isWhole = pipeline(bytes, unpacked)
  // It is awaited when the last entry is read.
  isWhole.catch(() => {})
  const tar = Readable.toWeb(unpacked) as ReadableStream<Uint8Array>
  const entries = new Map<string, Entry>()
  let at = 0
  try {
    for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
      const from = at
      for await (const chunk of body) {
        await writeAll(copy, chunk, at)
        at += chunk.length
        if (at > mostBytes) throw new UnusableArchive(`${file} is more than ${greatestRatio} times as large as packed.`)
      }
      const name = header.name.replace(/^(?:\.\/)+/, '').normalize('NFC')
      if (header.type !== 'file' || name === '' || isNoFile(name)) continue
      if (entries.has(name)) faults.add('files that the archive has twice', name, 'the last one counts')
      entries.set(name, { at: from, bytes: at - from })
      if (entries.size > mostEntries) throw new UnusableArchive(`The archive has more than ${mostEntries} files.`)
    }
    await isWhole
  } finally {
    bytes.destroy()
  }
  return entries
}

function unusable(file: string, error: unknown): Error {
  if (error instanceof UnusableArchive) return error
  const { message, code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new UnusableArchive(`The disk is full: ${file} is unpacked beside itself while it is read.`)
  }
  return new UnusableArchive(`${file} is cut off or damaged: ${message}. Download it again.`)
}

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'

export interface ArchiveEntry {
  readonly name: string
  readonly size: number
  /** Must be taken before the next entry is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The entries of an archive in their order, with a look at the next one. */
export class ArchiveEntries {
  private readonly file
  private readonly entries: AsyncIterator<ArchiveEntry>
  private ahead: Promise<ArchiveEntry | undefined> | undefined

  /** @param end number of bytes before the seal */
  constructor(file: string, end: number) {
    this.file = createReadStream(file, { end: end - 1, highWaterMark: 256 * 1024 })
    this.entries = entriesOf(this.file)
  }

  /** Undefined: there are no more. */
  peek(): Promise<ArchiveEntry | undefined> {
    this.ahead ??= this.entries.next().then(({ done, value }) => (done ? undefined : value))
    return this.ahead
  }

  /** The next entry if it has this name. */
  async take(name: string): Promise<ArchiveEntry | undefined> {
    const next = await this.peek()
    if (next?.name !== name) return undefined
    this.ahead = undefined
    return next
  }

  close(): void {
    this.file.destroy()
  }
}

async function* entriesOf(file: Readable): AsyncGenerator<ArchiveEntry> {
  const bytes = file.compose(createZstdDecompress())
  const tar = Readable.toWeb(bytes as Readable) as ReadableStream<Uint8Array>
  for await (const { header, body } of tar.pipeThrough(createTarDecoder({ strict: true }))) {
    yield { name: header.name, size: header.size, chunks: body }
  }
}

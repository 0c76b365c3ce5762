import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDirectory } from '../disk/owned-paths.js'

// A session lasts ten minutes at most; then its mail may wait for 50 others, each of which is read in 30 s.
const longestMs = 3_600_000

/** Mails while they arrive, as files: many long ones at once would fill the memory. */
export class MailFiles {
  private readonly folder: string

  /** @param mostBytes of a mail; what is beyond is read and not stored */
  constructor(
    dataDir: string,
    private readonly mostBytes: number,
  ) {
    this.folder = join(dataDir, 'incoming-mail')
  }

  /** Creates the folder, and removes what workers that died have left. */
  async prepare(): Promise<void> {
    await createDirectory(this.folder, 0o700)
    await this.removeLeft()
  }

  /** Stores a mail while it arrives, and passes `read`, which loads it, to `work`. The file is gone afterwards. */
  async keep<T>(stream: Readable, work: (read: () => Promise<Uint8Array>) => Promise<T>): Promise<T> {
    await this.removeLeft()
    const path = join(this.folder, randomUUID())
    try {
      await pipeline(stream, source => this.beginning(source), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
      return await work(() => readFile(path))
    } finally {
      await rm(path, { force: true })
    }
  }

  /** By age: workers of other machines may have mails in the same folder. */
  private async removeLeft(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name)
      // Undefined: the mail has been read meanwhile.
      const found = await stat(path).catch(() => undefined)
      if (found?.isFile() && Date.now() - found.mtimeMs > longestMs) await rm(path, { force: true })
    }
  }

  private async *beginning(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes <= this.mostBytes) yield chunk
    }
  }
}

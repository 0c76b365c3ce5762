import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDirectory } from '../disk/owned-paths.js'

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

  /** Removes what a worker that died has left. No other worker of this machine may receive mail. */
  async clear(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
    await createDirectory(this.folder, 0o700)
  }

  /** Stores a mail while it arrives, and passes `read`, which loads it, to `work`. The file is gone afterwards. */
  async keep<T>(stream: Readable, work: (read: () => Promise<Uint8Array>) => Promise<T>): Promise<T> {
    const path = join(this.folder, randomUUID())
    try {
      await pipeline(stream, source => this.beginning(source), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
      return await work(() => readFile(path))
    } finally {
      await rm(path, { force: true })
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

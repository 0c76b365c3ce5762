import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import { writeWhole } from '../draft-file.js'
import { sealed } from './seal.js'

/** Appends entries to an archive: a tar file, compressed with zstd, and a seal. */
export class ArchiveWriter {
  private readonly packer = createTarPacker()
  private readonly mtime = new Date()

  /** Appends an entry of exactly `size` bytes. Waits until the archive accepts more. */
  async add(name: string, size: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const entry = this.packer.controller.add({ name, size, mtime: this.mtime, mode: 0o600 }).getWriter()
    // The archive may keep a chunk for a while, and the store of files uses its chunks again.
    for await (const chunk of chunks) await entry.write(new Uint8Array(chunk))
    await entry.close()
  }

  addText(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    return this.add(name, bytes.length, [bytes])
  }

  /** Writes the archive into a file while `fill` appends its entries. The file appears only when all of it is on the disk. */
  static async write(
    file: string,
    give: (draft: string) => Promise<void> | undefined,
    fill: (archive: ArchiveWriter) => Promise<void>,
  ) {
    const archive = new ArchiveWriter()
    const { readable, controller } = archive.packer
    const filling = async () => {
      try {
        await fill(archive)
        controller.finalize()
      } catch (error) {
        controller.error(error)
        throw error
      }
    }
    await writeWhole(
      file,
      async draft => {
        const writing = pipeline(Readable.fromWeb(readable as never), createZstdCompress(), sealed, draft)
        const [written, filled] = await Promise.allSettled([writing, filling()])
        // Where one failed, the other failed because of it.
        if (written.status === 'rejected') throw written.reason
        if (filled.status === 'rejected') throw filled.reason
      },
      give,
    )
  }
}

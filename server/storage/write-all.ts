import type { FileHandle } from 'node:fs/promises'

/** Writes all bytes of a chunk at a position of a file; one call of the system may write only some. */
export async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { AdminError } from '../admin-error.js'

// The head of a frame that decoders of zstd skip, with 32 bytes (RFC 8878, 3.1.2).
const sealHead = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
/** Bytes of a seal. */
export const sealBytes = sealHead.length + 32

/** Passes an archive on and appends its seal: the SHA-256 of all bytes before it, in a frame that decoders of zstd skip. */
export async function* sealed(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of archive) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.concat([sealHead, hash.digest()])
}

/**
 * Finds each changed, missing or additional byte of an archive, before any part of it is used. Returns the number of bytes before the seal.
 * `onBytes` receives the number of bytes read.
 * @throws {AdminError}
 */
export async function requireSeal(file: string, onBytes: (bytes: number) => void): Promise<number> {
  const { end, seal } = await sealOf(file)
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { end: end - 1, highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    onBytes(chunk.length)
  }
  if (hash.digest().equals(seal)) return end
  throw new AdminError(`${file} is damaged: its bytes are not those that were written.`, 'BAD_BACKUP')
}

async function sealOf(file: string): Promise<{ end: number; seal: Buffer }> {
  const { size, tail } = await tailOf(file).catch(error => {
    throw new AdminError(`${file} cannot be read: ${(error as Error).message}.`, 'UNREADABLE')
  })
  if (size > sealBytes && tail.subarray(0, sealHead.length).equals(sealHead)) {
    return { end: size - sealBytes, seal: tail.subarray(sealHead.length) }
  }
  throw new AdminError(`${file} is no whole backup: it was cut off or changed, or is another file.`, 'BAD_BACKUP')
}

/** The last bytes of a file, where the seal is. */
async function tailOf(file: string): Promise<{ size: number; tail: Buffer }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(sealBytes),
      0,
      sealBytes,
      Math.max(0, size - sealBytes),
    )
    return { size, tail: buffer.subarray(0, bytesRead) }
  } finally {
    await handle.close()
  }
}

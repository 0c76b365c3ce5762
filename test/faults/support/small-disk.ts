import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Teardown } from '../../support/services.js'

const piece = Buffer.alloc(64 * 1024)

/** A separate file system that a test can fill completely. */
interface SmallDisk {
  readonly path: string
  /** Fills it so that no write succeeds. */
  fill(): void
  /** Frees what `fill` occupied. */
  empty(): void
}

/** In memory, with this many megabytes. Undefined if the account may not mount one. */
export async function smallDisk(t: Teardown, megabytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'parley-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'parley-test', path]
  if (spawnSync('mount', options).status !== 0) {
    await rm(path, { recursive: true })
    return undefined
  }
  t.teardown(async () => {
    const { status, stderr } = spawnSync('umount', [path], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`a test disk stays mounted: ${stderr}`)
    await rm(path, { recursive: true })
  })
  const ballast = join(path, 'ballast')
  return {
    path,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        // In ever smaller pieces, down to one byte.
        for (let size = piece.length; size > 0; ) if (!wrote(file, size)) size = Math.floor(size / 2)
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(ballast),
  }
}

/** False: there is too little room. */
function wrote(file: number, size: number): boolean {
  try {
    return writeSync(file, piece, 0, size) === size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}

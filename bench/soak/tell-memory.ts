import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Loaded into the server by NODE_OPTIONS: the server itself knows nothing of it. A signal that is ignored by whoever does
// not listen, so that nothing breaks where this file is not loaded.
export const askSignal = 'SIGURG'
export const directorySetting = 'BENCH_MEMORY_DIRECTORY'

export interface HeapMemory {
  /** After a full collection: what is alive. */
  readonly heapUsed: number
  /** Outside of the heap: buffers above all. */
  readonly external: number
}

const settleMs = 300
const collections = 5

const directory = process.env[directorySetting]
if (directory) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  process.on(askSignal, async () => {
    await settle(collect)
    const { heapUsed, external } = process.memoryUsage()
    const file = join(directory, String(process.pid))
    // Whole or not at all: it is read by somebody who looks whether it is there.
    writeFileSync(`${file}.tmp`, JSON.stringify({ heapUsed, external } satisfies HeapMemory))
    renameSync(`${file}.tmp`, `${file}.json`)
  })
}

/** V8 gives pages back some time after a collection, beside the program: before, a process seems to have twice what it has. */
async function settle(collect: () => void): Promise<void> {
  for (let i = 0; i < collections; i++) {
    collect()
    await sleep(settleMs)
  }
}

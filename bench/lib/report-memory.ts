import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// NODE_OPTIONS loads this file into the server. Processes ignore this signal by default, so sending it to a process
// without this file is harmless.
export const askSignal = 'SIGURG'
export const directorySetting = 'BENCH_MEMORY_DIRECTORY'

export interface HeapMemory {
  /** Live objects after a full garbage collection, in bytes. */
  readonly heapUsed: number
}

const settleMs = 300
const collections = 5

const directory = process.env[directorySetting]
if (directory) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  process.on(askSignal, async () => {
    await settle(collect)
    const { heapUsed } = process.memoryUsage()
    const file = join(directory, String(process.pid))
    // Written atomically, because the reader polls for the file.
    writeFileSync(`${file}.tmp`, JSON.stringify({ heapUsed } satisfies HeapMemory))
    renameSync(`${file}.tmp`, `${file}.json`)
  })
}

/** V8 returns pages some time after a garbage collection, concurrently; until then a process seems to have twice its memory. */
async function settle(collect: () => void): Promise<void> {
  for (let i = 0; i < collections; i++) {
    collect()
    await sleep(settleMs)
  }
}

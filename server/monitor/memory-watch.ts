import { getHeapSpaceStatistics } from 'node:v8'

const everyMs = 500
// V8 gives up when the old generation has reached the limit, so that there is time to start another process before.
const nearHeapShare = 0.85
const nearResidentShare = 0.95
// Between two collections the heap may be full of what is not used any more: one look is not enough.
const looks = 3
// A request to be replaced may have failed.
const againMs = 60_000
// The rest is for what is not in the old generation: code, young objects, buffers, sockets.
const heapShare = 0.75

/** In bytes. */
export interface MemoryUse {
  /** Of the old generation of the heap. */
  readonly heapUsed: number
  readonly heapLimit: number
  /** Of the whole process. */
  readonly resident: number
  readonly residentLimit: number
}

/** How much of the memory of a process, in bytes, its heap may take. */
export const heapLimitOf = (residentLimit: number): number => Math.floor(residentLimit * heapShare)

/**
 * Calls `near` when this process is near its memory limit, either of the heap or of the process as a whole, and again each
 * minute while it is, until this process ends.
 */
export function watchMemory(residentLimit: number, near: (use: MemoryUse) => void): void {
  const heapLimit = heapLimitOf(residentLimit)
  let count = 0
  let calledAt = Number.NEGATIVE_INFINITY
  setInterval(() => {
    const heapUsed = oldGenerationBytes()
    const resident = process.memoryUsage.rss()
    const isNear = heapUsed > nearHeapShare * heapLimit || resident > nearResidentShare * residentLimit
    count = isNear ? count + 1 : 0
    const now = performance.now()
    if (count < looks || now - calledAt < againMs) return
    calledAt = now
    near({ heapUsed, heapLimit, resident, residentLimit })
  }, everyMs).unref()
}

function oldGenerationBytes(): number {
  let bytes = 0
  for (const { space_name, space_used_size } of getHeapSpaceStatistics())
    if (!space_name.startsWith('new_')) bytes += space_used_size
  return bytes
}

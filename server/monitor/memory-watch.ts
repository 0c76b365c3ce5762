import { getHeapSpaceStatistics } from 'node:v8'

const checkIntervalMs = 500
// V8 ends the process when the old generation reaches its limit; this share leaves time to start a replacement before.
const nearHeapShare = 0.85
const nearResidentShare = 0.95
// Consecutive checks above the share: before a collection the heap can be full of garbage, so one check is not enough.
const checksInARow = 3
// `near` is called again after this time, because a requested replacement can fail.
const repeatMs = 60_000
// The rest of the process memory is for code, the young generation, buffers and sockets.
const heapShare = 0.75

/** In bytes. */
interface MemoryUse {
  /** Size of the heap's old generation. */
  readonly heapUsed: number
  readonly heapLimit: number
  /** Resident memory of the process. */
  readonly resident: number
  readonly residentLimit: number
}

/** The heap limit, in bytes, for a process with this memory limit. */
export const heapLimitOf = (residentLimit: number): number => Math.floor(residentLimit * heapShare)

/**
 * Calls `near` when this process is near the limit of its heap or of its resident memory, and again once a minute while it stays
 * near.
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
    if (count < checksInARow || now - calledAt < repeatMs) return
    calledAt = now
    near({ heapUsed, heapLimit, resident, residentLimit })
  }, checkIntervalMs).unref()
}

function oldGenerationBytes(): number {
  let bytes = 0
  for (const { space_name, space_used_size } of getHeapSpaceStatistics())
    if (!space_name.startsWith('new_')) bytes += space_used_size
  return bytes
}

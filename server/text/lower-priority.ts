import { existsSync, readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

const thread = '/proc/thread-self'
// A busy event loop gets three quarters of a core that both want.
const niceness = 5

/** Lets event loops run before the calling thread. Without effect where the system has no priorities of single threads (outside Linux). */
export function lowerPriority(): void {
  if (existsSync(thread)) setPriority(Number(basename(readlinkSync(thread))), niceness)
}

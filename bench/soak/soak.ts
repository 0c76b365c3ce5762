import { Heaps } from '../lib/heaps.js'
import { readOptions } from '../lib/options.js'
import { makeAccounts } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import type { Result } from '../lib/result.js'
import { undone } from '../lib/undo.js'
import { runSoak } from './run-soak.js'
import { Sampler } from './sampler.js'
import { soakResult } from './soak-result.js'
import { soakDefaults } from './soak-world.js'

const slowReaders = 3
// Number of queues per user.
const readersOfOne = 3

/** Runs all kinds of traffic for long and checks for growth, lost events and duplicates. */
export async function soak(args: string[]): Promise<Result> {
  const options = readOptions(args, soakDefaults)
  const course = await undone(async undo => {
    const heaps = await Heaps.open(undo)
    const server = await RealServer.started(undo, {
      ...heaps.settings,
      WORKERS: String(options.workers),
      // The smallest value: the feed reaches its bound after a minute and then stays constant.
      FEED_RETENTION: '60',
      // Small values, so that the server detects slow readers during the soak.
      SOCKET_BUFFER_BYTES: '65536',
      SOCKET_STALL_SECONDS: '5',
    })
    const accounts = await makeAccounts(server, 1 + slowReaders + Math.ceil(options.readers / readersOfOne))
    const sampler = new Sampler(server, heaps)
    undo.push(() => sampler.stop())
    return runSoak(options, { url: server.url, accounts, slowReaders, sampler }, undo)
  })
  return soakResult(options, course)
}

import { makeAudience } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { RealServer } from '../lib/real-server.js'
import { say } from '../lib/say.js'
import { undone } from '../lib/undo.js'
import { warmUp } from '../lib/warm-up.js'
import { eventsFor, readFanOutOptions } from './options.js'
import { fanOutResult } from './result.js'
import { fanOutRounds, type Mode, modes } from './runs.js'
import type { FanOutFound } from './table.js'

/** Measures the CPU time of one delivery of a channel message, and the minimum on this machine. */
export async function fanOut(args: string[]): Promise<void> {
  const options = readFanOutOptions(args)
  const { deliveries, peers, workers } = options
  const all: FanOutFound[] = []
  for (const queues of options.queues) {
    for (const codec of options.codecs) {
      const found = await undone(async undo => {
        say(`starting the server with ${workers} worker${workers === 1 ? '' : 's'} …`)
        const server = await RealServer.start({ WORKERS: String(workers) })
        undo.push(() => server.stop())
        const channel = await makeAudience(server, queues)
        await warmUp(server, channel.sender, deliveries)
        const others = all.length === 0 ? peers.filter(name => codec === 'json' || name !== 'socketio') : []
        const run = {
          ...options,
          codec,
          events: eventsFor(deliveries, queues),
          peers: ['floor', 'parley', ...others] as const,
          modes: Object.keys(modes) as Mode[],
        }
        return fanOutRounds(server, channel, run, undo)
      })
      all.push({ queues, codec, ...found })
    }
  }
  printResult(fanOutResult(options, all), options.json)
}

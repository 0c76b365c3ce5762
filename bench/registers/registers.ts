import { setTimeout as sleep } from 'node:timers/promises'
import { capabilityNames } from '../../shared/capabilities.js'
import type { Bystanding, Stalls } from '../lib/bystanders.js'
import { Child } from '../lib/child.js'
import { usageBelow } from '../lib/cpu.js'
import { machine } from '../lib/machine.js'
import { measured } from '../lib/measured.js'
import { workerMemory } from '../lib/memory.js'
import { makeChannel } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { questions } from '../lib/questions.js'
import type { Result } from '../lib/result.js'
import { say } from '../lib/say.js'
import { median, othersShare } from '../lib/statistics.js'
import { undone } from '../lib/undo.js'
import { asks } from '../requests/asks.js'
import { readRequestOptions } from '../requests/options.js'
import { RequestLoad } from '../requests/processes.js'
import { SeededServer } from '../requests/seeded.js'

const together = 100
const bystanders = 9
const bystanderMs = 20
const restMs = 2000
const forgottenSoon = '5'

/** A hundred clients register at once while others expect their messages. */
export async function registers(args: string[]): Promise<void> {
  const options = readRequestOptions(args)
  const rounds = await undone(async undo => {
    say(`starting the server and making ${options.users} users, ${options.channels} channels …`)
    const seeded = await SeededServer.start(options)
    undo.push(() => seeded.stop())
    const load = new RequestLoad()
    undo.push(() => load.stop())
    const aside = new Child<{ open?: Bystanding }, { stalls?: Stalls }>('lib/bystander-process')
    undo.push(() => aside.stop())
    const port = Number(seeded.server.url.port)
    const owner = await seeded.owner()
    const people = await seeded.people(together + bystanders)
    const others = [owner, ...people.slice(together)]
    const channelId = await makeChannel(seeded.server, owner, 'aside', others)
    await aside.ask({ open: { port, codec: 'json', accounts: others, channelId, every: bystanderMs } })
    const capabilities = JSON.stringify(Object.fromEntries(capabilityNames.map(name => [name, true])))
    const requests = people
      .slice(0, together)
      .map(one =>
        asks('POST', '/register', one, { client_capabilities: capabilities, idle_queue_timeout: forgottenSoon }),
      )
    const worker = workerMemory(seeded.server.pid)
    const all = []
    for (let round = 0; round <= options.rounds; round++) {
      await sleep(restMs)
      await aside.ask({})
      const before = worker()
      let most = before
      const watch = setInterval(() => {
        most = Math.max(most, worker())
      }, 100)
      const run = await measured({ used: () => usageBelow(seeded.server.pid), loads: [load.pid, aside.pid] }, () =>
        load.run({ port, requests, inFlight: together, count: together }),
      )
      clearInterval(watch)
      const stalls = (await aside.ask({})).stalls as Stalls
      // The first round is the warm-up.
      if (round > 0) all.push({ ...run, stalls, grown: most - before })
      say(
        `round ${round}: ${Math.round(run.found.elapsedMs)} ms, longest stall ${Math.round(stalls.longestDelivery)} ms`,
      )
    }
    return all
  })
  const of = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure))
  const longest = of(({ stalls }) => stalls.longestDelivery)
  const result: Result = {
    scenario: 'registers',
    question: questions.registers,
    machine: machine(),
    options: { ...options, together },
    othersShare: othersShare(rounds),
    notes: [`${together} registers at once, beside a message every ${bystanderMs} ms to ${bystanders} readers.`],
    tables: [
      {
        title: 'At once',
        columns: [{ name: '' }, { name: 'all ms' }, { name: 'p50 ms' }, { name: 'p99 ms' }, { name: 'bytes' }],
        rows: [
          {
            name: 'register',
            cells: [
              of(({ found }) => found.elapsedMs),
              of(({ found }) => found.p50),
              of(({ found }) => found.p99),
              of(({ found }) => found.bytes),
            ],
          },
        ],
      },
      {
        title: 'Meanwhile',
        columns: [{ name: '' }, { name: 'longest', decimals: 1 }],
        rows: [
          { name: 'delivery of a message, ms', cells: [longest] },
          { name: 'sending it, ms', cells: [of(({ stalls }) => stalls.longestSend)] },
          { name: 'memory of the worker above what it had, MB', cells: [of(({ grown }) => grown) / 1e6] },
        ],
      },
    ],
    charts: [],
    targets: [{ what: 'longest delivery meanwhile', limit: 100, found: longest, is: 'atMost', unit: 'ms' }],
  }
  printResult(result, options.json)
}

import { type Usage, usageBelow } from '../lib/cpu.js'
import { measured } from '../lib/measured.js'
import { printResult } from '../lib/print-result.js'
import type { ScenarioName } from '../lib/questions.js'
import { say } from '../lib/say.js'
import { type Undo, undone } from '../lib/undo.js'
import { type RequestFigures, type RoundsOfCase, requestFigures } from './figures.js'
import { type RequestOptions, readRequestOptions } from './options.js'
import { othersWait } from './others-wait.js'
import { RequestFloor, RequestLoad } from './processes.js'
import type { LoadRun } from './protocol.js'
import type { RequestCase } from './request-case.js'
import { requestResult } from './result.js'
import { SeededServer } from './seeded.js'

/** What a scenario can use to define its cases. */
export interface Preparation {
  readonly seeded: SeededServer
  /** Sends requests that are not measured. */
  run(run: Omit<LoadRun, 'port'>): Promise<unknown>
}

/** Measures requests to a large organization and a floor, and prints the result. */
export async function measureRequests(
  scenario: ScenarioName,
  args: string[],
  makeCases: (preparation: Preparation) => Promise<RequestCase[]>,
): Promise<void> {
  const options = readRequestOptions(args)
  const rounds = await undone(undo => measure(options, undo, makeCases))
  printResult(requestResult(scenario, options, rounds), options.json)
}

async function measure(
  options: RequestOptions,
  undo: Undo,
  makeCases: (preparation: Preparation) => Promise<RequestCase[]>,
): Promise<RoundsOfCase[]> {
  say(
    `starting the server and making ${options.users} users, ${options.channels} channels, ${options.messages} messages …`,
  )
  const seeded = await SeededServer.start(options)
  undo.push(() => seeded.stop())
  const floor = await RequestFloor.start()
  undo.push(() => floor.stop())
  const load = new RequestLoad()
  undo.push(() => load.stop())
  const port = Number(seeded.server.url.port)
  const cases = await makeCases({ seeded, run: run => load.run({ port, ...run }) })

  const figures = async (isFloor: boolean, run: Omit<LoadRun, 'port'>): Promise<RequestFigures> => {
    const used = () => usageOf(seeded.server.pid, isFloor ? floor.pid : undefined)
    const { found, usage, othersShare } = await measured({ used, loads: [load.pid] }, () =>
      load.run({ port: isFloor ? floor.port : port, ...run }),
    )
    return requestFigures(usage, found, othersShare)
  }

  const all: RoundsOfCase[] = []
  for (const one of cases.filter(({ name }) => name.includes(options.only))) {
    const { name, requests, floor: work } = one
    const { inFlight, seconds } = options
    const warmed = await load.run({ port, requests, inFlight, seconds: Math.max(1, seconds / 2) })
    await floor.hold({
      body: warmed.body,
      work,
      database: seeded.server.address('DATABASE'),
      redis: seeded.server.address('REDIS'),
    })
    await load.run({ port: floor.port, requests, inFlight, seconds: 1 })
    const found: RoundsOfCase = { of: one, floor: [], parley: [], others: [] }
    for (let round = 1; round <= options.rounds; round++) {
      for (const isFloor of round % 2 === 1 ? [true, false] : [false, true]) {
        found[isFloor ? 'floor' : 'parley'].push(await figures(isFloor, { requests, inFlight, seconds }))
      }
    }
    for (let round = 1; one.othersWaitAtMostMs !== undefined && round <= options.rounds; round++)
      found.others.push(await othersWait(seeded, load, one, options))
    const last = { ours: found.parley.at(-1), theirs: found.floor.at(-1) }
    say(`${name}: floor ${last.theirs?.serverUs.toFixed(0)} µs, server ${last.ours?.serverUs.toFixed(0)} µs`)
    all.push(found)
  }
  return all
}

/** CPU time of the server, or of the floor, which uses the server's PostgreSQL and Redis. */
function usageOf(server: number, floor: number | undefined): Usage {
  const usage = usageBelow(server)
  return floor === undefined ? usage : { ...usageBelow(floor), postgres: usage.postgres, redis: usage.redis }
}

import { difference, machineUsage, total, type Usage, usageBelow } from './cpu.js'
import { type RequestFigures, requestFigures } from './request-figures.js'
import { type RequestOptions, readRequestOptions } from './request-options.js'
import { RequestFloor, RequestLoad } from './request-processes.js'
import type { FloorWork, LoadRequest, LoadRun } from './request-protocol.js'
import { printRequestReport } from './request-report.js'
import { SeededServer } from './seeded.js'

/** One kind of request that is measured. */
export interface RequestCase {
  readonly name: string
  /** Asked for in turn, again from the beginning where they end. */
  readonly requests: readonly LoadRequest[]
  readonly floor: FloorWork
}

export interface RoundsOfCase {
  readonly name: string
  readonly floorWork: FloorWork['kind']
  readonly floor: RequestFigures[]
  readonly parley: RequestFigures[]
}

/** What a scenario may use to make its cases, beside the database. */
export interface Preparation {
  readonly seeded: SeededServer
  /** Makes requests that are not measured. */
  run(run: Omit<LoadRun, 'port'>): Promise<unknown>
}

/** Measures requests on a large organization beside a floor, and prints what came out. */
export async function measureRequests(
  scenario: string,
  args: string[],
  makeCases: (preparation: Preparation) => Promise<RequestCase[]>,
): Promise<void> {
  const options = readRequestOptions(args)
  const undo: (() => unknown)[] = []
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error(`Ended by ${signal}.`)))
  })
  try {
    const rounds = await Promise.race([measure(options, undo, makeCases), interrupted])
    printRequestReport(scenario, options, rounds)
  } finally {
    for (const stop of undo.reverse()) await stop()
  }
}

async function measure(
  options: RequestOptions,
  undo: (() => unknown)[],
  makeCases: (preparation: Preparation) => Promise<RequestCase[]>,
): Promise<RoundsOfCase[]> {
  const say = (text: string) => process.stderr.write(`${text}\n`)
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

  const measured = async (isFloor: boolean, run: Omit<LoadRun, 'port'>): Promise<RequestFigures> => {
    const used = () => usageOf(seeded.server.pid, isFloor ? floor.pid : undefined)
    const before = { usage: used(), load: usageBelow(load.pid), machine: machineUsage() }
    const result = await load.run({ port: isFloor ? floor.port : port, ...run })
    const usage = difference(used(), before.usage)
    const client = difference(usageBelow(load.pid), before.load)
    const machine = machineUsage()
    const ours = [usage, client].flatMap(one => Object.values(one)).reduce((sum, cpu) => sum + total(cpu), 0)
    const others = machine.busy - before.machine.busy - ours
    return requestFigures(usage, result, Math.max(0, others / (machine.all - before.machine.all)))
  }

  const all: RoundsOfCase[] = []
  for (const { name, requests, floor: work } of cases.filter(one => one.name.includes(options.only))) {
    const { inFlight, seconds } = options
    const warmed = await load.run({ port, requests, inFlight, seconds: Math.max(1, seconds / 2) })
    await floor.hold({ body: warmed.body, work, databaseUrl: seeded.databaseUrl })
    await load.run({ port: floor.port, requests, inFlight, seconds: 1 })
    const rounds: RoundsOfCase = { name, floorWork: work.kind, floor: [], parley: [] }
    for (let round = 1; round <= options.rounds; round++) {
      for (const isFloor of round % 2 === 1 ? [true, false] : [false, true]) {
        rounds[isFloor ? 'floor' : 'parley'].push(await measured(isFloor, { requests, inFlight, seconds }))
      }
    }
    const last = { ours: rounds.parley.at(-1), theirs: rounds.floor.at(-1) }
    say(`${name}: floor ${last.theirs?.serverUs.toFixed(0)} µs, server ${last.ours?.serverUs.toFixed(0)} µs`)
    all.push(rounds)
  }
  return all
}

/** Of the server, or of the floor, which uses the server's PostgreSQL. */
function usageOf(server: number, floor: number | undefined): Usage {
  const usage = usageBelow(server)
  return floor === undefined ? usage : { ...usageBelow(floor), postgres: usage.postgres }
}

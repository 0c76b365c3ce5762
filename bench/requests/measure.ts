import { setTimeout as sleep } from 'node:timers/promises'
import { Bystanders, type Stalls, stallsTable } from '../lib/bystanders.js'
import { type Usage, usageBelow } from '../lib/cpu.js'
import { comparison, type Figures, figuresOf, inTurn, medianOf, say, timesFloor } from '../lib/figures.js'
import { measured } from '../lib/measured.js'
import { readOptions } from '../lib/options.js'
import {
  type FloorWork,
  type LoadRequest,
  type LoadResult,
  type LoadRun,
  type RequestLoad,
  requestFloor,
  requestLoad,
} from '../lib/request-load.js'
import { atMost, type Result, type Target } from '../lib/result.js'
import { SeededServer } from '../lib/seeded.js'
import { othersShare } from '../lib/statistics.js'
import { type Undo, undone } from '../lib/undo.js'

/** One kind of request to measure. */
export interface RequestCase {
  readonly name: string
  /** Sent in turn, again from the first after the last. */
  readonly requests: readonly LoadRequest[]
  readonly floor: FloorWork
  /** The target: the server's CPU time, without databases, as a multiple of the floor's. */
  readonly atMostTimesFloor?: number
  /** The target: the server's CPU time, in ms. */
  readonly atMostMs?: number
  /** The target: the CPU time of PostgreSQL, in ms. */
  readonly atMostPostgresMs?: number
  /** The target: the 99th percentile of the time until the whole answer has arrived, in ms. */
  readonly atMostP99Ms?: number
  /** The target: how much longer others may wait for a message meanwhile than at rest, in ms. It is measured in a run of its own. */
  readonly othersWaitAtMostMs?: number
  /** Replaces `--in-flight`. */
  readonly inFlight?: number
}

/** What a scenario can use to define its cases. */
interface Preparation {
  readonly seeded: SeededServer
  /** Sends requests that are not measured. */
  run(run: Omit<LoadRun, 'port'>): Promise<LoadResult>
}

type Rounds = Readonly<Record<'floor' | 'parley', readonly Figures[]>>
interface CaseFound extends RequestCase {
  /** Median size of the answers. */
  readonly bytes: number
  readonly rounds: Rounds
  /** What others waited without the requests, and meanwhile. */
  readonly others: readonly { readonly atRest: Stalls; readonly meanwhile: Stalls }[]
}

/** `seconds`: for each server and round; `only`: cases whose name contains this. */
const requestDefaults = {
  users: 10_000,
  channels: 1000,
  messages: 200_000,
  workers: 1,
  rounds: 3,
  seconds: 4,
  inFlight: 1,
  only: '',
}
type RequestOptions = Readonly<typeof requestDefaults>

const floorNames = {
  bytes: 'sends the same bytes',
  join: 'joins the same pieces',
  redis: 'gives Redis one command',
  store: 'stores one row',
}
const bystanders = 10

/** Measures requests to a large organization and a floor. */
export async function measureRequests(
  args: string[],
  makeCases: (preparation: Preparation) => Promise<readonly RequestCase[]>,
): Promise<Result> {
  const options: RequestOptions = readOptions(args, requestDefaults)
  const found = await undone(undo => measureCases(undo, options, makeCases))
  return {
    options,
    othersShare: othersShare(found.flatMap(({ rounds }) => [...rounds.floor, ...rounds.parley])),
    notes: ['Microseconds are CPU time (user + system) per request.'],
    tables: [
      { ...comparison('Requests', 'requests', []), rows: found.flatMap(rowsOf) },
      ...found.flatMap(({ name, others }) => {
        if (others.length === 0) return []
        const [meanwhile, atRest] = (['meanwhile', 'atRest'] as const).map(when => others.map(round => round[when]))
        const times = [['meanwhile', meanwhile ?? []] as const, ['at rest', atRest ?? []] as const]
        return [stallsTable(`${name}: deliveries to others`, times)]
      }),
    ],
    targets: found.flatMap(targetsOf),
  }
}

const rowsOf = ({ name, bytes, floor, rounds }: CaseFound) =>
  comparison('', '', [
    [`floor: ${floorNames[floor.kind]}`, rounds.floor],
    [`${name}, ${bytes} bytes`, rounds.parley],
  ]).rows

async function measureCases(
  undo: Undo,
  options: RequestOptions,
  makeCases: (preparation: Preparation) => Promise<readonly RequestCase[]>,
): Promise<CaseFound[]> {
  const { users, channels, messages, seconds } = options
  say(`starting the server and making ${users} users, ${channels} channels, ${messages} messages …`)
  const seeded = await SeededServer.start(undo, options)
  const { server } = seeded
  const [floor, load] = [await requestFloor(undo), requestLoad(undo)]
  const cases = await makeCases({ seeded, run: run => load.ask({ port: server.port, ...run }) })
  const stores = { database: server.address('DATABASE'), redis: server.address('REDIS') }
  const used = {
    parley: () => usageBelow(server.pid),
    // The floor uses the server's PostgreSQL and Redis.
    floor: (): Usage => ({ ...usageBelow(server.pid), server: usageBelow(floor.pid).server }),
  }
  const ports = { parley: server.port, floor: floor.port }

  const all: CaseFound[] = []
  for (const one of cases.filter(({ name }) => name.includes(options.only))) {
    const { requests, floor: work, inFlight = options.inFlight } = one
    const warmed = await load.ask({ port: server.port, requests, inFlight, seconds: Math.max(1, seconds / 2) })
    await floor.ask({ body: warmed.body, work, ...stores })
    await load.ask({ port: floor.port, requests, inFlight, seconds: 1 })
    say(`${one.name}:`)
    const rounds = await inTurn(options.rounds, ['floor', 'parley'], async peer => {
      const run = { port: ports[peer], requests, inFlight, seconds }
      return figuresOf(await measured({ used: used[peer], loads: [load.pid] }, () => load.ask(run)))
    })
    const others = []
    for (let round = 0; one.othersWaitAtMostMs !== undefined && round < options.rounds; round++)
      others.push(await othersWait(seeded, load, { port: server.port, requests, inFlight, seconds }))
    all.push({ ...one, bytes: warmed.bytes, rounds, others })
  }
  return all
}

/** Runs the requests beside readers and a sender, who are not there while the requests' CPU time is measured. */
async function othersWait(seeded: SeededServer, load: RequestLoad, run: LoadRun & { readonly seconds: number }) {
  const aside = await Bystanders.start([], seeded.server, [
    await seeded.owner(),
    ...(await seeded.people(bystanders - 1)),
  ])
  try {
    // Registering belongs to neither.
    await sleep(1000)
    await aside.stalls()
    await sleep(run.seconds * 1000)
    const atRest = await aside.stalls()
    await load.ask(run)
    return { atRest, meanwhile: await aside.stalls() }
  } finally {
    aside.stop()
  }
}

function targetsOf(one: CaseFound): Target[] {
  const { name, floor, others, rounds } = one
  const p99 = (when: 'atRest' | 'meanwhile') => medianOf(others, round => round[when].p99Delivery)
  const of = (key: keyof Figures) => medianOf(rounds.parley, round => round[key])
  const promised = [
    [
      one.atMostTimesFloor,
      '× floor',
      `server CPU, to a floor that ${floorNames[floor.kind]}`,
      () => serverRatio(rounds),
    ],
    [one.atMostMs, 'ms', 'server CPU', () => of('serverUs') / 1000],
    [one.atMostPostgresMs, 'ms', 'PostgreSQL CPU', () => of('postgresUs') / 1000],
    [one.atMostP99Ms, 'ms', '99th percentile', () => of('p99Ms')],
    [one.othersWaitAtMostMs, 'ms', 'longer wait of others, p99', () => Math.max(0, p99('meanwhile') - p99('atRest'))],
  ] as const
  return promised.flatMap(([limit, unit, what, found]) =>
    limit === undefined ? [] : [atMost(limit, unit, `${name}: ${what}`, found())],
  )
}

const serverRatio = ({ parley, floor }: Rounds) => timesFloor(parley, floor, ({ serverUs }) => Math.max(1, serverUs))

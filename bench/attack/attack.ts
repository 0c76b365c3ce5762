import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../lib/child.js'
import { machine } from '../lib/machine.js'
import { memoryBelow } from '../lib/memory.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { printResult } from '../lib/print-result.js'
import { questions } from '../lib/questions.js'
import { RealServer } from '../lib/real-server.js'
import type { Result } from '../lib/result.js'
import { say } from '../lib/say.js'
import { undone } from '../lib/undo.js'
import { readAttackOptions } from './attack-options.js'
import type { AttackCount, Calling, HonestCalls, HonestResults } from './attack-protocol.js'

const honestClients = 10
const quietMs = 10_000
const channelName = 'attacked'
// The defaults of a server that other hosts can reach; one on the loopback address has no limits.
const limits = { RATE_LIMIT_USER: '1200', RATE_LIMIT_ADDRESS: '300', SIGN_IN_LIMIT_ADDRESS: '50' }

type Command = { readonly open?: Calling & { readonly only: string } }

/** Measures honest clients while others send the most expensive requests they can. */
export async function attack(args: string[]): Promise<void> {
  const options = readAttackOptions(args)
  const found = await undone(async undo => {
    const server = await RealServer.start({ WORKERS: String(options.workers), ...(options.limits ? limits : {}) })
    undo.push(() => server.stop())
    const accounts = await makeAccounts(server, 1 + honestClients + options.clients)
    const [owner, ...others] = accounts
    if (!owner) throw new Error('there is no owner')
    await makeChannel(server, owner, channelName, others)
    const calling = { port: Number(server.url.port), channelName }
    const honest = new Child<{ readonly open?: Calling }, { honest: HonestResults }>('attack/honest-process')
    undo.push(() => honest.stop())
    const attackers = new Child<Command, { attacks: Record<string, AttackCount> }>('attack/attack-process')
    undo.push(() => attackers.stop())
    await honest.ask({ open: { ...calling, accounts: others.slice(0, honestClients) } })
    await sleep(quietMs)
    const quiet = (await honest.ask({})).honest
    const memory = new WorkerMemory(server.pid)
    undo.push(() => memory.stop())
    await attackers.ask({ open: { ...calling, accounts: others.slice(honestClients), only: options.only } })
    for (let minute = 0; minute < options.minutes; minute++) {
      await sleep(Math.min(1, options.minutes - minute) * 60_000)
      say(`minute ${minute + 1}: most memory of a worker ${Math.round(memory.mostBytes / 1e6)} MB`)
    }
    const attacked = (await honest.ask({})).honest
    return {
      quiet,
      attacked,
      attacks: (await attackers.ask({})).attacks,
      mostBytes: memory.mostBytes,
      ended: memory.ended,
    }
  })
  printResult(resultOf(options, found), options.json)
}

/** Samples the workers' memory every second. */
class WorkerMemory {
  mostBytes = 0
  readonly #seen = new Set<number>()
  readonly #first: number
  readonly #timer: NodeJS.Timeout

  constructor(private readonly root: number) {
    this.#look()
    this.#first = this.#seen.size
    this.#timer = setInterval(() => this.#look(), 1000)
  }

  /** Number of workers that replaced others. */
  get ended(): number {
    return this.#seen.size - this.#first
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    for (const { pid, role, bytes } of memoryBelow(this.root)) {
      if (role !== 'worker') continue
      this.#seen.add(pid)
      this.mostBytes = Math.max(this.mostBytes, bytes)
    }
  }
}

interface Found {
  readonly quiet: HonestResults
  readonly attacked: HonestResults
  readonly attacks: Readonly<Record<string, AttackCount>>
  readonly mostBytes: number
  readonly ended: number
}

function resultOf(options: ReturnType<typeof readAttackOptions>, found: Found): Result {
  const { quiet, attacked, attacks, mostBytes, ended } = found
  const honest = (name: string, { calls, failures, p50, p99, longestMs }: HonestCalls) => ({
    name,
    cells: [calls, failures, p50, p99, longestMs],
  })
  return {
    scenario: 'attack',
    question: questions.attack,
    machine: machine(),
    options: { ...options },
    othersShare: { median: 0, most: 0 },
    notes: [`${honestClients} honest clients with five requests a second each, beside ${options.clients} attackers.`],
    tables: [
      {
        title: 'Honest clients',
        columns: [
          { name: '' },
          { name: 'calls' },
          { name: 'failed' },
          { name: 'p50 ms', decimals: 1 },
          { name: 'p99 ms', decimals: 1 },
          { name: 'longest ms', decimals: 1 },
        ],
        rows: [
          honest('before', quiet.all),
          honest('under attack', attacked.all),
          ...Object.entries(attacked.kinds).map(([name, calls]) => honest(`  ${name}`, calls)),
        ],
      },
      {
        title: 'Attacks',
        columns: [{ name: '' }, { name: 'requests' }, { name: 'refused' }, { name: 'longest ms' }],
        rows: Object.entries(attacks).map(([name, { requests, refused, longestMs }]) => ({
          name,
          cells: [requests, refused, longestMs],
        })),
      },
    ],
    charts: [],
    targets: [
      { what: 'p99 of honest clients', limit: 250, found: attacked.all.p99, is: 'atMost', unit: 'ms' },
      {
        what: 'requests of honest clients that failed',
        limit: 0,
        found: attacked.all.failures,
        is: 'atMost',
        unit: '',
      },
      { what: 'workers that ended', limit: 0, found: ended, is: 'atMost', unit: '' },
      { what: 'memory of a worker', limit: 512, found: mostBytes / 1e6, is: 'atMost', unit: 'MB' },
    ],
  }
}

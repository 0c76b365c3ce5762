import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNginx } from '../../test/support/nginx.js'
import { Child } from '../lib/child.js'
import { usageBelow } from '../lib/cpu.js'
import { say } from '../lib/figures.js'
import type { ServerAddress } from '../lib/http-client.js'
import { measured } from '../lib/measured.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import type { Undo } from '../lib/undo.js'
import type { AttackCount, Attacking, AttackSet, Calling, HonestResults } from './attack-protocol.js'
import { watchMemory } from './server-memory.js'
import { slowHosts } from './slow-hosts.js'

const quietMs = 10_000
const channelName = 'attacked'
// The defaults of a server that other hosts can reach; one on the loopback address has no limits.
const limits = { RATE_LIMIT_USER: '1200', RATE_LIMIT_ADDRESS: '300', SIGN_IN_LIMIT_ADDRESS: '50' }
const otherHosts = {
  NODE_OPTIONS: `--import ${new URL('./other-hosts.js', import.meta.url).href}`,
  BENCH_SLOW_HOSTS: slowHosts,
}

interface Attackers {
  readonly set: AttackSet
  /** The attacks whose names contain this. */
  readonly only: string
  readonly clients: number
  readonly honestClients: number
  readonly seconds: number
  readonly workers: number
}

export interface AttackFound {
  readonly attacked: HonestResults
  readonly attacks: Readonly<Record<string, AttackCount>>
  /** Most memory of a worker, and of all processes of the server together, in bytes. */
  readonly mostOfWorker: number
  readonly mostOfAll: number
  /** Workers that were replaced. */
  readonly ended: number
  /** Share of the machine that other programs took meanwhile. */
  readonly othersShare: number
}

/** Starts a server, honest clients and attackers, and returns what the honest clients noticed. */
export async function runAttack(undo: Undo, attackers: Attackers): Promise<AttackFound> {
  const { set, only, clients, honestClients, seconds } = attackers
  const server = await startServer(undo, attackers)
  const accounts = await makeAccounts(server, 1 + honestClients + clients)
  const [owner, ...others] = accounts
  if (!owner) throw new Error('there is no owner')
  await makeChannel(server, owner, channelName, others)
  const address = await addressOf(undo, server, attackers)
  const honest = new Child<{ readonly open?: Calling }, { honest: HonestResults }>(undo, 'attack/honest-process')
  const attacking = new Child<{ readonly open?: Attacking }, { attacks: Record<string, AttackCount> }>(
    undo,
    'attack/attack-process',
  )
  await honest.ask({ open: { server: address, channelName, accounts: others.slice(0, honestClients) } })
  await sleep(quietMs)
  await honest.ask({})
  const memory = watchMemory(server.pid)
  undo.push(() => memory.stop())
  const open = { server: address, channelName, accounts: others.slice(honestClients), set, only }
  const { othersShare } = await measured({ used: () => usageBelow(process.pid), loads: [] }, async () => {
    await attacking.ask({ open })
    for (let left = seconds; left > 0; left -= 60) {
      await sleep(Math.min(60, left) * 1000)
      say(`most memory of a worker ${megabytes(memory.mostOfWorker)}, of all processes ${megabytes(memory.mostOfAll)}`)
    }
  })
  const attacked = (await honest.ask({})).honest
  const { attacks } = await attacking.ask({})
  const { mostOfWorker, mostOfAll, ended } = memory
  return { attacked, attacks, mostOfWorker, mostOfAll, ended, othersShare }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

function startServer(undo: Undo, { workers, set }: Attackers): Promise<RealServer> {
  return RealServer.started(undo, {
    WORKERS: String(workers),
    ...limits,
    ...(set === 'transfers' ? { ...otherHosts, WORKER_MEMORY: '512', TRUSTED_PROXIES: '127.0.0.1' } : {}),
  })
}

async function addressOf(undo: Undo, server: RealServer, { set }: Attackers): Promise<ServerAddress> {
  // The others reach the server through the documented nginx.
  if (set === 'requests') return { port: Number(server.url.port) }
  const directory = await mkdtemp(join(tmpdir(), 'parley-nginx-'))
  undo.push(() => rm(directory, { recursive: true, force: true }))
  const owner = {
    teardown: (work: () => unknown) => undo.push(work),
    comment: say,
    notMatch(found: string, pattern: RegExp) {
      if (pattern.test(found)) throw new Error(found)
    },
  }
  const { https, ca } = await startNginx(owner, directory, [server.url.href])
  return { port: Number(new URL(https).port), ca }
}

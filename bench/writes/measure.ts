import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { TcpProxy } from '../../test/support/tcp-proxy.js'
import { type Figures, figuresOf, inTurn, say } from '../lib/figures.js'
import type { Account } from '../lib/load-protocol.js'
import { measured } from '../lib/measured.js'
import { type Peers, startPeers } from '../lib/peers.js'
import { makeAccounts, makeChannel } from '../lib/people.js'
import { RealServer } from '../lib/real-server.js'
import { asks, type LoadRequest, type RequestLoad } from '../lib/request-load.js'
import type { Undo } from '../lib/undo.js'
import { messageTo } from '../send/send.js'
import { type Kind, kinds, makeWrites, textLength, type Write } from './kinds.js'

export const defaults = { seconds: 3, rounds: 3, inFlight: 64 }
type Options = Readonly<typeof defaults>
type Writes = Readonly<Record<Kind, Write>>

export const names = ['floor', ...kinds] as const
export type Rounds = Readonly<Record<(typeof names)[number], readonly Figures[]>>
/** How many send or react at once. */
export const crowd = 200

// In ms, of each direction between server and PostgreSQL.
const delayMs = 0.25
// In ms: outbox cleanup follows seconds after publishing, and its cost counts for the write.
const afterwardsMs = 4500
const [writers, readers, bursts, together] = [10, 20, 10, 16]

/** `apart`: p50 in ms, one at a time, with PostgreSQL behind a relay; `burst`: p99 in ms of `crowd` requests at once. */
export async function measureWrites(undo: Undo, options: Options) {
  const peers = await startPeers(undo, 1)
  const { load, server } = peers
  const { writes, people } = await prepare(server, load)
  return {
    alone: await roundsOf(peers, writes, { ...options, inFlight: 1 }),
    together: await roundsOf(peers, writes, options),
    burst: await burstsOf(server, load, people),
    apart: await apartOf(undo, server, load, options),
  }
}

async function prepare(server: RealServer, load: RequestLoad) {
  const people = await makeAccounts(server, 1 + crowd)
  const some = { writers: people.slice(1, 1 + writers), readers: people.slice(1 + writers, 1 + writers + readers) }
  return { people, writes: await makeWrites(server, load, { owner: people[0] as Account, ...some }) }
}

const runOf = ({ requests, undo }: Write, { inFlight, seconds }: Pick<Options, 'inFlight' | 'seconds'>) => ({
  ...{ requests, inFlight },
  ...(undo ? { count: requests.length } : { seconds }),
})

async function takeBack(load: RequestLoad, port: number, { undo }: Write): Promise<void> {
  if (undo) await load.ask({ port, requests: undo, inFlight: together, count: undo.length })
}

/** All writes in turn, each warmed up before, and the floor. */
async function roundsOf({ load, ports, used }: Peers, writes: Writes, options: Options): Promise<Rounds> {
  const run = async (name: keyof Rounds, restMs: number) => {
    const [peer, write] = name === 'floor' ? (['floor', writes.send] as const) : (['parley', writes[name]] as const)
    const found = await measured({ used: used[peer], loads: [load.pid] }, async () => {
      const result = await load.ask({ port: ports[peer], ...runOf(write, options) })
      await sleep(restMs)
      return result
    })
    if (write.undo) await takeBack(load, ports.parley, write).then(() => sleep(restMs))
    return { found, peer } as const
  }
  for (const name of names) await run(name, 0)
  await sleep(afterwardsMs)
  const idleOf = async (peer: 'parley' | 'floor') =>
    (await measured({ used: used[peer], loads: [] }, () => sleep(afterwardsMs))).usage
  const idle = { parley: await idleOf('parley'), floor: await idleOf('floor') }
  say(`${options.inFlight} in flight:`)
  return inTurn(options.rounds, names, async name => {
    const { found, peer } = await run(name, afterwardsMs)
    return figuresOf(found, idle[peer])
  })
}

/** Reactions to one message, and messages to one topic; the first burst does not count. */
async function burstsOf(server: RealServer, load: RequestLoad, people: readonly Account[]) {
  const [owner, ...others] = people as [Account, ...Account[]]
  const channel = await makeChannel(server, owner, 'crowd', others)
  const announcement = { type: 'stream', to: String(channel), topic: 'measurement', content: 'We have won.' }
  const { id } = await server.api.call(owner, 'POST', '/messages', announcement)
  const p99 = async (request: (who: Account) => LoadRequest) =>
    (await load.ask({ port: server.port, requests: others.map(request), inFlight: crowd, count: crowd })).p99
  const reaction = (method: 'POST' | 'DELETE') => (who: Account) =>
    asks(method, `/messages/${id}/reactions`, who, { emoji_name: 'tada' })
  const [react, send] = [[] as number[], [] as number[]]
  for (let burst = 0; burst <= bursts; burst++) {
    react.push(await p99(reaction('POST')))
    send.push(await p99(who => messageTo(channel, who, textLength)))
    await p99(reaction('DELETE'))
  }
  return { react: react.slice(1), send: send.slice(1) }
}

/** A second server, whose database is in the PostgreSQL of the first, behind a relay. The first round does not count. */
async function apartOf(undo: Undo, first: RealServer, load: RequestLoad, options: Options) {
  say('PostgreSQL behind a relay …')
  const url = new URL(first.setting('DATABASE_URL'))
  const sql = postgres(url.href, { max: 1 })
  await sql`create database apart`
  await sql.end()
  url.pathname = '/apart'
  const { proxy, url: through } = await TcpProxy.before({ teardown: work => undo.push(work) }, url.href)
  proxy.delay(delayMs)
  const server = await RealServer.started(undo, { WORKERS: '1', DATABASE_URL: through })
  const { writes } = await prepare(server, load)
  const found: Record<Kind, number[]> = { send: [], react: [], read: [], narrow: [], edit: [] }
  for (let round = 0; round <= options.rounds; round++) {
    for (const kind of kinds) {
      const { p50 } = await load.ask({ port: server.port, ...runOf(writes[kind], { ...options, inFlight: 1 }) })
      await takeBack(load, server.port, writes[kind])
      if (round > 0) found[kind].push(p50)
    }
  }
  return found
}

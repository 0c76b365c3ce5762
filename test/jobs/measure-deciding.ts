import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { usageBelow } from '../../bench/lib/cpu.js'
import { medianOf } from '../../bench/lib/figures.js'
import { readOptions } from '../../bench/lib/options.js'
import { basic } from '../support/http.js'
import { changeDirectory } from '../support/organization.js'
import { startServer } from '../support/server.js'

// Which part of a message's CPU it takes to decide who is notified of it: `node dist/test/jobs/measure-deciding.js [--per-second 500] [--seconds 10]
// [--subscribers 1000] [--senders 16] [--rounds 5]`. Messages come as requests of another process, at a steady rate; CPU of worker, PostgreSQL and
// Redis in microseconds for each message, once without the decision and once with it. Messages to a channel notify no subscriber; direct ones
// notify their receiver, who is away.
const defaults = { perSecond: 500, seconds: 10, subscribers: 1_000, senders: 16, rounds: 5 }

interface Sends {
  readonly url: string
  /** Texts of bodies, with the header `Authorization` of their senders. */
  readonly bodies: readonly { readonly body: string; readonly authorization: string }[]
  readonly perSecond: number
  readonly seconds: number
}

if (process.send) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  process.on('message', (sends: Sends) => void sendAll(sends, agent).then(count => process.send?.(count)))
} else {
  await measureAll()
  process.exit(0)
}

/** Sends at a steady rate. Returns how many messages were accepted. */
async function sendAll({ url, bodies, perSecond, seconds }: Sends, agent: Agent): Promise<number> {
  const begin = performance.now()
  const sent: Promise<void>[] = []
  while (sent.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - begin) * perSecond) / 1000)
    while (sent.length < due) {
      const one = bodies[sent.length % bodies.length]
      if (one) sent.push(post(url, one, agent))
    }
    await sleep(1)
  }
  await Promise.all(sent)
  return sent.length
}

async function post(url: string, { body, authorization }: Sends['bodies'][number], agent: Agent): Promise<void> {
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
  const sending = request(`${url}/api/v1/messages`, { method: 'POST', agent, headers }).end(body)
  const [answer] = await once(sending, 'response')
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`a message was answered with ${answer.statusCode}`)
}

async function measureAll(): Promise<void> {
  const options = readOptions(process.argv.slice(2), defaults)
  const undo: (() => unknown)[] = []
  const teardown = { teardown: (clean: () => unknown) => void undo.push(clean) }
  const server = await startServer(teardown, { LOG_LEVEL: 'fatal', RATE_LIMIT_USER: '0', RATE_LIMIT_ADDRESS: '0' })
  const { sql, jobs } = server
  const people = await Promise.all(Array.from({ length: options.senders }, () => server.person({ role: 100 })))
  const [owner] = people
  if (!owner) throw new Error('there is no sender')
  const principals = people.map(one => one.id)
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'measured' }], principals })
  const { stream_id: channel } = await owner.ok('GET', '/get_stream_id', { stream: 'measured' })
  await changeDirectory(sql, async (tx, version) => {
    await tx`
      with made as (
        insert into users (delivery_email, full_name, role, api_key, version)
        select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, lpad('x' || n, 32, '0'), ${version}
        from generate_series(1, ${options.subscribers}::int) as n returning id
      )
      insert into subscriptions (user_id, channel_id, spans) select id, ${channel}, int8multirange(int8range(1, null)) from made`
    await tx`update channels set subscribers_version = subscribers_version + 1 where id = ${channel}`
  })
  const client = fork(fileURLToPath(import.meta.url))
  undo.push(() => client.kill())

  const content = 'Whether it costs much to decide who is notified of this.'
  const kinds: Readonly<Record<string, (at: number) => Record<string, string>>> = {
    'to a channel': at => ({ type: 'channel', to: `${channel}`, topic: `topic ${at}`, content }),
    direct: at => ({ type: 'direct', to: `[${people[(at + 1) % people.length]?.id}]`, content }),
  }
  const cpu = () => {
    const { user, system } = process.cpuUsage()
    const { postgres, redis } = usageBelow(process.pid)
    return { worker: user + system, postgres, redis }
  }
  const undecided = async () => {
    const [row] = await sql<{ count: number }[]>`
      select (last_value - message_id)::int as count from messages_id_seq, notification_progress`
    return row?.count ?? 0
  }
  const wake = jobs.wake.bind(jobs)

  async function measure(ask: (at: number) => Record<string, string>, decides: boolean) {
    const bodies = people.map((who, at) => ({ body: `${new URLSearchParams(ask(at))}`, authorization: basic(who) }))
    const sends: Sends = { url: server.url, bodies, perSecond: options.perSecond, seconds: options.seconds }
    if (!decides) {
      // As if it were decided already for all messages.
      await sql`update notification_progress set message_id = ${2 ** 50}`
      jobs.wake = () => {}
    }
    const before = cpu()
    const count = await sendsOf(client, sends)
    while (decides && (await undecided()) > 0) await sleep(20)
    const after = cpu()
    if (!decides) {
      await sql`update notification_progress set message_id = (select last_value from messages_id_seq)`
      jobs.wake = wake
    }
    const of = (part: keyof typeof after) => (after[part] - before[part]) / count
    return { worker: of('worker'), postgres: of('postgres'), redis: of('redis') }
  }

  for (const [name, ask] of Object.entries(kinds)) {
    const found: Record<'alone' | 'decided', Awaited<ReturnType<typeof measure>>[]> = { alone: [], decided: [] }
    for (let round = -1; round < options.rounds; round++) {
      for (const [how, decides] of [
        ['alone', false],
        ['decided', true],
      ] as const) {
        const figures = await measure(ask, decides)
        if (round >= 0) found[how].push(figures)
      }
    }
    const of = (how: keyof typeof found) =>
      (['worker', 'postgres', 'redis'] as const).map(part => medianOf(found[how], one => one[part]))
    const [alone, decided] = [of('alone'), of('decided')]
    const sum = (parts: readonly number[]) => parts.reduce((all, part) => all + part, 0)
    const rounded = (parts: readonly number[]) => parts.map(Math.round).join(' + ')
    const more = sum(decided) - sum(alone)
    console.log(
      `${name}: a message ${rounded(alone)} µs (worker + PostgreSQL + Redis), with the decision ${rounded(decided)} µs: ${Math.round(more)} µs more, ${((100 * more) / sum(alone)).toFixed(1)} %`,
    )
  }
  for (const clean of undo.reverse()) await clean()
}

async function sendsOf(client: ChildProcess, sends: Sends): Promise<number> {
  client.send(sends)
  const [count] = (await once(client, 'message')) as [number]
  return count
}

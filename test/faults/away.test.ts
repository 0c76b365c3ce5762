// Workers, PostgreSQL and Redis end at random while messages are due, people are reminded, people who are away are written to, old messages expire,
// and an export is written: each scheduled message and each reminder comes exactly once; each message to a person who is away is mailed and pushed, at least
// once and under one id; each expired message is in the archive once; and the export is the one that is made in peace.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Archive, exportsOf } from '../support/exports.js'
import type { Loose } from '../support/in-step.js'
import { newMails } from '../support/mails.js'
import type { Person } from '../support/people.js'
import { PushService } from '../support/push-service.js'
import { anyOf, type Random } from '../support/random.js'
import { spawnServer, type TestServer, testOrganization } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { randomOf, serverSettings } from './support/begin.js'
import { call } from './support/call.js'
import { type Stores, startStores } from './support/stores.js'
import { eventually } from './support/wait.js'
import { signal, workersOf } from './support/workers.js'

const faultsPerRound = 8
const scheduled = 200
const reminders = 60
const awayPeople = 10
const oldMessages = 3_000
const exportedMessages = 30_000

const ask = (who: Person, method: string, path: string, params = {}) => call(who, method, path, { params })

/** Asks again until there is an answer that grants it; so it may happen several times. */
async function insist(who: Person, method: string, path: string, params = {}): Promise<Record<string, unknown>> {
  for (;;) {
    const { status, body } = await ask(who, method, path, params)
    if (status === 200) return body
    if (status >= 400 && status < 500 && status !== 429) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`)
    await sleep(100)
  }
}

/** Schedules messages and reminders for the seconds of the faults. Returns their texts. */
async function schedule(author: Person, channel: number, seconds: number) {
  const { id } = await insist(author, 'POST', '/messages', {
    type: 'direct',
    to: [author.id],
    content: 'Remember this.',
  })
  const due = (n: number, of: number) => Math.floor(Date.now() / 1000) + 5 + Math.floor((n * seconds) / of)
  const texts: string[] = []
  for (let n = 0; n < scheduled; n++) {
    texts.push(`scheduled ${n}.`)
    const message = { type: 'stream', to: channel, topic: 'later', content: texts.at(-1) }
    await author.ok('POST', '/scheduled_messages', { ...message, scheduled_delivery_timestamp: due(n, scheduled) })
  }
  const notes: string[] = []
  for (let n = 0; n < reminders; n++) {
    notes.push(`note ${n}.`)
    const params = { message_id: id, note: notes.at(-1), scheduled_delivery_timestamp: due(n, reminders) }
    await author.ok('POST', '/reminders', params)
  }
  return { texts, notes }
}

interface Written {
  readonly to: string
  /** Where the pushes of the person arrive. */
  readonly device: string
  readonly content: string
}

const deviceOf = ({ id }: Person): string => `/devices/${id}`

/** Writes to people who are away until `isOver`, and returns what the server has answered to be sent. */
async function writeToAway(author: Person, away: readonly Person[], isOver: () => boolean): Promise<Written[]> {
  const written: Written[] = []
  for (let n = 0; !isOver(); n++) {
    const person = away[n % away.length] as Person
    const content = `You missed ${n}.`
    const { status } = await ask(author, 'POST', '/messages', { type: 'direct', to: [person.id], content })
    if (status === 200) written.push({ to: person.email, device: deviceOf(person), content })
    await sleep(100)
  }
  return written
}

async function breakThings(server: TestServer & { process: { pid?: number } }, stores: Stores, random: Random) {
  const kill = (pids: readonly number[]) => pids.map(pid => signal(pid, 'SIGKILL'))
  const faults: readonly (() => Promise<unknown>)[] = [
    async () => kill([anyOf(workersOf(server.process.pid), random) ?? 0].filter(pid => pid > 0)),
    async () => kill(workersOf(server.process.pid)),
    async () => {
      await stores.postgres[anyOf(['kill', 'stop'] as const, random)]()
      await sleep(random(500))
      await stores.postgres.start()
    },
    async () => {
      await stores.redis.kill()
      await sleep(random(300))
      await stores.redis.start()
    },
  ]
  for (let n = 0; n < rounds * faultsPerRound; n++) {
    await sleep(500 + random(2_000))
    await (n === 0 ? faults[0] : anyOf(faults, random))?.()
  }
}

async function checkScheduled(t: Test, { sql }: TestServer, { texts, notes }: { texts: string[]; notes: string[] }) {
  const left = async () => {
    const [row] = await sql<[{ count: number }]>`
      select (select count(*) from scheduled_messages) + (select count(*) from reminders) as count`
    return Number(row.count)
  }
  await eventually('all scheduled messages and reminders are sent', async () => (await left()) === 0, { seconds: 90 })
  const sent = await sql<{ content: string; times: number }[]>`
    select content, count(*)::int as times from messages where topic = 'later' and channel_id is not null group by 1`
  t.same(sent.map(one => one.content).sort(), [...texts].sort(), 'each scheduled message was sent')
  t.same(
    sent.filter(one => one.times !== 1),
    [],
    'none twice',
  )
  const reminded = await sql<{ content: string }[]>`
    select content from messages where channel_id is null and content like '%note %.%'`
  const times = notes.map(note => reminded.filter(({ content }) => content.includes(note)).length)
  t.same(
    times,
    notes.map(() => 1),
    'each reminder was sent once',
  )
}

/** A worker that ends after it has sent a mail sends it again, under the same id, by which mail programs show it once. */
async function checkMails(t: Test, { sql }: TestServer, dataDir: string, written: readonly Written[]): Promise<void> {
  const waiting = async () => (await sql`select from jobs where kind in ('missed-messages', 'mail')`).length
  const isDecided = async () =>
    (await sql`select from notification_progress where message_id >= (select max(id) from messages)`).length === 1
  await eventually('all mails are sent', async () => (await isDecided()) && (await waiting()) === 0, { seconds: 90 })
  const mails = await newMails(sql, dataDir)()
  t.ok(written.length > 0, `${written.length} messages to people who are away, ${mails.length} mails`)
  const idsOf = ({ to, content }: Written) =>
    mails
      .filter(mail => mail.to === to && mail.text.includes(content))
      .map(({ source }) => /^Message-ID: (.+)$/im.exec(source)?.[1])
  const counts = written.map(one => ({ ...one, mails: new Set(idsOf(one)).size }))
  t.same(
    counts.filter(one => one.mails !== 1),
    [],
    'each message is in one mail',
  )
}

/** A push that a device gets twice has the id of its message, by which it shows it once. */
async function checkPushes(
  t: Test,
  { sql }: TestServer,
  { received }: PushService,
  written: readonly Written[],
): Promise<void> {
  const waiting = async () => (await sql`select from jobs where kind like 'push%' and state <> 'dead'`).length
  await eventually('all pushes are sent', async () => (await waiting()) === 0, { seconds: 120 })
  const idsOf = ({ device, content }: Written) =>
    received.filter(({ path, json }) => path === device && json.content === content).map(({ json }) => json.message_id)
  const counts = written.map(one => ({ ...one, ids: new Set(idsOf(one)).size }))
  t.same(
    counts.filter(one => one.ids !== 1),
    [],
    `each message is pushed: ${received.length} pushes`,
  )
}

/** Stores messages as they were sent at that time. */
const store = (
  { sql }: TestServer,
  { sender, channel, date }: { sender: Person; channel: number; date: Date },
  count: number,
) =>
  sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, date_sent)
    select ${sender.id}, ${channel}, 'topic ' || n % 7, 'message ' || n, '<p>message ' || n || '</p>', 1, ${date}
    from generate_series(1, ${count}::int) as n`

const dayMs = 86_400_000

/** Gives a channel old messages, which it keeps for a day. */
async function addExpired(server: TestServer, sender: Person, channel: number): Promise<void> {
  const { sql } = server
  await store(server, { sender, channel, date: new Date(Date.now() - 10 * dayMs) }, oldMessages)
  await sender.ok('PATCH', `/streams/${channel}`, { message_retention_days: 1 })
  // As if the day had passed by which a shorter time waits.
  await sql`
    insert into retention_terms (channel_id, days) values (${channel}, 1)
    on conflict (channel_id) do update set days = 1, waiting_days = null, applies_at = null`
}

async function checkExpired(t: Test, { sql }: TestServer, channel: number): Promise<void> {
  const counts = async () => {
    const [row] = await sql<[{ live: number; archived: number }]>`
      select (select count(*)::int from messages where channel_id = ${channel} and date_sent < now() - interval '1 day') as live,
        (select count(*)::int from archived_messages where channel_id = ${channel}) as archived`
    return row
  }
  await sql`update jobs set due = now() where kind = 'remove-expired-messages'`
  await eventually('all expired messages are archived', async () => (await counts()).live === 0)
  t.same(await counts(), { live: 0, archived: oldMessages })
}

/** The archive of an export, when it is written. */
async function archiveOf(who: Person, id: unknown): Promise<Archive> {
  let found: Loose | undefined
  await eventually('the export', async () => {
    found = (await exportsOf(who)).find(one => one.id === id)
    return found?.pending === false
  })
  return Archive.at(found?.export_url)
}

async function checkExport(t: Test, who: Person, id: unknown): Promise<void> {
  const disturbed = (await archiveOf(who, id)).messages
  const newest = Math.max(...disturbed.map(message => message.id))
  const { id: again } = await insist(who, 'POST', '/export/realm', { export_type: 'full_without_consent' })
  // Those that expired meanwhile are in none or in one of them.
  const kept = (messages: Loose[]) =>
    messages
      .filter(message => message.id <= newest && message.date_sent > Date.now() / 1000 - 5 * 86_400)
      .map(message => [message.id, message.content])
  const peaceful = kept((await archiveOf(who, again)).messages)
  t.ok(peaceful.length >= exportedMessages, `${peaceful.length} messages`)
  t.same(kept(disturbed), peaceful, 'the export is the one made in peace')
}

t.test('what is due, and what people who are away must learn, outlives workers and databases', async t => {
  const random = randomOf(t)
  const stores = await startStores(t)
  const organization = await testOrganization(t, stores)
  const pushes = await PushService.start(t)
  const settings = {
    DATA_DIR: join(stores.dataDir, 'server'),
    RATE_LIMIT_USER: '0',
    PUSH_PRIVATE_ORIGINS: pushes.origin,
  }
  const server = await spawnServer(t, serverSettings(2, settings), organization)
  const author = await server.person({ role: 100 })
  await author.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'plans' }, { name: 'old' }] })
  const channelOf = async (stream: string) => (await author.ok('GET', '/get_stream_id', { stream })).stream_id
  const [channel, old] = [await channelOf('plans'), await channelOf('old')]
  await store(server, { sender: author, channel, date: new Date() }, exportedMessages)
  await addExpired(server, author, old)
  const due = await schedule(author, channel, rounds * faultsPerRound * 2)
  const away = await Promise.all(Array.from({ length: awayPeople }, () => server.person()))
  // The author gets notices.
  const mailed = [author, ...away]
  await Promise.all(mailed.map(one => one.ok('PATCH', '/settings', { email_notifications_batching_period_seconds: 1 })))
  for (const one of away) await one.ok('POST', '/users/me/push_devices', pushes.device(deviceOf(one)))
  const { id: exportId } = await author.ok('POST', '/export/realm', { export_type: 'full_without_consent' })
  await server.sql`update jobs set due = now() where kind = 'remove-expired-messages'`
  let isOver = false
  const writing = writeToAway(author, away, () => isOver)
  await breakThings(server, stores, random)
  isOver = true
  const written = await writing
  await checkScheduled(t, server, due)
  await checkMails(t, server, settings.DATA_DIR, written)
  await checkPushes(t, server, pushes, written)
  await checkExpired(t, server, old)
  await checkExport(t, author, exportId)
})

// The mail server is away for a day: mails wait, and none is lost. Then it takes mails without an answer, as one that dies at the wrong
// moment: they come again, under the same Message-ID. What their reader has read meanwhile is not mailed, and requests wait for none of this.
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { NotifyScene } from '../api/notify/scene.js'
import { scrape, withToken } from '../platform/metrics/scrape.js'
import { type ReadMail, readMail } from '../support/mails.js'
import { freePort } from '../support/nginx.js'
import { startServer } from '../support/server.js'
import { eventually } from './support/wait.js'

const daySeconds = 86_400

/** A mail server that can be away. */
class MailServer {
  readonly received: ReadMail[] = []
  answers = true
  private server: SMTPServer | undefined

  constructor(readonly port: number) {}

  async start(): Promise<void> {
    this.server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      closeTimeout: 100,
      onData: async (stream, _, done) => {
        this.received.push(readMail(await text(stream)))
        if (this.answers) done()
      },
    })
    // Clients that give up reset their connections.
    this.server.on('error', () => {})
    const listening = this.server.listen(this.port, '127.0.0.1')
    await once(listening, 'listening')
  }

  stop(): Promise<void> {
    return new Promise(resolve => (this.server ? this.server.close(resolve) : resolve()))
  }

  idsOf(to: string): string[] {
    const mails = this.received.filter(mail => mail.to === to)
    return mails.map(({ source }) => /^Message-ID: (.+)$/im.exec(source)?.[1] ?? '')
  }
}

t.test('mails outlive a mail server that is away for a day', async t => {
  const mailServer = new MailServer(await freePort())
  t.teardown(() => mailServer.stop())
  const server = await startServer(t, {
    ...withToken,
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal',
  })
  const { sql, jobs } = server
  const scene = new NotifyScene(server)
  const [owner, sender] = [
    await server.person({ role: 100, settings: { enable_offline_email_notifications: false } }),
    await server.person(),
  ]
  const [waiting, other, reader] = [await server.person(), await server.person(), await server.person()]
  const [half, gone] = [await server.person(), await server.person()]
  const people = [waiting, other, reader, half, gone]
  const mails = () =>
    sql<{ id: number; state: string; error: string | null; wait: number }[]>`
      select id, state, error, extract(epoch from due - now())::float8 as wait from jobs
      where kind = 'mail' and payload::text like '%missed_messages%' order by id`
  const failed = () =>
    eventually('all attempts fail', async () => {
      const rows = await mails()
      return rows.length === people.length && rows.every(row => row.error !== null)
    })
  /** Lets the pauses of all mails be over. */
  const goOn = async () => {
    await sql`update jobs set due = now(), error = null where kind = 'mail'`
    jobs.look()
  }

  const sent = new Map<number, number>()
  for (const one of people) sent.set(one.id, await scene.direct(sender, [one], 'the first'))
  const second = await scene.direct(sender, [half], 'the second')
  await scene.decided(second)
  for (const one of people) await scene.periodEnds(one)
  await failed()

  await t.test('they wait for a day, with pauses that grow up to an hour', async t => {
    const waited = new Map<number, number>()
    let [rounds, longest] = [0, 0]
    do {
      for (const { id, wait } of await mails()) {
        waited.set(id, (waited.get(id) ?? 0) + wait)
        longest = Math.max(longest, wait)
      }
      rounds++
      await goOn()
      await failed()
    } while (Math.min(...waited.values()) < daySeconds)
    t.ok(longest > 2_000 && longest <= 3_600, `${longest} s`)
    t.ok(rounds < 46, `${rounds} attempts`)
    t.ok((await mails()).every(row => row.state === 'due'))
  })

  await t.test('administrators see them', async t => {
    const failures = async () => (await scrape(server.url)).get('parley_jobs_total{kind="mail",outcome="failed"}') ?? 0
    await eventually('the metric', async () => (await failures()) > 30 * people.length)
    for (const { error } of await mails()) t.match(error, /ECONNREFUSED/)
  })

  await t.test('what has no purpose any more is not sent, and requests wait for no mail server', async t => {
    for (const one of [reader, half])
      await one.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [sent.get(one.id)] })
    await owner.ok('DELETE', `/users/${gone.id}`)
    mailServer.answers = false
    await mailServer.start()
    await goOn()
    await eventually('the mails arrive', () => mailServer.received.length === 3)
    for (let n = 0; n < 5; n++) await scene.direct(sender, [owner], `no mail ${n}`)
    const unanswered = (await mails()).filter(row => row.error === null)
    t.not(unanswered.length, 0, 'the attempts wait longer than the requests took')
    const toHalf = mailServer.received.find(mail => mail.to === half.email)
    t.match(toHalf?.text, 'the second')
    t.notMatch(toHalf?.text, 'the first')
  })

  await t.test('what it took without an answer comes again, under the same id, and then not again', async t => {
    await eventually('the attempts end', async () => (await mails()).every(row => row.error !== null))
    mailServer.answers = true
    await eventually('all mails are sent', async () => {
      const rows = await mails()
      if (rows.some(row => row.error !== null)) await goOn()
      return rows.length === 0
    })
    const ids = [waiting, other, half].map(({ email }) => mailServer.idsOf(email))
    for (const [first, ...more] of ids) {
      t.match(first, /^<.+>$/)
      t.not(more.length, 0)
      for (const one of more) t.equal(one, first)
    }
    t.equal(new Set(ids.flat()).size, ids.length)
    t.equal(mailServer.received.length, ids.flat().length, 'and none to others')
  })
})

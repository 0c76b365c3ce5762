// Workers that receive mail are killed again and again. Each mail is sent until it is accepted, as mail servers do, and becomes one message.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { replyAddresses } from '../../server/actions/incoming-mail/reply-address.js'
import { freePort } from '../support/nginx.js'
import { sendMailTo } from '../support/send-mail.js'
import { spawnServer, startServer, testOrganization } from '../support/server.js'
import { kills } from './support/amounts.js'
import { eventually, seldom } from './support/wait.js'
import { listenersOn, signal, workersOf } from './support/workers.js'

const mails = 40
const sendersAtOnce = 4

t.test('mails that are accepted while workers die become messages, each once', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  const settings = { INCOMING_MAIL_ADDRESS: 'in+%s@mail.test', LOG_LEVEL: process.env.FAULT_LOG ?? 'fatal' }
  const { ctx, person } = await startServer(t, { ...settings, INCOMING_MAIL_PORT: '0' }, organization)
  const port = await freePort()
  const server = await spawnServer(t, { ...settings, WORKERS: '2', INCOMING_MAIL_PORT: String(port) }, organization)
  const author = await person()
  const [to = ''] = (await sql.begin(tx =>
    replyAddresses(ctx, tx as never, author.id, [{ people: [author.id] }]),
  )) as string[]
  let isOver = false
  const killing = (async () => {
    for (let killed = 0; killed < kills && !isOver; killed++) {
      await eventually('a worker that receives mail', () => listenersOn(port) > 0, seldom)
      await sleep(randomInt(500))
      const worker = workersOf(server.process.pid)[randomInt(2)]
      if (worker !== undefined) signal(worker, 'SIGKILL')
    }
  })()
  const waiting = Array.from({ length: mails }, (_, n) => n)
  let attempts = 0
  const send = async (n: number): Promise<void> => {
    const attachments = n % 5 === 0 ? [{ filename: 'note.txt', content: 'x'.repeat(10_000) }] : []
    const mail = { from: author.email, to, text: `mail ${n}`, messageId: `<${n}@test.example>`, attachments }
    for (;;) {
      // The limit of an account is not what this test is about.
      await ctx.attempts.forget('incoming-mail', `account ${author.id}`)
      attempts++
      if ((await sendMailTo(port, mail)).code === 250) return
      await sleep(50)
    }
  }
  await Promise.all(
    Array.from({ length: sendersAtOnce }, async () => {
      for (let n = waiting.shift(); n !== undefined; n = waiting.shift()) {
        await send(n)
        await sleep(50)
      }
    }),
  )
  isOver = true
  await killing
  await eventually('no job', async () => (await sql`select from jobs where kind = 'incoming-mail'`).length === 0)
  const sent = await sql<{ content: string }[]>`
    select split_part(content, e'\n', 1) as content from messages where sender_id = ${author.id} order by content`
  t.comment(`${attempts} attempts`)
  t.same(
    sent.map(({ content }) => content),
    Array.from({ length: mails }, (_, n) => `mail ${n}`).sort(),
  )
})

// A mail server that knows an address not, or refuses it for another reason: only what may end is tried again.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import t from 'tap'
import { until } from '../http/until.js'
import { startServer } from '../support/server.js'

const refusals = new Map([
  ['unknown@test.example', '5.1.1 no such person'],
  ['relayed@test.example', '5.7.1 relaying denied'],
  ['busy@test.example', '4.2.1 try later'],
])
const mailServer = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  closeTimeout: 100,
  onRcptTo({ address }, _, done) {
    const said = refusals.get(address)
    if (!said) return done()
    done(Object.assign(new Error(said), { responseCode: said.startsWith('5') ? 550 : 450 }))
  },
})
mailServer.on('error', () => {})
const listening = mailServer.listen(0, '127.0.0.1')
await once(listening, 'listening')
t.teardown(() => new Promise(resolve => mailServer.close(() => resolve(undefined))))
const { port } = listening.address() as AddressInfo
const server = await startServer(t, { SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'fatal' })
const owner = await server.person({ role: 100 })

t.test('an invitation to an address that the mail server does not know is mailed once, and stays', async t => {
  const invited = [...refusals.keys(), 'known@test.example']
  await owner.ok('POST', '/invites', { invitee_emails: invited.join(','), invite_as: 400, stream_ids: [] })
  const mails = () => server.sql<{ to: string; state: string; attempts: number; error: string }[]>`
    select payload ->> 'to' as to, state, attempts, error from jobs
    where kind = 'mail' and payload ->> 'to' = any(${invited}::text[]) order by payload ->> 'to'`
  await until(async () => {
    const rows = await mails()
    return rows.length === 3 && rows.every(({ error }) => error !== null)
  })
  t.match(await mails(), [
    { to: 'busy@test.example', state: 'due', error: /4\.2\.1 try later/ },
    { to: 'relayed@test.example', state: 'due', error: /5\.7\.1 relaying denied/ },
    { to: 'unknown@test.example', state: 'dead', attempts: 1, error: /5\.1\.1 no such person/ },
  ])
  const { invites } = await owner.ok('GET', '/invites')
  t.same(
    invites.map((one: { email: string }) => one.email).sort(),
    invited.sort(),
    'each can be sent again, or revoked',
  )
  const failed = async () =>
    (await owner.ok('GET', '/invites')).invites.filter((one: { mail_failed?: true }) => one.mail_failed)
  const [lost, ...others] = await failed()
  t.match(lost, { email: 'unknown@test.example' })
  t.same(others, [], 'neither one that is tried again nor one that was sent')
  refusals.delete('unknown@test.example')
  await owner.ok('POST', `/invites/${lost.id}/resend`)
  t.same(await failed(), [])
  await until(async () => (await mails()).every(({ to }) => to !== 'unknown@test.example'))
  t.same(await failed(), [])
})

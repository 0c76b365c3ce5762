import t from 'tap'
import { createUser } from '../../server/actions/users/create.js'
import { until } from '../http/until.js'
import { newMails } from '../support/mails.js'
import { setOrganization, setUser } from '../support/organization.js'
import { PageClient } from '../support/page-client.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const { sql, ctx, jobs } = server
const mails = newMails(sql, server.config.dataDir, { withWelcome: true })
const page = new PageClient(server.url)
let count = 0
// A Monday.
const monday = Date.UTC(2029, 0, 1, 12)
const day = 86_400_000
/** A new account that joins at this time. */
const join = async (at: number, given: { readonly isQuiet?: boolean; readonly role?: number } = {}) => {
  ctx.clock.now = () => at
  const email = `new${++count}@test.example`
  return createUser(ctx, { email, fullName: `New ${count}`, role: 400, password: null, ...given })
}
/** The times of the further mails, in days from Monday. */
const planned = async () => {
  const rows = await sql<{ due: Date }[]>`select due from jobs where kind = 'welcome-mail' order by id`
  return rows.map(({ due }) => (due.getTime() - monday) / day)
}
/** Brings the next mails of all accounts forward. */
const next = async () => {
  const ids = (await sql<{ id: number }[]>`select id from jobs where kind = 'welcome-mail' and state = 'due'`).map(
    one => one.id,
  )
  await sql`update jobs set due = now() where id = any(${ids})`
  jobs.look()
  await until(async () => (await sql`select from jobs where id = any(${ids})`).length === 0)
  return mails()
}
const clear = async () => void (await sql`delete from jobs where kind = 'welcome-mail'`)

t.test('a new person gets four mails in the first week, none at a weekend', async t => {
  const user = await join(monday)
  t.match(await mails(), [{ to: user.delivery_email, subject: /^Welcome to /, text: new RegExp(user.delivery_email) }])
  t.same(await planned(), [2, 4, 7], 'Sunday becomes Monday')
  t.match(await next(), [{ to: user.delivery_email, subject: /^Topics/ }])
  t.match(await next(), [{ subject: /^Choose what/ }])
  t.match(await next(), [{ subject: /^Find messages/ }])
  t.same(await planned(), [])
  await join(monday + 2 * day)
  t.same(await planned(), [4, 7, 8], 'Saturday becomes Monday')
  await clear()
  const owner = await join(monday, { role: 100 })
  await setUser(sql, owner.id, { settings: { default_language: 'de' } })
  t.match((await mails()).at(-1)?.text, '#organization/invitations')
  await next()
  await next()
  t.match(await next(), [{ subject: /^Richte/ }], 'administrators, in their language')
})

t.test('neither bots and quiet accounts nor an organization without them have such mails', async t => {
  await join(monday, { isQuiet: true })
  await setOrganization(sql, { send_welcome_emails: false })
  await join(monday)
  t.same(await planned(), [])
  t.same(await mails(), [])
  await setOrganization(sql, { send_welcome_emails: true })
  await join(monday)
  const gone = await join(monday)
  await mails()
  await setUser(sql, gone.id, { is_active: false })
  t.equal((await next()).length, 1, 'not to the one who has left')
  await setOrganization(sql, { send_welcome_emails: false })
  t.same(await next(), [], 'switched off meanwhile')
  await setOrganization(sql, { send_welcome_emails: true })
  await clear()
})

t.test('the link in a mail ends the further ones of this account alone', async t => {
  const user = await join(monday)
  const other = await join(monday)
  const [mine] = (await mails()).filter(one => one.to === user.delivery_email)
  const link = new URL(/^List-Unsubscribe: <(.*)>$/m.exec(mine?.source ?? '')?.[1] ?? '').pathname
  t.match(link, '/accounts/unsubscribe/welcome/')
  t.equal((await page.post(link.replace('welcome', 'login'), {})).status, 404, 'the key of another kind')
  t.equal((await page.post(`${link}0`, {})).status, 404)
  t.equal((await planned()).length, 6)
  const sent = await page.post(link, { 'List-Unsubscribe': 'One-Click' }, { Origin: 'https://mail.example' })
  t.match(sent, { status: 200, text: /no more of these mails/ })
  t.match(await next(), [{ to: other.delivery_email }])
})

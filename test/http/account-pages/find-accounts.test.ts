import t from 'tap'
import { newMails } from '../../support/mails.js'
import { deactivate } from '../../support/organization.js'
import { PageClient } from '../../support/page-client.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const browser = new PageClient(server.url)
const mails = newMails(sql, server.config.dataDir)
const find = (emails: string) => browser.post('/accounts/find/', { emails })

t.test('each address gets one mail about its account; the page shows all of them alike', async t => {
  const [known, left] = [await server.person(), await server.person()]
  const bot = await server.person({ bot_type: 1, bot_owner_id: known.id })
  await deactivate(sql, left.id)
  t.match((await browser.get('/accounts/find/')).text, 'name="emails"')
  const page = await find(`${known.email}, ${left.email},${bot.email} ,none@test.example,${known.email},`)
  t.equal(page.status, 200)
  const items = [...page.text.matchAll(/<li[^>]*>([^<]*)<\/li>/g)].map(([, email]) => email)
  t.same(items, [known.email, left.email, bot.email, 'none@test.example'])
  const sent = new Map((await mails()).map(mail => [mail.to, mail.text]))
  t.equal(sent.size, 4)
  t.match(sent.get(known.email), `/login/?email=${encodeURIComponent(known.email)}`)
  t.match(sent.get(left.email), /is deactivated/)
  for (const email of [bot.email, 'none@test.example']) t.match(sent.get(email), /There is none/)
})

t.test('what is no list of one to ten addresses sends no mail', async t => {
  const many = Array.from({ length: 11 }, (_, i) => `a${i}@test.example`).join()
  for (const emails of [
    '',
    ',',
    'x',
    'a@test.example,x',
    'a@test.example;b@test.example',
    many,
    'a@test.example\nBcc: b@c.example',
  ]) {
    t.match(await find(emails), { status: 200, text: /role="alert"/ }, emails.slice(0, 30))
  }
  t.equal(
    (await browser.post('/accounts/find/', { emails: 'a@b.example' }, { Origin: 'https://evil.example' })).status,
    403,
  )
  t.same(await mails(), [])
})

t.test('an address gets two such mails in an hour, and the page stays the same', async t => {
  const [first, ...more] = [
    await find('often@test.example'),
    await find('often@test.example'),
    await find('OFTEN@test.example'),
  ]
  t.equal(more[0]?.text, first?.text)
  t.match(more[1], { status: 200, text: 'OFTEN@test.example' })
  t.equal((await mails()).length, 2)
})

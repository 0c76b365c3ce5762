// Previews of websites: a real HTTP server in the place of the websites, and a worker without work of its own, so that each test decides
// when a worker reads.
import t from 'tap'
import { WebsiteReader } from '../../../server/actions/messages/read-websites.js'
import { budgets } from '../../../server/config/budgets.js'
import { pruneWebsites } from '../../../server/store/files/websites.js'
import { until } from '../../http/until.js'
import { fetchOf, otherHost, toOtherHosts } from '../../support/external.js'
import { Listener } from '../../support/in-step.js'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t, {}, undefined, toOtherHosts())
const { ctx, sql } = server
const websites = new WebsiteReader()
await server.jobs.stop()

let title = 'Rain <at> last'
const host = await otherHost(t, (request, response) => {
  if (request.url === '/cut') request.socket.destroy()
  else if (request.url === '/held') response.writeHead(200, { 'Content-Type': 'text/html' }).write('<html>')
  else
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(
        `<html><meta property="og:image" content="/i.png"><title>${title.replace('<', '&lt;')}</title><p>Frogs rejoice.</p>`,
      )
})
const owner = await server.person({ role: 100 })
const turn = async (isOn: boolean) => {
  await setOrganization(sql, { inline_url_embed_preview: isOn })
  await ctx.directory.fresh()
}
await turn(true)

const never = new AbortController().signal
const send = async (who: Person, to: Person, content: string): Promise<number> =>
  (await who.ok('POST', '/messages', { type: 'direct', to: [to.id], content })).id
const html = async (who: Person, id: number) => (await who.ok('GET', `/messages/${id}`)).message.content as string
const readAll = async () => {
  let done = 0
  while (await websites.readNext(ctx, never)) done++
  return done
}
const afterTheClaim = () => sql`update website_work set due = now()`
let page = 0
const newPage = () => host.at(`/page/${page++}`)

t.test('a message goes out first, and shows its website when a worker has read it', async t => {
  const [author, reader] = [await server.person(), await server.person()]
  const url = newPage()
  const ear = await Listener.start(ctx, reader)
  const id = await send(author, reader, `see ${url}`)
  t.notMatch(await html(reader, id), 'message_embed')
  t.equal(await readAll(), 1)
  const shown = await html(reader, id)
  t.match(
    shown,
    /<div class="message_embed"><a class="message_embed_image" href="http:\/\/pictures.example:\d+\/page\/0" style="background-image: url\(&quot;\/external_content\//,
  )
  t.match(
    shown,
    '>Rain &lt;at&gt; last</a></div><div class="message_embed_description">Frogs rejoice.</div></div></div>',
  )
  const events = (await ear.inStep(t)).filter(event => event.type === 'update_message')
  t.match(events, [{ user_id: null, rendering_only: true, message_id: id, rendered_content: shown }])
  t.equal(events[0]?.orig_content, events[0]?.content)
  t.equal((await author.ok('GET', `/messages/${id}`)).message.last_edit_timestamp, undefined)
  t.equal(await readAll(), 0)
  const asked = host.asked.length
  t.match(
    await html(reader, await send(author, reader, url)),
    'message_embed',
    'a website that is known is shown at once',
  )
  const { rendered } = await author.ok('POST', '/messages/render', { content: url })
  t.notMatch(rendered, 'message_embed', 'it would tell that somebody has linked it')
  t.equal(await readAll(), 0)
  t.equal(host.asked.length, asked)
})

t.test(
  'nothing is read for bots, for an organization that does not want it, in quotations, and of addresses that are none',
  async t => {
    const [author, reader] = [await server.person(), await server.person()]
    const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
    const asked = host.asked.length
    await send(bot, reader, newPage())
    await send(author, reader, `> ${newPage()}`)
    await send(author, reader, Array.from({ length: 25 }, newPage).join(' '))
    await send(
      author,
      reader,
      `https://user:word@pictures.example/ [a](ftp://pictures.example) [b](/help) \`${newPage()}\``,
    )
    await author.ok('POST', '/messages/render', { content: newPage() })
    await turn(false)
    await send(author, reader, newPage())
    await turn(true)
    t.equal(await readAll(), 0)
    t.equal(host.asked.length, asked)
  },
)

t.test(
  'a website that cannot be read leaves its message as it is, and is not asked again for each message',
  async t => {
    const [author, reader] = [await server.person(), await server.person()]
    const ear = await Listener.start(ctx, reader)
    for (const url of [host.at('/cut'), 'http://127.0.0.2:8080/x', '[x](http://[::1]:8080/x)']) {
      const id = await send(author, reader, url)
      t.equal(await readAll(), 1, url)
      t.notMatch(await html(reader, id), '<div')
      await send(author, reader, url)
      t.equal(await readAll(), 0)
    }
    t.same(
      (await ear.inStep(t)).filter(event => event.type === 'update_message'),
      [],
    )
  },
)

t.test('an edit before the website was read shows the website of the new text alone', async t => {
  const [author, reader] = [await server.person(), await server.person()]
  const [before, after] = [newPage(), newPage()]
  const id = await send(author, reader, before)
  await author.ok('PATCH', `/messages/${id}`, { content: after })
  t.equal(await readAll(), 1)
  t.match(await html(reader, id), new RegExp(`message_embed_title"><a href="${after}"`))
  t.notMatch(await html(reader, id), `"${before}"`)
})

t.test('an edit while a website is read gives the message work of its own', async t => {
  const [author, reader] = [await server.person(), await server.person()]
  let arrived = () => {}
  let answer = () => {}
  const asked = new Promise<void>(resolve => (arrived = resolve))
  const slow = await otherHost(t, (_, response) => {
    arrived()
    answer = () => response.end()
  })
  const id = await send(author, reader, slow.at('/'))
  const reading = websites.readNext(ctx, never)
  await asked
  const later = newPage()
  await author.ok('PATCH', `/messages/${id}`, { content: later })
  answer()
  await reading
  t.equal(await readAll(), 1)
  t.match(await html(reader, id), `message_embed_title"><a href="${later}"`)
})

t.test('the work of a worker that died is taken over, but not for ever', async t => {
  const [author, reader] = [await server.person(), await server.person()]
  const id = await send(author, reader, newPage())
  await sql`update website_work set due = now() + interval '1 minute', attempts = 1`
  t.equal(await readAll(), 0, 'another worker has begun')
  await afterTheClaim()
  t.equal(await readAll(), 1)
  t.match(await html(reader, id), 'message_embed')
  const deadly = await send(author, reader, newPage())
  await sql`update website_work set attempts = 3`
  t.equal(await readAll(), 1)
  t.notMatch(await html(reader, deadly), 'message_embed')
  t.same(await sql`select from website_work`, [])
})

t.test('a worker that stops leaves its work to another one', async t => {
  const [author, reader] = [await server.person(), await server.person()]
  const id = await send(author, reader, newPage())
  t.equal(await websites.readNext(ctx, AbortSignal.abort()), false)
  t.equal((await sql`select from website_work`).length, 1)
  await afterTheClaim()
  t.equal(await readAll(), 1)
  t.match(await html(reader, id), 'message_embed')
})

t.test('more websites of one sender than allowed in a minute are read later', async t => {
  const [author, other] = [await server.person(), await server.person()]
  const allowed = [{ seconds: 60, most: budgets.websitesPerMinute.most }]
  for (let n = 1; n < budgets.websitesPerMinute.most; n++)
    await ctx.attempts.count('website', String(author.id), allowed, ctx.clock.now())
  const asked = host.asked.length
  const id = await send(author, other, `${newPage()} ${newPage()}`)
  await readAll()
  t.equal(host.asked.length, asked + 1)
  t.equal((await html(other, id)).match(/<div class="message_embed">/g)?.length, 1, 'what was read is shown')
  await send(other, author, newPage())
  t.equal(await readAll(), 1)
  t.equal(host.asked.length, asked + 2, 'other senders are not concerned')
  // As if two minutes had passed.
  await ctx.attempts.forget('website', String(author.id))
  await afterTheClaim()
  t.equal(await readAll(), 1)
  t.equal((await html(other, id)).match(/<div class="message_embed">/g)?.length, 2)
  t.same(await sql`select from website_work`, [])
})

t.test('senders take turns, and a worker reads one message of a sender at a time', async t => {
  const [slow, other, reader] = [await server.person(), await server.person(), await server.person()]
  let answer: (() => void) | undefined
  let isQuick = false
  const held = await otherHost(t, (_, response) => {
    answer = () => response.end()
    if (isQuick) answer()
  })
  for (let n = 0; n < 3; n++) await send(slow, reader, held.at(`/${n}`))
  const reading = websites.readNext(ctx, never)
  await until(() => answer !== undefined)
  t.equal(await websites.readNext(ctx, never), false, 'the other messages of the sender wait')
  for (let n = 0; n < 2; n++) {
    const id = await send(other, reader, newPage())
    t.equal(await websites.readNext(ctx, never), true)
    t.match(await html(reader, id), 'message_embed')
  }
  isQuick = true
  answer?.()
  t.equal(await reading, true)
  for (let n = 0; n < 2; n++) await send(other, reader, newPage())
  const left = async () => {
    const rows = await sql`select sender_id from website_work order by sender_id`
    return rows.map(row => row.sender_id)
  }
  const [a, b] = [slow.id, other.id]
  for (const expected of [[a, b, b], [a, b], [b], []]) {
    t.equal(await websites.readNext(ctx, never), true)
    t.same(await left(), expected)
  }
})

t.test('one who posts many slow links does not delay the websites of others', async t => {
  const crowd = await startServer(t, {}, undefined, toOtherHosts())
  await setOrganization(crowd.sql, { inline_url_embed_preview: true })
  await crowd.ctx.directory.fresh()
  const [guest, member] = [await crowd.person({ role: 600 }), await crowd.person()]
  const silent = await otherHost(t, () => {})
  for (let n = 0; n < budgets.websitesAtOnce.most + 4; n++) await send(guest, guest, silent.at(`/${n}`))
  await until(() => silent.asked.length > 0)
  const id = await send(member, member, newPage())
  // Less time than the budget of one silent website.
  await until(async () => (await html(member, id)).includes('message_embed'))
  t.equal(silent.asked.length, 1)
})

t.test('a message that no worker has read within an hour is forgotten; one that has begun is not', async t => {
  const author = await server.person()
  const [waiting, begun] = [await send(author, author, newPage()), await send(author, author, newPage())]
  await sql`update website_work set due = now() - interval '61 minutes', attempts = (message_id = ${begun})::int`
  const later = await send(author, author, newPage())
  await pruneWebsites(sql)
  const left = await sql`select message_id from website_work order by message_id`
  t.same(
    left.map(row => row.message_id),
    [begun, later],
  )
  t.equal(await readAll(), 2)
  t.notMatch(await html(author, waiting), 'message_embed')
})

t.test('a website whose host is busy is read later', async t => {
  const external = toOtherHosts({ perHost: 1, websiteMs: 2_000 })
  const busy = await startServer(t, {}, undefined, external)
  await busy.jobs.stop()
  const author = await busy.person()
  await setOrganization(busy.sql, { inline_url_embed_preview: true })
  await busy.ctx.directory.fresh()
  const { body } = await external.hosts.get(host.at('/held'), fetchOf())
  const id = await send(author, author, newPage())
  t.equal(await websites.readNext(busy.ctx, never), true)
  t.same(await busy.sql`select from websites`, [], 'nothing is known of it')
  t.equal(await websites.readNext(busy.ctx, never), false, 'not at once')
  body.destroy()
  await busy.sql`update website_work set due = now()`
  t.equal(await websites.readNext(busy.ctx, never), true)
  t.match(await html(author, id), 'message_embed')
})

t.test('a deleted message takes its work with it', async t => {
  const author = await server.person()
  const id = await send(author, author, newPage())
  await sql`delete from messages where id = ${id}`
  t.same(await sql`select from website_work`, [])
})

t.test('what is known of websites expires, and is bounded', async t => {
  const [author, reader] = [await server.person(), await server.person()]
  const url = newPage()
  await send(author, reader, url)
  await readAll()
  title = 'Later'
  await sql`update websites set expires = now()`
  const id = await send(author, reader, url)
  t.equal(await readAll(), 1)
  t.match(await html(reader, id), 'Later')
  await sql`insert into websites select 'https://a.example/' || n, null, now() + interval '1 minute' from generate_series(1, 20) n`
  await pruneWebsites(sql, 1)
  t.match(await sql`select url from websites`, [{ url }])
})

t.test('a server without EXTERNAL_CONTENT announces that it reads no websites, and reads none', async t => {
  t.equal((await owner.ok('POST', '/register')).server_inline_url_embed_preview, true)
  const closed = await startServer(t, { EXTERNAL_CONTENT: '0' })
  const person = await closed.person({ role: 100 })
  await setOrganization(closed.sql, { inline_url_embed_preview: true })
  await closed.ctx.directory.fresh()
  t.match(await person.ok('POST', '/register'), {
    server_inline_url_embed_preview: false,
    realm_inline_url_embed_preview: true,
  })
  const id = await send(
    person,
    person,
    `${host.at('/page')} https://pics.example/cat.png ![x](https://a.example/s.mp3)`,
  )
  t.notMatch(await html(person, id), /external_content|<div|<audio/)
  t.same(await closed.sql`select from website_work`, [])
})

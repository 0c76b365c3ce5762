import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { otherHost } from '../support/external.js'
import { Api } from '../support/http.js'
import { setOrganization } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { startServer, testOrganization } from '../support/server.js'
import { rounds } from './support/amounts.js'
import { startWorker } from './support/killable-worker.js'
import { registerQueue } from './support/queue.js'
import { eventually } from './support/wait.js'

/** A worker that reads websites of this machine. */
/** Polls a queue to its end, again and again until `isEnough`; returns all events. */
async function eventsOf(person: Person, queue_id: string, last: number, isEnough: (types: string[]) => boolean) {
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any event
  const events: any[] = []
  await eventually('the events arrive', async () => {
    const from = events.at(-1)?.id ?? last
    const body = await person.ok('GET', '/events', { queue_id, last_event_id: from, dont_block: true })
    events.push(...body.events)
    return isEnough(events.map(event => event.type))
  })
  return events
}

t.test('a worker is killed while it reads websites', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  await setOrganization(sql, { inline_url_embed_preview: true })
  // It has the queue and reads no websites.
  const bystander = await startServer(t, { EXTERNAL_CONTENT: '0' }, organization)
  const [author, reader] = [await bystander.person(), await bystander.person()]

  const page = '<html><meta property="og:image" content="/i.png"><title>Rain</title>'
  const held: ServerResponse[] = []
  let isHolding = false
  let broken = 0
  const host = await otherHost(t, ({ url = '' }, response) => {
    response.on('close', () => {
      if (!response.writableFinished) broken++
    })
    if (!isHolding || url.startsWith('/known')) {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
      return
    }
    held.push(response)
    if (url.startsWith('/half')) response.writeHead(200, { 'Content-Type': 'text/html' }).write(page)
  })

  let worker = await startWorker(t, organization)
  for (let round = 0; round < rounds; round++) {
    const paths = ['silent', 'half', 'known'].map(name => `/${name}/${round}`)
    const urls = paths.map(path => host.at(path))
    const queue = { event_types: ['message', 'update_message'], apply_markdown: true }
    const { queueId, last } = await registerQueue(reader, queue)
    const asked = host.asked.length
    held.length = 0
    broken = 0
    isHolding = true
    const send = (content: string) =>
      new Api(worker.url, author.who).ok('POST', '/messages', { type: 'direct', to: [reader.id], content })
    const { id } = await send(urls.join(' '))
    const isKnown = async () => (await sql`select from websites where url = ${urls[2] ?? ''}`).length === 1
    await eventually('one website is known, and the others are asked', async () => held.length === 2 && isKnown())
    await worker.kill()
    await eventually('the websites see that their reader is gone', () => broken === 2)
    isHolding = false

    worker = await startWorker(t, organization)
    const [work] = await sql`
      select message_id, attempts, due > now() + interval '1 minute' as is_claimed from website_work`
    t.same(work, { message_id: id, attempts: 1, is_claimed: true }, 'the message is still claimed by the dead worker')
    // As if the two minutes had passed that a worker has for a message.
    await sql`update website_work set due = now()`
    await eventually('the work is done', async () => (await sql`select from website_work`).length === 0)
    const count = (html: string) => html.match(/<div class="message_embed">/g)?.length ?? 0
    const shown = (await reader.ok('GET', `/messages/${id}`)).message.content as string
    t.equal(count(shown), 3, 'the message shows all websites')
    t.same(
      host.asked.slice(asked).sort(),
      [0, 0, 1, 1, 2].map(n => `GET ${paths[n]}`).sort(),
      'what the dead worker had read is not read again',
    )

    // Longer than the time after which workers look for due work again.
    await sleep(6_000)
    await send('the end')
    const events = await eventsOf(reader, queueId, last, types => types.filter(type => type === 'message').length === 2)
    t.match(events, [
      { type: 'message', message: { id } },
      { type: 'update_message', message_id: id, user_id: null, rendering_only: true, rendered_content: shown },
      { type: 'message', message: { content: '<p>the end</p>' } },
    ])
    t.equal(events.length, 3, 'the message is rendered again once')
    t.equal(count(events[0].message.content), 0)
    t.equal(host.asked.length, asked + 5)
    await eventually('the outbox is empty', async () => (await sql`select from outbox`).length === 0)
  }
})

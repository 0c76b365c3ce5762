// Not a test: measures the page among 10,000 accounts and 100,000 messages (docs/web-client-internals.md#speed): `node dist/test/web/measure-view.js`.
// Prints the times of frames while a history scrolls and while messages arrive, the live heap, the longest task of the start, and how long the organization takes to open.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, openWindow } from './support/browser.js'

const accounts = 10_000
const history = 100_000
const seconds = 10
const perSecond = 50
const ends: (() => unknown)[] = []
const teardown = { teardown: (end: () => unknown) => ends.push(end) }

/** Runs `each` in every frame for some seconds; the times between frames in ms. */
const frames = (page: Page, each = '') =>
  page.evaluate<number[]>(`new Promise(done => {
    const list = document.querySelector('.feed-scroll')
    const times = []
    let last = performance.now()
    const end = last + ${seconds * 1000}
    const frame = now => {
      times.push(now - last)
      last = now
      ${each}
      if (now < end) requestAnimationFrame(frame)
      else done(times)
    }
    requestAnimationFrame(frame)
  })`)

const inSight = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('.message')].find(one => one.getBoundingClientRect().top > 80)?.textContent.match(/(number|new) \\d+/)?.[0]`,
  )

function say(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] as number).toFixed(1)
  process.stdout.write(
    `${what}: ${(times.length / seconds).toFixed(0)} frames a second, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(0.9999)} ms\n`,
  )
}

/** Ms from the change of the address until what it asks for is painted. */
const opening = (page: Page, hash: string, shown: string) =>
  page.evaluate<number>(`new Promise(done => {
    const begin = performance.now()
    const look = () => requestAnimationFrame(() => (document.querySelector('${shown}') ? done(performance.now() - begin) : look()))
    location.hash = '${hash}'
    look()
  })`)

try {
  const server = await startServer(teardown)
  const [ada, bob] = [
    await server.person({ full_name: 'Ada Lovelace', role: 100 }),
    await server.person({ full_name: 'Bob Kahn' }),
  ]
  await server.sql.begin(
    async tx => tx`
      insert into users (delivery_email, full_name, role, email_address_visibility, api_key, settings, is_active, date_joined, version)
      select 'p' || n || '@many.example', 'Person ' || n, 400, 1, md5('key' || n), '{}', true, now(), ${await bumpVersion(tx)}
      from generate_series(1, ${accounts}::int) as n`,
  )
  const principals = [ada.id, bob.id]
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }], principals })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  await server.sql`
    insert into messages (sender_id, channel_id, topic, content, rendered_content, renderer_version)
    select ${bob.id}::int, ${channel}::int, 'long', 'number ' || n, '<p>number ' || n || repeat('</p>' || chr(10) || '<p>more of it', n % 4) || '</p>', 1
    from generate_series(1, ${history}::int) as n`
  const { id } = await bob.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'long', content: 'the end' })
  await ada.ok('POST', '/mark_all_as_read')
  const browser = await launchBrowser(teardown)
  const { page } = await openWindow(browser, `${server.url}/status`, ada)
  await page.addInitScript(`window.longest = 0
    new PerformanceObserver(list => { for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration) })
      .observe({ type: 'longtask', buffered: true })`)
  await page.goto(`${server.url}/#channel/${channel}/long`)
  await messageWith(page, 'the end').waitFor()
  await sleep(2000)
  process.stdout.write(`start with ${accounts} accounts: longest task ${await page.evaluate('window.longest')} ms\n`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  process.stdout.write(`live heap: ${(usedSize / 1e6).toFixed(1)} MB\n`)

  const topic = `channel/${channel}/long`
  const opened = {
    // The first time, the browser loads the code of the page.
    'the organization, first': await opening(page, 'organization/general', '.settings-part'),
    'its people': await opening(page, 'organization/people', '.people-rows a'),
    'the topic': await opening(page, topic, '.message'),
    'the people again': await opening(page, 'organization/people', '.people-rows a'),
  }
  for (const [what, ms] of Object.entries(opened)) process.stdout.write(`opens ${what}: ${ms.toFixed(0)} ms\n`)
  await opening(page, topic, '.message')

  say('scrolling up', await frames(page, 'list.scrollTop -= 100'))
  process.stdout.write(`  then in sight: ${await inSight(page)}\n`)
  await page.goto(`${server.url}/#channel/${channel}/long/near/${id - history / 2}`)
  await sleep(2000)
  say('scrolling down from the middle', await frames(page, 'list.scrollTop += 100'))
  process.stdout.write(`  then in sight: ${await inSight(page)}\n`)
  await page.goto(`${server.url}/#channel/${channel}/long`)
  await page.keyboard.press('End')
  await sleep(2000)
  const arriving = frames(page)
  for (let n = 0; n < seconds * perSecond; n++) {
    void bob.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'long', content: `new ${n}` })
    await sleep(1000 / perSecond)
  }
  say(`${perSecond} messages a second arriving`, await arriving)
  process.stdout.write(`  then in sight: ${await inSight(page)}\n`)
} finally {
  for (const end of ends.reverse()) await end()
}

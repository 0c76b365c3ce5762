// Not a test: measures the list of channels (docs/web-client-internals.md#speed): `node dist/test/web/measure-sidebar.js`. Prints how long 1,000
// channels take to appear, to be filtered and to be walked through, and the times of frames while messages arrive in 170 channels.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startServer } from '../support/server.js'
import { launchBrowser, openWindow } from './support/browser.js'

const perSecond = 50
const seconds = 10
const ends: (() => unknown)[] = []
const teardown = { teardown: (end: () => unknown) => ends.push(end) }

/** From before `work` to the paint after it, in ms. */
const timeOf = (page: Page, work: string) =>
  page.evaluate<number>(`new Promise(done => {
    const start = performance.now()
    ${work}
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => done(performance.now() - start)
      channel.port2.postMessage(0)
    })
  })`)

async function median(page: Page, work: string, back: string): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 9; n++) {
    times.push(await timeOf(page, work))
    await timeOf(page, back)
    await sleep(100)
  }
  return times.sort((a, b) => a - b)[4] as number
}

const say = (what: string, ms: number) => process.stdout.write(`${what}: ${ms.toFixed(1)} ms\n`)
const click = (selector: string) => `document.querySelector('${selector}').click()`
const write = (text: string) =>
  `{ const box = document.querySelector('.list-filter'); box.value = '${text}'; box.dispatchEvent(new Event('input', { bubbles: true })) }`

try {
  const server = await startServer(teardown)
  const [ada, bob] = [await server.person({ full_name: 'Ada' }), await server.person({ full_name: 'Bob' })]
  const subscribe = (from: number, to: number) =>
    ada.ok('POST', '/users/me/subscriptions', {
      subscriptions: Array.from({ length: to - from }, (_, n) => ({ name: `channel ${from + n}` })),
      principals: [ada.id, bob.id],
      send_new_subscription_messages: false,
    })
  for (let n = 0; n < 200; n += 50) await subscribe(n, Math.min(n + 50, 170))
  const { streams } = await ada.ok('GET', '/streams')
  const ids: number[] = streams.map((stream: { stream_id: number }) => stream.stream_id)
  const browser = await launchBrowser(teardown)
  const { page } = await openWindow(browser, `${server.url}/#inbox`, ada)
  await page.locator('[data-channel]').nth(169).waitFor({ state: 'attached' })
  await sleep(2000)
  const frames = page.evaluate<number[]>(`new Promise(done => {
    const times = []
    let last = performance.now()
    const end = last + ${seconds * 1000}
    const frame = now => {
      times.push(now - last)
      last = now
      if (now < end) requestAnimationFrame(frame)
      else done(times)
    }
    requestAnimationFrame(frame)
  })`)
  for (let n = 0; n < seconds * perSecond; n++) {
    const to = ids[n % ids.length]
    void bob.ok('POST', '/messages', { type: 'channel', to, topic: `topic ${n % 7}`, content: `new ${n}` })
    await sleep(1000 / perSecond)
  }
  const sorted = (await frames).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] as number
  process.stdout.write(
    `170 channels, ${perSecond} messages a second: ${(sorted.length / seconds).toFixed(0)} frames a second, `,
  )
  process.stdout.write(
    `p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms, longest ${at(0.9999).toFixed(1)} ms\n`,
  )

  for (let n = 170; n < 1000; n += 50) await subscribe(n, Math.min(n + 50, 1000))
  await ada.ok('PATCH', '/settings', { demote_inactive_streams: 3 })
  await ada.ok('POST', '/mark_all_as_read')
  await page.reload()
  await page.locator('[data-channel]').nth(999).waitFor({ state: 'attached' })
  await sleep(2000)
  const toggle = click('[data-section=channels] .section-toggle')
  await timeOf(page, toggle)
  await sleep(500)
  say('1,000 channels appear', await median(page, toggle, toggle))
  await timeOf(page, toggle)
  say('1,000 channels, filtered by one letter', await median(page, write('9'), write('')))
  await page.locator('.list-filter').focus()
  await page.keyboard.press('ArrowDown')
  const key = (name: string) =>
    `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${name}', bubbles: true, cancelable: true }))`
  say('1,000 channels, a step by arrow key', await median(page, key('ArrowDown'), key('ArrowDown')))
  say('1,000 channels, to the end and back', await median(page, key('End'), key('Home')))
} finally {
  for (const end of ends.reverse()) await end()
}

import type { CDPSession, Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { sendFiles } from '../support/files.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'
import { until } from './support/reading.js'

interface Point {
  readonly x: number
  readonly y: number
}

const scaleOf = (page: Page): Promise<number> =>
  page.evaluate(`new DOMMatrix(getComputedStyle(document.querySelector('.viewer img')).transform).a`)

/** Moves fingers in some steps from places to others. */
async function move(devtools: CDPSession, from: readonly Point[], to: readonly Point[]): Promise<void> {
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [...from] })
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const touchPoints = from.map(({ x, y }, i) => ({
      x: x + ((to[i]?.x ?? x) - x) * part,
      y: y + ((to[i]?.y ?? y) - y) * part,
    }))
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints })
  }
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

t.test('the viewer on a phone', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const give = async (name: string, width: number, height: number) => {
    const picture = sharp({ create: { width, height, channels: 3, background: '#356' } })
    const bytes = new Uint8Array(await picture.png().toBuffer())
    const { body } = await sendFiles(server.url, ada, '/user_uploads', { files: [{ name, bytes, type: 'image/png' }] })
    return `[${name}](${body.url})`
  }
  const pictures = [await give('lake.png', 1200, 900), await give('hill.png', 1200, 900)]
  const huge = await give('huge.png', 8000, 5100)
  const to = { type: 'channel', to: channel, topic: 'notes' }
  await ada.ok('POST', '/messages', { ...to, content: pictures.join('\n') })
  await ada.ok('POST', '/messages', { ...to, content: huge })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}/notes`, ada, phone)
  const devtools = await page.context().newCDPSession(page)
  const open = (name: string) => page.getByRole('dialog', { name })
  const fingers = (apart: number) => [
    { x: 195 - apart / 2, y: 400 },
    { x: 195 + apart / 2, y: 400 },
  ]
  await page.locator('a.picture img[alt="lake.png"]:not(.image-loading-placeholder)').tap()
  await open('lake.png').waitFor()
  await until(page, `document.querySelector('.viewer img').naturalWidth === 1200`)

  await t.test('two fingers enlarge, and no further than the picture as a whole back', async t => {
    await move(devtools, fingers(80), fingers(240))
    await until(page, `document.querySelector('.viewer.large')`)
    const scale = await scaleOf(page)
    t.ok(Math.abs(scale - 3) < 0.2, String(scale))
    await move(devtools, fingers(240), fingers(20))
    await until(page, `!document.querySelector('.viewer.large')`)
    t.equal(await scaleOf(page), 1)
  })

  await t.test('a finger moves a large picture, and leads to no other', async t => {
    await move(devtools, fingers(80), fingers(240))
    await until(page, `document.querySelector('.viewer.large')`)
    await move(devtools, [{ x: 300, y: 400 }], [{ x: 60, y: 400 }])
    await until(page, `new DOMMatrix(getComputedStyle(document.querySelector('.viewer img')).transform).e < -100`)
    t.ok(await open('lake.png').isVisible())
    await move(devtools, fingers(240), fingers(20))
    await until(page, `!document.querySelector('.viewer.large')`)
  })

  await t.test('a swipe leads to the next one and back, a short one nowhere', async t => {
    await move(devtools, [{ x: 300, y: 400 }], [{ x: 90, y: 400 }])
    await open('hill.png').waitFor()
    await move(devtools, [{ x: 200, y: 400 }], [{ x: 170, y: 400 }])
    await move(devtools, [{ x: 90, y: 400 }], [{ x: 300, y: 400 }])
    await open('lake.png').waitFor()
    await move(devtools, [{ x: 90, y: 400 }], [{ x: 300, y: 400 }])
    t.ok(await open('lake.png').isVisible(), 'there is none before the first')
  })

  await t.test('of a picture with more pixels than a phone can hold the smaller copy is shown', async t => {
    await page.keyboard.press('Escape')
    await open('lake.png').waitFor({ state: 'detached' })
    await page.locator('a.picture img[alt="huge.png"]:not(.image-loading-placeholder)').tap()
    await open('huge.png').getByText('a smaller copy; the download has all pixels').waitFor()
    await until(page, `document.querySelector('.viewer img').naturalWidth > 0`)
    t.equal(await page.evaluate(`document.querySelector('.viewer img').naturalWidth`), 840)
    const download = page.waitForEvent('download')
    await open('huge.png').getByRole('link', { name: 'Download' }).tap()
    t.equal((await download).suggestedFilename(), 'huge.png')
  })

  t.same(wrongs, [])
})

import type { Page } from 'playwright-core'
import t from 'tap'
import { setUser } from '../support/organization.js'
import { startServer } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { launchBrowser, messageWith, needsBrowser, openWindow } from './support/browser.js'
import { readUpwards, until, unwatch, watch } from './support/reading.js'

const count = 460
// A browser puts what is scrolled at whole pixels.
const mostPixels = 5

/** Of very different height: a word, some lines, a page of code, a picture. */
function contentOf(n: number): string {
  const kinds = [
    'short.',
    'two\n\nparagraphs.',
    'a long text. '.repeat(120),
    'and again.',
    `code:\n\`\`\`js\n${'const line = 1\n'.repeat(30)}\`\`\``,
    'a picture.',
    `* ${Array.from({ length: 12 }, (_, line) => `line ${line}`).join('\n* ')}`,
  ]
  return `number ${n}: ${kinds[n % kinds.length]}`
}

t.test('what is read stays where it stands, whatever comes above it', needsBrowser, async t => {
  const server = await startServer(t)
  const { proxy, url } = await TcpProxy.before(t, server.url)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, bob.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const ids: number[] = []
  const send = async (content: string) => {
    const { id } = await bob.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'long', content })
    return id as number
  }
  for (let n = 0; n < count; n++) ids.push(await send(contentOf(n)))
  await server.sql`
    update messages set rendered_content = '<p>a picture</p><p><img src="/late/' || id || '.svg" alt="late"></p>'
    where content like '%a picture.'`
  await ada.ok('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' })
  const browser = await launchBrowser(t)

  for (const slowness of [1, 6]) {
    await t.test(`in a browser that is ${slowness} times slower`, async t => {
      const { page, wrongs } = await openWindow(browser, `${url}/#channel/${channel}/long`, ada)
      let showPictures = () => {}
      const mayShow = new Promise<void>(resolve => {
        showPictures = resolve
      })
      const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>'
      await page.route('**/late/*.svg', async route => {
        await mayShow
        await route.fulfill({ body: picture, contentType: 'image/svg+xml' })
      })
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness })
      await page.locator('.message').last().waitFor()
      const isLoading = (is: boolean) => page.locator(`.feed-scroll[aria-busy="${is}"]`).waitFor()
      const heightOf = async () => Number(await page.evaluate(`document.querySelector('.feed-scroll').scrollHeight`))

      await t.test('a page of older messages, and a new message, without scrolling', async t => {
        await isLoading(false)
        proxy.cut('answers')
        await scrollUpUntil(page, `document.querySelector('.feed-scroll').ariaBusy === 'true'`)
        const height = await heightOf()
        await watch(page)
        await send(`meanwhile ${slowness}`)
        proxy.heal()
        await isLoading(false)
        await until(page, `document.querySelector('.feed-scroll').scrollHeight > ${height + 1500}`)
        const moved = await unwatch(page)
        t.ok(moved < mostPixels, `${moved} pixels`)
      })
      await t.test('pages that come while the reader scrolls', async t => {
        const { moved, pages } = await readUpwards(page, 2)
        t.equal(pages, 2)
        t.ok(moved < mostPixels, `${moved} pixels`)
      })
      await t.test('pictures above that load late', async t => {
        await scrollUpUntil(page, picturesAbove)
        await watch(page)
        const height = await heightOf()
        showPictures()
        await until(page, `[...document.querySelectorAll('.feed-scroll img')].every(one => one.complete)`)
        const moved = await unwatch(page)
        t.ok((await heightOf()) > height + 100, 'they take room')
        t.ok(moved < mostPixels, `${moved} pixels`)
      })
      await t.test('a text above that is edited, and a message that is deleted', async t => {
        await scrollUpUntil(page, `${nextAbove}.length === 2`)
        const [edited, deleted] = (await page.evaluate(nextAbove)) as [string, string]
        await watch(page)
        await bob.ok('PATCH', `/messages/${edited}`, { content: `edited. ${'longer. '.repeat(400)}` })
        await messageWith(page, 'edited. longer.').first().waitFor({ state: 'attached' })
        await setUser(server.sql, bob.id, { role: 100 })
        await bob.ok('DELETE', `/messages/${deleted}`)
        await page.locator(`[data-message-id="${deleted}"]`).waitFor({ state: 'detached' })
        const moved = await unwatch(page)
        t.ok(moved < mostPixels, `${moved} pixels`)
      })
      t.same(wrongs, [])
      await page.context().close()
    })
  }
})

// Programs for the page: the program of the tests knows no document.

/** The two messages that are in the document next above the window; empty as long as there are not so many. */
const nextAbove = `(() => {
  const { top } = document.querySelector('.feed-scroll').getBoundingClientRect()
  const above = [...document.querySelectorAll('[data-message-id]')].filter(one => one.getBoundingClientRect().bottom < top)
  return above.slice(-2).map(one => one.dataset.messageId)
})()`

const picturesAbove = `(() => {
  const { top } = document.querySelector('.feed-scroll').getBoundingClientRect()
  return [...document.querySelectorAll('.feed-scroll img')].some(one => !one.complete && one.getBoundingClientRect().top < top)
})()`

const scrollUpUntil = (page: Page, condition: string): Promise<void> =>
  until(page, `(${condition} || (document.querySelector('.feed-scroll').scrollTop -= 150, false))`)

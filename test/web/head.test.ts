import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow } from './support/browser.js'
import { overflowing } from './support/overflowing.js'

const widths = [320, 500, 760, 860, 1000, 1280]

/** Widths in pixels of the names in the head, and of the search; whether the name of the topic is cut off. */
const partsOf = (page: Page): Promise<Record<'channel' | 'topic' | 'search', number> & { readonly isCut: boolean }> =>
  page.evaluate(`(() => {
    const find = selector => document.querySelector('.feed-head ' + selector)
    const widthOf = selector => find(selector).getBoundingClientRect().width
    const topic = find('.title-text')
    const text = document.createRange()
    text.selectNodeContents(topic)
    return {
      channel: widthOf('.title-channel'),
      topic: topic.getBoundingClientRect().width,
      search: widthOf('.search'),
      isCut: text.getBoundingClientRect().width > topic.getBoundingClientRect().width,
    }
  })()`)

t.test('the head of a topic at every width', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const open = async (name: string, topic: string) => {
    await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: name })
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic, content: 'the first one' })
    return `${server.url}/#channel/${channel}/${encodeURIComponent(topic)}`
  }
  const short = await open('engine', 'queue latency')
  const long = await open(
    'engineering, research and maintenance of looms',
    'what we want to have done before the summer',
  )
  const browser = await launchBrowser(t)

  for (const width of widths)
    await t.test(`${width} pixels show the name of the topic, and nothing sticks out`, async t => {
      const { page, wrongs } = await openWindow(browser, long, ada, { viewport: { width, height: 700 } })
      await messageWith(page, 'the first one').waitFor()
      for (const isSearching of [false, true]) {
        if (isSearching && width < 760) continue
        if (isSearching) await page.getByRole('button', { name: 'Search messages' }).click()
        const { channel, topic } = await partsOf(page)
        const why = isSearching ? 'while the search is open' : 'while it is closed'
        t.ok(topic >= 48, `${topic} pixels of the topic ${why}`)
        t.ok(channel >= 36, `${channel} pixels of the channel ${why}`)
        t.same(await overflowing(page), [], why)
      }
      t.same(wrongs, [])
      await page.context().close()
    })

  await t.test('people beside the view take no room from the name of the topic', async t => {
    const { page, wrongs } = await openWindow(browser, long, ada, { viewport: { width: 1000, height: 700 } })
    await messageWith(page, 'the first one').waitFor()
    await page.getByLabel('People', { exact: true }).click()
    await page.getByRole('complementary', { name: 'People' }).waitFor()
    t.ok((await partsOf(page)).topic >= 48)
    t.same(await overflowing(page), [])
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('a name of usual length is whole where the search can give way', async t => {
    for (const width of [860, 1280]) {
      const { page, wrongs } = await openWindow(browser, short, ada, { viewport: { width, height: 700 } })
      await messageWith(page, 'the first one').waitFor()
      const { isCut, search } = await partsOf(page)
      t.notOk(isCut, `at ${width}`)
      t.ok(search >= (width === 860 ? 50 : 210), `${search} pixels of the search`)
      t.same(wrongs, [])
      await page.context().close()
    }
  })
})

import { once } from 'node:events'
import type { Page } from 'playwright-core'
import t from 'tap'
import { childrenOf } from '../support/processes.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow, write } from './support/browser.js'
import { readFeed, toNewest } from './support/read-feed.js'

// A server restarts while two users write to each other: no page reloads, no message is lost or duplicated.
t.test('two people write on while their server restarts', needsBrowser, async t => {
  const organization = await testOrganization(t)
  const start = (port: string) => spawnServer(t, { WORKERS: '2', PORT: port }, organization)
  let server = await start('0')
  const { url } = server
  const { port } = new URL(url)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, bob.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const browser = await launchBrowser(t)
  const address = `${url}/#channel/${channel}/restarts`
  const [hers, his] = await Promise.all([openWindow(browser, address, ada), openWindow(browser, address, bob)])
  const pages = [hers.page, his.page]
  const phase = (page: Page, wanted: string) => page.locator(`.corner[data-phase="${wanted}"]`).waitFor()
  const sent: string[] = []

  const writeBoth = async (what: string) => {
    for (const [name, page] of [
      ['Ada', hers.page],
      ['Bob', his.page],
    ] as const) {
      const text = `${what} by ${name}, number ${sent.length}.`
      sent.push(text)
      await write(page, text)
    }
  }
  /** Writes in both windows during `work`, from before its start until after its end. */
  const writeDuring = async (what: string, work: () => Promise<unknown>) => {
    let isOver = false
    const working = work().finally(() => {
      isOver = true
    })
    do {
      await writeBoth(what)
      await hers.page.waitForTimeout(200)
    } while (!isOver)
    await working
    await writeBoth(`after ${what}`)
  }
  /**
   * Messages in flight when the connection broke may have arrived or not: the user sends those again that the page did
   * not find.
   */
  const sendAllAgain = async (page: Page) => {
    const again = page.getByRole('button', { name: 'Send again' })
    while ((await page.locator('.unsent').count()) > 0) {
      if ((await again.count()) > 0) await again.first().click()
      await page.waitForTimeout(50)
    }
  }
  const eachOnce = async (t: {
    equal(a: unknown, b: unknown, message: string): unknown
    same(a: unknown, b: unknown, message: string): unknown
  }) => {
    await Promise.all(pages.map(page => phase(page, 'live')))
    for (const page of pages) await sendAllAgain(page)
    const narrow = [{ operator: 'channel', operand: channel }, ['topic', 'restarts']]
    const query = { anchor: 'newest', num_before: 2000, num_after: 0, narrow, apply_markdown: false }
    const { messages } = await ada.ok('GET', '/messages', query)
    const kept = messages.map((message: { content: string }) => message.content)
    t.same(kept.toSorted(), sent.toSorted(), 'the server has each message once')
    for (const page of pages) {
      await toNewest(page)
      await page.locator(`[data-message-id="${messages.at(-1).id}"]`).waitFor()
      const shown = await readFeed(page, sent.length)
      t.same(shown.toSorted(), sent.toSorted(), 'each window shows each message once')
    }
  }

  await Promise.all(pages.map(page => phase(page, 'live')))
  await t.test('its workers restart one after the other', async t => {
    await writeDuring('rolling', async () => {
      for (const worker of childrenOf(server.process.pid as number)) {
        process.kill(worker, 'SIGTERM')
        const next = async () => {
          while (childrenOf(server.process.pid as number).includes(worker))
            await new Promise(done => setTimeout(done, 50))
        }
        await next()
      }
    })
    await eachOnce(t)
  })
  await t.test('it stops, and another one starts', async t => {
    await writeDuring('stopped', async () => {
      await server.stop()
      await Promise.all(pages.map(page => phase(page, 'resuming')))
      server = await start(port)
    })
    await eachOnce(t)
  })
  await t.test('it is killed with all of its workers, and another one starts', async t => {
    await writeDuring('killed', async () => {
      const pid = server.process.pid as number
      const ended = once(server.process, 'exit')
      for (const one of [pid, ...childrenOf(pid)]) process.kill(one, 'SIGKILL')
      await ended
      server = await start(port)
    })
    await eachOnce(t)
  })
  t.same([hers.wrongs, his.wrongs], [[], []])
})

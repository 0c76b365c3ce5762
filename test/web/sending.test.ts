import t from 'tap'
import { startServer } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, write } from './support/browser.js'
import { readFeed } from './support/read-feed.js'

// If a connection breaks while a message is sent, the page cannot know whether it has arrived; it repeats the send.
t.test('a message whose answer was lost is there once', needsBrowser, async t => {
  const server = await startServer(t)
  const { proxy, url } = await TcpProxy.before(t, server.url)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${url}/#channel/${channel}/lost`, ada)
  const live = page.locator('.corner[data-phase="live"]')
  const unsent = (status: string) => page.locator(`.unsent[data-status="${status}"]`)
  const kept = async () => {
    const narrow = [{ operator: 'channel', operand: channel }, ['topic', 'lost']]
    const query = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false }
    const { messages } = await ada.ok('GET', '/messages', query)
    return messages.map((message: { content: string }) => message.content) as string[]
  }
  /** Blocks the storing of messages until `work` has ended; reading still works. */
  const whileWritingWaits = (work: () => Promise<void>) =>
    server.sql.begin(async sql => {
      // It is idle for as long as the page takes.
      await sql`set local idle_in_transaction_session_timeout = 0`
      await sql`lock table messages in exclusive mode`
      await work()
    })
  /** Waits until the message has reached the server and waits for the table. */
  const hasBegun = async () => {
    for (let waits = 0; waits === 0; ) {
      const rows = await server.sql`select from pg_locks where not granted and relation = 'messages'::regclass`
      waits = rows.length
    }
  }
  const writeAndBreak = async (text: string) => {
    await write(page, text)
    await unsent('sending').waitFor()
    await hasBegun()
    proxy.reset()
    await page.locator('.corner[data-phase="resuming"]').waitFor()
    proxy.heal()
  }

  await write(page, 'the first one')
  await messageWith(page, 'the first one').waitFor()

  await t.test('the page repeats a send while the server still processes the first one: one message', async t => {
    await whileWritingWaits(async () => {
      await writeAndBreak('carried out late')
      await live.waitFor()
      await unsent('sending').waitFor()
    })
    await messageWith(page, 'carried out late').waitFor()
    await page.locator('.unsent').waitFor({ state: 'detached' })
    t.same(await kept(), ['the first one', 'carried out late'])
  })
  await t.test('the page sends again what never arrived, before what was written later', async t => {
    proxy.cut()
    await write(page, 'lost on the way')
    await unsent('sending').waitFor()
    proxy.reset()
    await page.locator('.corner[data-phase="resuming"]').waitFor()
    await write(page, 'written without a connection')
    await unsent('waiting').nth(1).waitFor()
    t.notOk((await kept()).includes('lost on the way'))
    proxy.heal()
    await messageWith(page, 'written without a connection').waitFor()
    await page.locator('.unsent').waitFor({ state: 'detached' })
    t.same((await kept()).slice(2), ['lost on the way', 'written without a connection'])
  })
  const all = await readFeed(page, 4)
  t.same(all, await kept(), 'the window shows what the server has')
  t.same(wrongs, [])

  await t.test('also after a reload of the window', async t => {
    const again = await openWindow(browser, `${url}/#channel/${channel}/lost`, ada)
    const row = (status: string) => again.page.locator(`.unsent[data-status="${status}"]`)
    await messageWith(again.page, 'lost on the way').waitFor()
    await whileWritingWaits(async () => {
      await write(again.page, 'over a reload')
      await row('sending').waitFor()
      await hasBegun()
      await again.page.reload()
      await row('sending').waitFor()
    })
    await messageWith(again.page, 'over a reload').waitFor()
    await again.page.locator('.unsent').waitFor({ state: 'detached' })
    t.equal((await kept()).filter(text => text === 'over a reload').length, 1)
    await again.page.reload()
    await messageWith(again.page, 'over a reload').waitFor()
    t.equal(await again.page.locator('.unsent').count(), 0)
  })

  await t.test('after some minutes without a connection the user decides', async t => {
    const late = await openWindow(browser, `${url}/#channel/${channel}/lost`, ada)
    const row = (status: string) => late.page.locator(`.unsent[data-status="${status}"]`)
    await messageWith(late.page, 'over a reload').waitFor()
    proxy.cut()
    await write(late.page, 'long ago')
    await row('sending').waitFor()
    // The page reads its outbox at the reload, as if nine minutes had passed.
    await late.page.evaluate(`
      const key = Object.keys(localStorage).find(name => name.startsWith('parley.outbox'))
      const outbox = JSON.parse(localStorage.getItem(key))
      for (const one of outbox) one.attempt.at -= 9 * 60_000
      addEventListener('pagehide', () => localStorage.setItem(key, JSON.stringify(outbox)))`)
    proxy.reset()
    proxy.heal()
    await late.page.reload()
    await row('unsure').waitFor()
    t.notOk((await kept()).includes('long ago'))
    await row('unsure').getByRole('button', { name: 'Send again' }).click()
    await messageWith(late.page, 'long ago').waitFor()
    await late.page.locator('.unsent').waitFor({ state: 'detached' })
    t.equal((await kept()).filter(text => text === 'long ago').length, 1)
  })
})

import t from 'tap'
import { TcpProxy } from '../faults/support/tcp-proxy.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, write } from './support/browser.js'
import { readFeed } from './support/read-feed.js'

// If a connection breaks while a message is sent, the page cannot know whether it has arrived or will arrive.
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
    const narrow = [
      ['channel', channel],
      ['topic', 'lost'],
    ]
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

  await t.test('carried out long after: it comes, and nobody sends it again', async t => {
    await whileWritingWaits(async () => {
      await writeAndBreak('carried out late')
      await live.waitFor()
      await unsent('unsure').getByRole('button', { name: 'Send again' }).waitFor()
    })
    await messageWith(page, 'carried out late').waitFor()
    await unsent('unsure').waitFor({ state: 'detached' })
    t.same(await kept(), ['the first one', 'carried out late'])
  })
  await t.test('what was written after it does not wait for it', async t => {
    proxy.cut()
    await write(page, 'never arrives')
    await unsent('sending').waitFor()
    proxy.reset()
    await page.locator('.corner[data-phase="resuming"]').waitFor()
    await write(page, 'written without a connection')
    await unsent('waiting').waitFor()
    proxy.heal()
    await messageWith(page, 'written without a connection').waitFor()
    await unsent('unsure').waitFor()
    t.notOk((await kept()).includes('never arrives'))
  })
  await t.test('it is sent again when the user says so', async t => {
    await unsent('unsure').getByRole('button', { name: 'Send again' }).click()
    await messageWith(page, 'never arrives').waitFor()
    await page.locator('.unsent').waitFor({ state: 'detached' })
    t.equal((await kept()).filter(text => text === 'never arrives').length, 1)
  })
  const all = await readFeed(page, 4)
  t.same(all, await kept(), 'the window shows what the server has')
  t.same(wrongs, [])

  await t.test('also when the window was reloaded meanwhile', async t => {
    const again = await openWindow(browser, `${url}/#channel/${channel}/lost`, ada)
    const row = (status: string) => again.page.locator(`.unsent[data-status="${status}"]`)
    await messageWith(again.page, 'never arrives').waitFor()
    await whileWritingWaits(async () => {
      await write(again.page, 'over a reload')
      await row('sending').waitFor()
      await hasBegun()
      await again.page.reload()
      await row('unsure').waitFor()
    })
    // Its local id belonged to the previous queue: the page finds the message by its text.
    await messageWith(again.page, 'over a reload').waitFor()
    await row('unsure').waitFor({ state: 'detached' })
    t.equal((await kept()).filter(text => text === 'over a reload').length, 1)
    await again.page.reload()
    await messageWith(again.page, 'over a reload').waitFor()
    t.equal(await again.page.locator('.unsent').count(), 0)
  })
})

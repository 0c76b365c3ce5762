import type { Page } from 'playwright-core'
import t from 'tap'
import { until } from '../support/redis-node.js'
import { startServer } from '../support/server.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { composer } from './support/actions/action.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, write } from './support/browser.js'

t.test('without a connection the user writes, changes what is not sent, and reacts', needsBrowser, async t => {
  const server = await startServer(t)
  const { proxy, url } = await TcpProxy.before(t, server.url)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const say = async (content: string) =>
    (await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'away', content })).id as number
  const [first, second, gone] = [await say('the first one'), await say('the second one'), await say('soon deleted')]
  await ada.ok('POST', `/messages/${first}/reactions`, { emoji_name: 'heart' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${url}/#channel/${channel}/away`, ada)
  await messageWith(page, 'the first one').locator('.reaction').waitFor()
  const unsent = (text: string) => page.locator('.unsent', { hasText: text })
  const thumb = async (page: Page, text: string) => {
    await messageWith(page, text).locator('.content').hover()
    await messageWith(page, text).getByLabel('React with thumbs up').click()
  }
  const reactions = async (id: number) =>
    (await ada.ok('GET', `/messages/${id}`)).message.reactions
      .map((one: { emoji_name: string }) => one.emoji_name)
      .join() as string

  proxy.cut()
  proxy.reset()
  await page.locator('.corner[data-phase="resuming"]').waitFor()

  await t.test('a message that waits is changed or discarded', async t => {
    for (const text of ['a first thought', 'a second thought', 'a third thought']) {
      await write(page, text)
      await unsent(text).waitFor()
    }
    await unsent('a second thought').getByRole('button', { name: 'Discard' }).click()
    await unsent('a second thought').waitFor({ state: 'detached' })
    await unsent('a first thought').getByRole('button', { name: 'Edit' }).click()
    await unsent('a first thought').waitFor({ state: 'detached' })
    t.equal(await composer(page).inputValue(), 'a first thought')
    await write(page, 'a better thought')
    await unsent('a better thought').waitFor()
  })

  await t.test('reactions show at once, also those that are taken away', async t => {
    await thumb(page, 'the second one')
    await messageWith(page, 'the second one').locator('.reaction[aria-pressed=true]').waitFor()
    await messageWith(page, 'the first one').locator('.reaction').click()
    await messageWith(page, 'the first one').locator('.reaction').waitFor({ state: 'detached' })
    await thumb(page, 'soon deleted')
    await messageWith(page, 'soon deleted').locator('.reaction').waitFor()
    t.equal(await reactions(first), 'heart', 'the server does not know of it')
    t.equal(await reactions(second), '')
  })

  await t.test('with the connection the server has all of it; what others did meanwhile stays', async t => {
    // On another device of the same person.
    await ada.ok('POST', `/messages/${second}/reactions`, { emoji_name: '+1' })
    await ada.ok('DELETE', `/messages/${gone}`)
    proxy.heal()
    await page.locator('.corner[data-phase="live"]').waitFor()
    await until(async () => (await reactions(first)) === '')
    t.equal(await reactions(second), '+1')
    await page.locator('.unsent').first().waitFor({ state: 'detached' })
    const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['topic', 'away']], apply_markdown: false }
    t.same(
      (await ada.ok('GET', '/messages', query)).messages.map((one: { content: string }) => one.content),
      ['the first one', 'the second one', 'a third thought', 'a better thought'],
    )
    await messageWith(page, 'the second one').locator('.reaction[aria-pressed=true]').waitFor()
    await messageWith(page, 'the first one').locator('.reaction').waitFor({ state: 'detached' })
    await messageWith(page, 'soon deleted').waitFor({ state: 'detached' })
  })

  await t.test('later reactions go at once again', async () => {
    await thumb(page, 'the first one')
    await until(async () => (await reactions(first)) === '+1')
  })
  t.same(wrongs, [])
})

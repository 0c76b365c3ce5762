import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, signIn, textsOf, write } from './support/browser.js'
import { keptInBrowser, linkOf } from './support/socket-link.js'

interface InBrowser {
  position: { queueId: string }
  messages: number
}

/** Asks until it is so, with pauses: the page gets the time that it needs for it. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(50)
}

t.test('a window begins with the state of the last one', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  await ada.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engine' }],
    principals: [ada.id, bob.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const browser = await launchBrowser(t)
  const say = async (topic: string, content: string): Promise<number> =>
    (await bob.ok('POST', '/messages', { type: 'channel', to: channel, topic, content })).id
  const contentsOf = async (topic: string): Promise<string[]> => {
    const narrow = [{ operator: 'channel', operand: channel }, ['topic', topic]]
    const query = { anchor: 'newest', num_before: 50, num_after: 0, narrow, apply_markdown: false }
    return (await ada.ok('GET', '/messages', query)).messages.map((one: { content: string }) => one.content)
  }
  const live = (page: Page) => page.locator('.corner[data-phase="live"]').waitFor()
  const unsent = (page: Page, status: string) => page.locator(`.unsent[data-status="${status}"]`)
  /** A window that has shown a topic; `leave` ends it, and `back` opens it again. */
  const begin = async (topic: string, ...contents: string[]) => {
    const ids: number[] = []
    for (const content of contents) ids.push(await say(topic, content))
    const address = `${server.url}/#channel/${channel}/${topic}`
    const { page, wrongs } = await openWindow(browser, address, ada)
    for (const content of contents) await messageWith(page, content).waitFor()
    await live(page)
    const context = page.context()
    const link = await linkOf(context)
    const kept = () => page.evaluate<InBrowser | undefined>(keptInBrowser())
    const isKept = async () => (await kept()) !== undefined
    const leave = async () => {
      await until(isKept)
      await page.goto(`${server.url}/favicon.svg`)
    }
    const back = () => page.goto(address)
    const problems = () => wrongs.filter(wrong => !wrong.startsWith('loaded again'))
    return { ids, page, context, address, link, kept, isKept, leave, back, problems }
  }

  await t.test('it shows it before there is a connection, and continues the queue', async t => {
    const { ids, page, link, leave, back, problems } = await begin('resumed', 'stays', 'is edited', 'is deleted')
    await leave()
    await bob.ok('PATCH', `/messages/${ids[1]}`, { content: 'has been edited' })
    const admin = await server.person({ role: 200 })
    await admin.ok('DELETE', `/messages/${ids[2]}`)
    await say('resumed', 'is new')
    link.isCut = true
    await back()
    await page.getByText('Not connected: you see the state of').waitFor()
    t.same(await textsOf(page), ['stays', 'is edited', 'is deleted'])
    link.isCut = false
    await messageWith(page, 'is new').waitFor()
    t.same(await textsOf(page), ['stays', 'has been edited', 'is new'])
    t.same(link.queueOps, ['attach'], 'no second queue')
    t.equal(await page.locator('.away-note').count(), 0)
    t.same(problems(), [])
  })

  await t.test('a queue that is gone is replaced by a new one with its state', async t => {
    const { ids, page, link, kept, leave, back, problems } = await begin('replaced', 'one', 'two')
    await leave()
    await back()
    await live(page)
    await leave()
    const { position } = (await kept()) as InBrowser
    await ada.ok('DELETE', '/events', { queue_id: position.queueId })
    await bob.ok('PATCH', `/messages/${ids[1]}`, { content: 'two, edited' })
    await say('replaced', 'three')
    link.queueOps.length = 0
    await back()
    await messageWith(page, 'three').waitFor()
    t.same(await textsOf(page), ['one', 'two, edited', 'three'])
    t.same(link.queueOps, ['attach', 'register'])
    t.same(problems(), [])
  })

  await t.test(
    'what was written and read without a connection follows, also from a window that was closed',
    async t => {
      const { page, context, address, link, kept, leave, problems } = await begin('later', 'read before')
      await page.goto(`${server.url}/#inbox`)
      const unread = await say('later', 'read without a connection')
      await page.locator('.inbox-row', { hasText: 'later' }).waitFor()
      await until(async () => (await kept())?.messages === 2)
      await leave()
      link.isCut = true
      await page.goto(address)
      await page.getByText('Not connected').waitFor()
      await messageWith(page, 'read without a connection').waitFor()
      await page.locator('.message.unread').waitFor({ state: 'detached' })
      await write(page, 'written without a connection')
      await unsent(page, 'waiting').waitFor()
      await page.close()
      const other = await context.newPage()
      await other.goto(address)
      await unsent(other, 'waiting').getByText('written without a connection').waitFor()
      t.same(await contentsOf('later'), ['read before', 'read without a connection'])
      link.isCut = false
      await messageWith(other, 'written without a connection').waitFor()
      await unsent(other, 'waiting').waitFor({ state: 'detached' })
      t.same(await contentsOf('later'), ['read before', 'read without a connection', 'written without a connection'])
      const flags = async () => (await ada.ok('GET', `/messages/${unread}`)).message.flags as string[]
      await until(async () => (await flags()).includes('read'))
      t.same(problems(), [])
    },
  )

  await t.test('of two windows each has a queue of its own, and one sends what the other leaves behind', async t => {
    const { page, context, address, link, isKept, problems } = await begin('both', 'hello')
    // From here on its socket is the one that the test cuts.
    await page.reload()
    await live(page)
    await until(isKept)
    link.queueOps.length = 0
    const other = await context.newPage()
    await other.goto(address)
    await messageWith(other, 'hello').waitFor()
    await live(other)
    t.same(link.queueOps, ['register'], 'the queue of the first is not touched')
    await live(page)
    link.isCut = true
    const cut = await context.newPage()
    await cut.goto(address)
    await cut.getByText('Not connected').waitFor()
    await write(cut, 'left behind')
    await unsent(cut, 'waiting').waitFor()
    t.equal(await page.locator('.unsent').count(), 0, 'each window shows its own')
    await cut.close()
    await messageWith(page, 'left behind').waitFor()
    await messageWith(other, 'left behind').waitFor()
    t.same(await contentsOf('both'), ['hello', 'left behind'])
    t.same(problems(), [])
  })

  await t.test('two windows that both find what a third has left send it once', async t => {
    const { page, context, address, link, isKept, problems } = await begin('found twice', 'hello')
    await until(isKept)
    const other = await context.newPage()
    await other.goto(address)
    await messageWith(other, 'hello').waitFor()
    // As if each window saw too late what the other deletes.
    for (const one of [page, other])
      await one.evaluate(`
        const { setItem } = Storage.prototype
        Storage.prototype.removeItem = () => {}
        Storage.prototype.setItem = function (key, text) {
          if (text.includes('left to both')) window.hasTaken = true
          setItem.call(this, key, text)
        }`)
    link.isCut = true
    const cut = await context.newPage()
    await cut.goto(address)
    await cut.getByText('Not connected').waitFor()
    await write(cut, 'left to both')
    await unsent(cut, 'waiting').waitFor()
    const entry = await cut.evaluate<string>(`Object.keys(localStorage).find(name => name.startsWith('parley.outbox'))`)
    await cut.close()
    for (const one of [page, other]) {
      await until(() => one.evaluate<boolean>('Boolean(window.hasTaken)'))
      await messageWith(one, 'left to both').first().waitFor()
      await one.locator('.unsent').waitFor({ state: 'detached' })
    }
    t.same(await contentsOf('found twice'), ['hello', 'left to both'])
    // A change of an entry that was taken over already.
    await page.evaluate(`
      const [one] = JSON.parse(localStorage.getItem('${entry}'))
      localStorage.setItem('${entry}', JSON.stringify([{ ...one, localId: 'late.1', content: 'left later' }]))`)
    await messageWith(other, 'left later').waitFor()
    t.same(await contentsOf('found twice'), ['hello', 'left to both', 'left later'])
    t.same(problems(), [])
  })

  await t.test('signing out deletes what is kept, after a question if something is not sent', async t => {
    const { page, link, kept, leave, back, problems } = await begin('private', 'a secret')
    await leave()
    link.isCut = true
    await back()
    await page.getByText('Not connected').waitFor()
    t.ok(((await kept())?.messages ?? 0) > 0)
    await write(page, 'never sent')
    await unsent(page, 'waiting').waitFor()
    const leaveAccount = async () => {
      await page.getByLabel('Your menu').click()
      await page.locator('.menu-row', { hasText: 'Sign out' }).click()
    }
    const question = page.getByText('1 message is not sent. Signing out discards it.')
    await page.keyboard.press('Control+K')
    await page.locator('.jump input').fill('Sign out')
    await page.keyboard.press('Enter')
    await question.waitFor()
    t.ok(((await kept())?.messages ?? 0) > 0, 'nothing is deleted before the answer')
    await leaveAccount()
    await question.waitFor()
    await page.locator('.toast-offer').click()
    await page.getByLabel('Password').waitFor()
    await until(async () => !(await kept()))
    t.same(
      await page.evaluate(`Object.keys(localStorage).filter(name => name.startsWith('parley.outbox'))`),
      [],
      'nothing is left to send',
    )
    t.same(problems(), [])
  })

  await t.test('another account of the same browser sees and sends nothing of it', async t => {
    const { page, address, link, kept, leave } = await begin('hers', 'for Ada')
    await leave()
    link.isCut = true
    await page.goto(address)
    await page.getByText('Not connected').waitFor()
    await write(page, 'by Ada')
    await unsent(page, 'waiting').waitFor()
    const other = await page.context().newPage()
    const session = JSON.stringify({ email: bob.email, userId: bob.id })
    await page.goto(`${server.url}/favicon.svg`)
    await signIn(page.context(), server.url, bob)
    await page.evaluate(`localStorage.setItem('parley.session', ${JSON.stringify(session)})`)
    await other.goto(address)
    await other.getByText('cannot reach the server').waitFor()
    t.equal(await other.getByText('for Ada').count(), 0)
    t.equal(await kept(), undefined)
    link.isCut = false
    await messageWith(other, 'for Ada').waitFor()
    t.equal(await other.locator('.unsent').count(), 0)
    t.same(await contentsOf('hers'), ['for Ada'])
  })

  const broken = {
    'of an older build': `kept.build = 'https://elsewhere/index-1.js'`,
    'that is no state': `kept.state = 'x'`,
    'without a position': `delete kept.position`,
    'whose position is none': `kept.position = { queueId: 5, lastEventId: 'x' }`,
  }
  for (const [what, change] of Object.entries(broken))
    await t.test(`something ${what} is not shown`, async t => {
      const { page, link, leave, back, kept, problems } = await begin('broken', `still here ${what}`)
      await leave()
      await page.evaluate(keptInBrowser(change))
      link.isCut = true
      await back()
      await page.getByText('cannot reach the server').waitFor()
      t.equal(await kept(), undefined, 'it is deleted')
      link.isCut = false
      await messageWith(page, `still here ${what}`).waitFor()
      t.same(problems(), [])
      await page.context().close()
    })

  await t.test('a state that the page cannot show breaks one start only', async t => {
    const { page, link, leave, back, problems } = await begin('unshowable', 'shown again')
    await leave()
    await page.evaluate(keptInBrowser('kept.state.realm_users = null'))
    const failed = page.waitForEvent('pageerror')
    await back()
    await failed
    await page.reload()
    await messageWith(page, 'shown again').waitFor()
    t.ok(link.queueOps.includes('register'))
    t.match(problems(), [/^error: /])
  })
})

import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone, write } from './support/browser.js'
import { atRest, until } from './support/reading.js'

const topic = 'a/b "c" .near. <b>'

t.test('messages are pointed at', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const bob = await server.person({ full_name: 'Bob Kahn' })
  const subscribe = (name: string, isPrivate: boolean, who = [ada.id, bob.id]) =>
    bob.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: who,
      invite_only: isPrivate,
      send_new_subscription_messages: false,
    })
  await subscribe('engine', false)
  await subscribe('secret', true, [bob.id])
  const idOf = async (stream: string) => (await bob.ok('GET', '/get_stream_id', { stream })).stream_id as number
  const [channel, secret] = [await idOf('engine'), await idOf('secret')]
  const send = async (content: string, to = channel, where = topic) =>
    (await bob.ok('POST', '/messages', { type: 'channel', to, topic: where, content })).id as number
  const ids: number[] = []
  for (let n = 0; n < 150; n++) ids.push(await send(`number ${n}.\n\n${'more '.repeat(n % 40)}`))
  const old = ids[20] as number
  const hidden = await send('not for her', secret, 'x')
  await ada.ok('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' })
  const browser = await launchBrowser(t)
  const url = (near: number, to = channel) => `${server.url}/#narrow/channel/${to}-engine/topic/x/near/${near}`

  await t.test('a link leads to the message, wherever it is now, and marks it for a while', async t => {
    for (const options of [{}, phone]) {
      const { page, wrongs } = await openWindow(browser, url(old), ada, options)
      await page.locator(`.message.pointed[data-message-id="${old}"]`).waitFor()
      await atRest(page)
      t.ok(await isInSight(page, old))
      t.match(new URL(page.url()).hash, `#channel/${channel}/${encodeURIComponent(topic)}/near/${old}`)
      await page.locator('.message.pointed').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Newest' }).click()
      await messageWith(page, 'number 149.').waitFor()
      t.same(wrongs, [])
      await page.context().close()
    }
  })

  await t.test('a link to what was deleted, or is not for the reader, says so', async t => {
    const gone = await send('soon gone')
    await ada.ok('POST', '/messages/flags', { messages: [gone], op: 'add', flag: 'read' })
    await bob.ok('DELETE', `/messages/${gone}`)
    const { page, wrongs } = await openWindow(browser, url(gone), ada)
    const note = page.getByRole('alert')
    await note.getByText('The message of this link was deleted, or you may not see it').waitFor()
    await note.getByRole('button', { name: 'Close' }).click()
    await note.waitFor({ state: 'detached' })
    await page.goto(url(hidden))
    await note.waitFor()
    await page.goto(url(hidden, secret))
    await page.getByText('This channel does not exist, or it is private').waitFor()
    await page.goto(`${server.url}/#narrow/near/${hidden}`)
    await note.waitFor()
    t.equal(await page.getByText('not for her').count(), 0)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('links in messages open inside the page, each time', async t => {
    const link = `${server.url}/#narrow/channel/${channel}-engine/topic/elsewhere/near/${old}`
    const last = await send(`see [that one](${link}), [nothing](${server.url}/#narrow/what), #**engine>${'moved'}**`)
    await ada.ok('POST', '/messages/flags', { messages: [last], op: 'add', flag: 'read' })
    const { page, wrongs } = await openWindow(
      browser,
      `${server.url}/#channel/${channel}/${encodeURIComponent(topic)}`,
      ada,
    )
    const message = messageWith(page, 'see that one')
    await message.getByRole('link', { name: 'nothing' }).click()
    await page.getByText('This link leads nowhere').waitFor()
    for (let time = 0; time < 2; time++) {
      await message.getByRole('link', { name: 'that one' }).focus()
      await page.keyboard.press('Enter')
      await page.locator(`.message.pointed[data-message-id="${old}"]`).waitFor()
      await atRest(page)
      t.ok(await isInSight(page, old))
      await page.getByRole('button', { name: 'Newest' }).click()
      await message.waitFor()
    }
    t.equal(page.context().pages().length, 1, 'no other window')
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test(
    'the menu opens by the right button, keys and a long press, and copies a link that leads back',
    async t => {
      const { page, wrongs } = await openWindow(browser, url(old), ada, {
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      const message = page.locator(`[data-message-id="${old}"]`)
      await message.locator('.content').click({ button: 'right' })
      const menu = page.getByRole('menu', { name: 'Actions on the message' })
      await menu.getByRole('menuitem', { name: 'Copy link' }).click()
      await menu.waitFor({ state: 'detached' })
      await page.getByText('The link is copied').waitFor()
      const link = String(await page.evaluate('navigator.clipboard.readText()'))
      t.match(link, `${server.url}/#narrow/channel/${channel}-engine/topic/a.2Fb`)
      await page.goto(`${server.url}/#all`)
      await page.locator('.message').first().waitFor()
      await page.goto(link)
      await page.locator(`.message.pointed[data-message-id="${old}"]`).waitFor()

      await message.focus()
      await page.keyboard.press('Shift+F10')
      await menu.waitFor()
      t.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Reply with quote')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowDown')
      t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'React with heart')
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      t.equal(await page.evaluate('document.activeElement.dataset.messageId'), String(old), 'the focus is back')
      t.same(wrongs, [])
      await page.context().close()

      const touch = await openWindow(browser, url(old), ada, phone)
      await touch.page.locator(`.message.pointed[data-message-id="${old}"]`).waitFor()
      await atRest(touch.page)
      const place = await touch.page.locator(`[data-message-id="${old}"] .content`).boundingBox()
      const devtools = await touch.page.context().newCDPSession(touch.page)
      const point = { x: (place?.x ?? 0) + 10, y: (place?.y ?? 0) + 10 }
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await touch.page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await touch.page.getByRole('menuitem', { name: 'Star' }).tap()
      await touch.page.locator(`[data-message-id="${old}"] .starred`).waitFor()
      t.same(touch.wrongs, [])
      await touch.page.context().close()
    },
  )

  await t.test('a reply quotes the message and links to it, in its topic', async t => {
    const quoted = await send('```\ncode\n```\nand [a link](https://elsewhere.example)')
    await ada.ok('POST', '/messages/flags', { messages: [quoted], op: 'add', flag: 'read' })
    const { page, wrongs } = await openWindow(browser, `${server.url}/#all`, ada)
    await messageWith(page, 'and a link').hover()
    await messageWith(page, 'and a link').getByLabel('Reply with quote').click()
    await page.waitForURL(url => url.hash.includes(encodeURIComponent(topic)))
    const box = page.locator('.composer-text')
    await box.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('my answer')
    await page.keyboard.press('Enter')
    const sent = messageWith(page, 'my answer')
    await sent.locator('blockquote pre', { hasText: 'code' }).waitFor()
    t.match(await sent.locator('.user-mention.silent').textContent(), 'Bob Kahn')
    await atRest(page)
    await sent.getByRole('link', { name: 'said' }).click()
    await page.waitForURL(url => url.hash.endsWith(`/${quoted}`))
    await page.locator(`.message.pointed[data-message-id="${quoted}"]`).waitFor()
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('messages from one on become unread, and stay so until the view is left', async t => {
    const { page, wrongs } = await openWindow(browser, url(old), ada)
    const message = page.locator(`[data-message-id="${old}"]`)
    await page.locator('.message.pointed').waitFor()
    await message.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Mark unread from here' }).click()
    await page.getByText('Messages stay unread until you leave').waitFor()
    const count = page.locator('.topics .row', { hasText: 'near' }).locator('.count')
    await count.waitFor()
    const unread = Number.parseInt(String(await count.textContent()), 10)
    t.ok(unread >= 130, `${unread} are unread`)
    await page.locator('.feed-scroll').evaluate('element => { element.scrollTop += 200 }')
    await atRest(page)
    t.equal(Number.parseInt(String(await count.textContent()), 10), unread, 'seeing them changes nothing')
    await page.getByRole('button', { name: 'Mark as read again' }).click()
    await page.locator('.feed-scroll').evaluate('element => { element.scrollTop += 200 }')
    await until(page, `parseInt(document.querySelector('.topics .count')?.textContent ?? 0) < ${unread}`)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('an own message is written beside it as ever', async t => {
    const { page, wrongs } = await openWindow(browser, url(old), ada)
    await page.locator('.message.pointed').waitFor()
    await write(page, 'written from an old place')
    await messageWith(page, 'written from an old place').waitFor()
    t.same(wrongs, [])
  })
})

const isInSight = (page: Page, id: number): Promise<boolean> =>
  page.evaluate(`(() => {
    const list = document.querySelector('.feed-scroll').getBoundingClientRect()
    const row = document.querySelector('[data-message-id="${id}"]').getBoundingClientRect()
    return row.top >= list.top && row.bottom <= list.bottom
  })()`)

import t from 'tap'
import { messageWith, needsBrowser, openWindow } from './support/browser.js'
import { atRest } from './support/reading.js'
import { twoWindows } from './support/two-windows.js'

t.test('a press, and what it opens', needsBrowser, async t => {
  const { browser, url, ada, mary, hers, other } = await twoWindows(t)
  const { page, wrongs } = hers
  const channel = Number(/channel\/(\d+)/.exec(url)?.[1])
  const say = (content: string) =>
    mary.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content })
  for (let line = 0; line < 30; line++) await say(`line ${line}`)
  await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: 'the pressed one' })
  const dialog = page.locator('dialog[open]')
  const sender = messageWith(page, 'the pressed one').locator('.sender')
  /** Presses the name of the sender; then messages come below, and the list moves up. */
  const pressAndMove = async () => {
    await sender.waitFor()
    await atRest(page)
    await sender.hover()
    const before = await sender.boundingBox()
    await page.mouse.down()
    await say('one\n\ntwo\n\nthree\n\nfour')
    while ((await sender.boundingBox())?.y === before?.y) await page.waitForTimeout(20)
    return before as { readonly x: number; readonly y: number }
  }

  await t.test('reaches the button on which it began, though messages move the list before it ends', async () => {
    await page.evaluate(`document.addEventListener('click', event => {
      if (event.target.closest('.sender')) window.hasReached = true
    })`)
    // On a busy machine the list may move between the pointer's arrival and the press, which is then on something else.
    for (let left = 5; left > 0 && !(await page.evaluate('window.hasReached')); left--) {
      await pressAndMove()
      await page.mouse.up()
    }
    await page.getByRole('dialog', { name: 'Ada Lovelace' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await t.test('is taken back by moving away', async t => {
    const { x, y } = await pressAndMove()
    await page.mouse.move(x + 200, y + 40, { steps: 4 })
    await page.mouse.up()
    await atRest(page)
    t.equal(await dialog.count(), 0)
  })

  await t.test('still selects text, and begins with the text of no button', async t => {
    await messageWith(page, 'the pressed one')
      .locator('.content p')
      .dblclick({ position: { x: 40, y: 8 } })
    t.match(await page.evaluate('String(getSelection())'), /^\w+/)
  })

  await t.test('a dialog opens before the server has answered, and stays modal while it is asked again', async t => {
    const slow = await openWindow(browser, url, ada)
    let held: (() => void)[] | undefined
    await slow.page.context().routeWebSocket(/\/socket$/, socket => {
      const behind = socket.connectToServer()
      behind.onMessage(message => (held ? held.push(() => socket.send(message)) : socket.send(message)))
    })
    await slow.page.reload()
    await messageWith(slow.page, 'the pressed one').waitFor()
    const modal = slow.page.locator('dialog:modal')
    held = []
    await slow.page.getByLabel('Snippets').click()
    await modal.getByRole('button', { name: 'New snippet' }).click()
    for (const answer of held.splice(0)) answer()
    held = undefined
    await modal.getByLabel('Title').fill('greeting')
    await modal.getByLabel('Text').fill('Good morning')
    await modal.getByRole('button', { name: 'Save' }).click()
    await modal.getByText('greeting').waitFor()
    await slow.page.keyboard.press('Escape')
    await modal.waitFor({ state: 'detached' })
    t.same(slow.wrongs, ['loaded again: 1'])
  })

  t.same([...wrongs, ...other.wrongs], [])
})

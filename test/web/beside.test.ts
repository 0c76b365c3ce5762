import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { until as untilTrue } from '../support/redis-node.js'
import { launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'
import { until } from './support/reading.js'
import { twoWindows } from './support/two-windows.js'

const boxIn = (pane: Locator) => pane.locator('.composer-text')
const textIn = (pane: Locator, text: string) => pane.locator('.message:not(.unsent)', { hasText: text })

t.test('two conversations side by side', needsBrowser, async t => {
  const { server, browser, url, ada, mary } = await twoWindows(t)
  const channel = Number(/channel\/(\d+)/.exec(url)?.[1])
  const direct = `direct/${mary.id}`
  const both = `#channel/${channel}/notes&beside=${direct}`
  await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'psst' })
  await mary.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'else', content: 'not in sight' })
  const { page, wrongs } = await openWindow(browser, url, ada)
  const main = page.locator('main')
  const beside = page.getByRole('region', { name: 'Conversation beside' })
  const isAt = (hash: string, where: Page = page) => where.waitForURL(at => new URL(at).hash === hash)
  const row = (name: string) => page.locator('.sidebar a.row', { hasText: name }).first()
  const isRead = async (who: typeof ada, content: string) => {
    const query = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [] }
    const found = (await who.ok('GET', '/messages', query)).messages.find((one: { content: string }) =>
      one.content.includes(content),
    )
    return found.flags.includes('read') as boolean
  }
  const hasFocus = (pane: string) =>
    until(page, `document.activeElement === document.querySelector('${pane} .composer-text')`)

  await t.test(
    'the menu of a row opens one beside the other; each has its title, its messages and its composer',
    async t => {
      await textIn(main, 'the first one').waitFor()
      await row('Mary Somerville').click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Open beside' }).click()
      await isAt(both)
      await textIn(beside, 'psst').waitFor()
      await beside.getByRole('heading', { name: 'Mary Somerville' }).waitFor()
      await hasFocus('.pane.beside')
      t.equal(await textIn(main, 'the first one').count(), 1)
      await boxIn(beside).fill('to you alone')
      await boxIn(main).fill('to all')
      t.equal(await boxIn(beside).inputValue(), 'to you alone')
      await boxIn(beside).press('Enter')
      await textIn(beside, 'to you alone').waitFor()
      await boxIn(main).press('Enter')
      await textIn(main, 'to all').waitFor()
      t.equal((await textIn(main, 'to you alone').count()) + (await textIn(beside, 'to all').count()), 0)
    },
  )

  await t.test('what is in sight in either is read, and nothing else', async t => {
    await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'are you there' })
    await mary.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: 'is all well' })
    await textIn(beside, 'are you there').waitFor()
    await textIn(main, 'is all well').waitFor()
    for (const content of ['are you there', 'is all well']) await untilTrue(() => isRead(ada, content))
    t.notOk(await isRead(ada, 'not in sight'))
  })

  await t.test('the address keeps both: a reload, and the settings and back', async t => {
    await page.reload()
    await textIn(main, 'the first one').waitFor()
    await textIn(beside, 'psst').waitFor()
    await page.evaluate(`location.hash = '#settings/profile'`)
    await page.locator('.settings-form').first().waitFor()
    t.equal(await beside.count(), 0)
    await page.keyboard.press('Escape')
    await textIn(beside, 'psst').waitFor()
    await isAt(both)
  })

  await t.test('F6 goes from one to the other, and keys act on the one in use', async () => {
    await boxIn(main).focus()
    await page.keyboard.press('F6')
    await hasFocus('.pane.beside')
    await page.keyboard.press('F6')
    await hasFocus('main')
    await page.keyboard.press('F6')
    await page.keyboard.press('Escape')
    await beside.locator('.message').last().focus()
    await page.keyboard.press('r')
    await hasFocus('.pane.beside')
    await beside.getByLabel('Snippets').click()
    const dialog = page.getByRole('dialog', { name: 'Snippets' })
    await dialog.getByRole('button', { name: 'New snippet' }).click()
    await dialog.getByLabel('Title').fill('end')
    await dialog.getByLabel('Text').fill('kind regards')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: /^end/ }).click()
    await until(page, `document.querySelector('.pane.beside .composer-text').value === 'kind regards'`)
    await boxIn(beside).fill('')
  })

  await t.test('tools and menus of a message are those of its own view', async t => {
    const message = textIn(beside, 'to you alone')
    await message.click({ button: 'right' })
    t.equal(await page.getByRole('menu').count(), 1)
    await page.getByRole('menuitem', { name: 'Reply with quote' }).click()
    await until(page, `/to you alone/.test(document.querySelector('.pane.beside .composer-text').value)`)
    t.equal(await boxIn(main).inputValue(), '')
    await boxIn(beside).fill('')
    await message.click({ button: 'right' })
    await page.goBack()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await isAt(both)
    await message.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Select', exact: true }).click()
    await beside.locator('.selection-bar').waitFor()
    t.equal(await main.locator('.selection-bar').count(), 0)
    await beside.getByLabel('Select nothing').click()
  })

  await t.test('dropped files join the text of the view on which they are dropped', async t => {
    const drop = (pane: string) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['notes'], 'notes.txt', { type: 'text/plain' }))
        const at = document.querySelector('${pane} .feed-scroll')
        for (const type of ['dragover', 'drop'])
          at.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      }`)
    await drop('.pane.beside')
    await beside.locator('.attached-file:not(.upload)').waitFor()
    t.equal(await main.locator('.attached-file').count(), 0)
    await drop('main')
    await main.locator('.attached-file:not(.upload)').waitFor()
    t.equal(await beside.locator('.attached-file').count(), 1)
    for (const pane of [main, beside]) await pane.getByLabel('Remove notes.txt').click()
  })

  await t.test('each is closed, by its button and by back; the other one stays', async t => {
    await beside.getByLabel('Close this conversation').click()
    await beside.waitFor({ state: 'detached' })
    await isAt(`#channel/${channel}/notes`)
    t.equal(await page.getByLabel('Close this conversation').count(), 0)
    await page.goBack()
    await textIn(beside, 'psst').waitFor()
    await main.getByLabel('Close this conversation').click()
    await textIn(main, 'psst').waitFor()
    await isAt(`#${direct}`)
    t.equal(await beside.count(), 0)
    await row('engine').click({ modifiers: ['Alt'] })
    await isAt(`#${direct}&beside=channel/${channel}`)
    await textIn(beside, 'not in sight').waitFor()
    await page.goBack()
    await beside.waitFor({ state: 'detached' })
  })

  await t.test('Alt and Enter open beside: a place in the palette, and a row of the list', async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.type('engine')
    await page
      .getByRole('option', { name: /engine/ })
      .first()
      .waitFor()
    await page.keyboard.press('Alt+Enter')
    await isAt(`#${direct}&beside=channel/${channel}`)
    await beside.getByLabel('Close this conversation').click()
    await row('engine').focus()
    await page.keyboard.press('Alt+Enter')
    await isAt(`#${direct}&beside=channel/${channel}`)
    await page.keyboard.press('ControlOrMeta+k')
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.type('close this')
    await page.getByRole('option', { name: 'Close this conversation' }).waitFor()
    await page.keyboard.press('Enter')
    await beside.waitFor({ state: 'detached' })
  })

  await t.test('a link leads on in its own view; a view that is no conversation opens as the main one', async t => {
    await page.evaluate(`location.hash = ${JSON.stringify(both)}`)
    await textIn(beside, 'psst').waitFor()
    await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: `see #**engine>else**` })
    await beside.getByRole('link', { name: '#engine > else' }).click()
    await isAt(`#channel/${channel}/notes&beside=channel/${channel}/else`)
    await textIn(beside, 'not in sight').waitFor()
    await beside.locator('.message').last().focus()
    await page.keyboard.press('i')
    await isAt(`#inbox&beside=channel/${channel}/else`)
    t.equal(await page.locator('main').getByRole('heading', { name: 'Inbox' }).count(), 1)
    await page.keyboard.press('F6')
    await until(page, `document.activeElement === document.querySelector('main')`)
    await page.keyboard.press('F6')
    await hasFocus('.pane.beside')
  })

  await t.test('one conversation is not shown twice, and what cannot be beside is not', async t => {
    for (const address of [
      `#channel/${channel}/notes&beside=channel/${channel}/notes`,
      '#all&beside=inbox',
      '#all&beside=x',
    ]) {
      await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
      await page.locator('main .message').first().waitFor()
      t.equal(await beside.count(), 0, address)
    }
    await page.evaluate(`location.hash = '#all&beside=channel/999999'`)
    await beside.getByText('This channel does not exist').waitFor()
  })

  await t.test('a narrow window and a phone show one, and keep the address', async t => {
    for (const options of [{ viewport: { width: 980, height: 800 } }, phone]) {
      const small = await openWindow(browser, `${server.url}/${both}`, ada, options)
      await textIn(small.page.locator('main'), 'the first one').waitFor()
      t.equal(await small.page.locator('.pane.beside').count(), 0)
      await small.page.evaluate(`location.hash = '#inbox'`)
      if (options !== phone) {
        await small.page.locator('.sidebar a.row', { hasText: 'Mary Somerville' }).click({ button: 'right' })
        await small.page.getByRole('menuitem', { name: 'Mark conversation as read' }).waitFor()
        t.equal(await small.page.getByRole('menuitem', { name: 'Open beside' }).count(), 0)
        await small.page.keyboard.press('Escape')
        await small.page.evaluate(`location.hash = ${JSON.stringify(both)}`)
        await small.page.setViewportSize({ width: 1280, height: 800 })
        await textIn(small.page.locator('.pane.beside'), 'psst').waitFor()
      }
      t.same(small.wrongs, [])
      await small.page.context().close()
    }
  })

  if (process.env.PICTURES) {
    const address = `${server.url}/${both}`
    for (const [name, viewport, colorScheme] of [
      ['wide-light', { width: 1440, height: 900 }, 'light'],
      ['wide-dark', { width: 1440, height: 900 }, 'dark'],
      ['least', { width: 1000, height: 800 }, 'light'],
    ] as const) {
      const own = await openWindow(await launchBrowser(t), address, ada, { viewport, colorScheme })
      await textIn(own.page.locator('.pane.beside'), 'psst').waitFor()
      await own.page.screenshot({ path: `${process.env.PICTURES}/${name}.png` })
    }
  }
  t.same(
    wrongs.filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})

import type { Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow, phone } from './support/browser.js'

t.test('menus lie above everything, and work by mouse, finger and keyboard', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  for (let n = 0; n < 12; n++)
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'notes', content: `line ${n}` })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}`

  await t.test('a finger opens the menu of the channel, and an entry does what it says', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada, phone)
    await page.getByText('line 11').waitFor()
    await page.getByLabel('More').tap()
    await page.getByText('Mute channel').waitFor()
    t.same(await covered(page, '.menu:popover-open'), [])
    await page.getByText('Mute channel').tap()
    await page.locator('.menu:popover-open').waitFor({ state: 'detached' })
    await page.getByLabel('More').tap()
    await page.getByText('Unmute channel').tap()
    await page.getByLabel('More').tap()
    await page.getByText('Mute channel').waitFor()
    await page.getByText('line 11').tap()
    await page.locator('.menu:popover-open').waitFor({ state: 'detached' })
    await page.getByLabel('Back to the list').tap()
    await page.getByLabel('Your menu').tap()
    t.same(await covered(page, '.menu:popover-open'), [])
    await page.getByLabel('Dark').tap()
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.getByText('Keyboard').tap()
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    t.same(await covered(page, 'dialog[open]'), [])
    await page.getByLabel('Close').tap()
    t.same(wrongs, [])
  })

  await t.test('the keyboard opens it, moves in it and leaves it', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('line 11').waitFor()
    await page.getByLabel('More').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Mute channel').waitFor()
    t.same(await covered(page, '.menu:popover-open'), [])
    await page.keyboard.press('ArrowDown')
    t.match(await focused(page), 'Mark channel as read')
    await page.keyboard.press('ArrowUp')
    t.match(await focused(page), 'Unsubscribe')
    await page.keyboard.press('Escape')
    await page.locator('.menu:popover-open').waitFor({ state: 'detached' })
    t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'More', 'the focus is back at the button')
    await page.keyboard.press('Enter')
    await page.locator('.menu:popover-open').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    t.match(await focused(page), 'What is new')
    await page.keyboard.press('ArrowDown')
    t.match(await focused(page), 'New topic')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New topic' }).waitFor()
    t.same(await covered(page, 'dialog[open]'), [])
    t.same(wrongs, [])
  })

  await t.test('a key that comes before the menu is painted counts', async t => {
    const { page, wrongs } = await openWindow(browser, url, ada)
    await page.getByText('line 11').waitFor()
    await page.evaluate(`{
      const button = document.querySelector('[aria-label="More"]')
      button.focus()
      button.click()
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }))
    }`)
    t.match(await focused(page), 'Mark channel as read')
    t.same(wrongs, [])
  })

  await t.test('suggestions lie above the messages', async t => {
    const { page, wrongs } = await openWindow(browser, `${url}/notes`, ada)
    await page.getByLabel('Message', { exact: false }).last().fill('@Ad')
    await page.keyboard.press('End')
    await page.keyboard.type('a')
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
    t.same(await covered(page, '.offers'), [])
    await page.keyboard.press('Enter')
    t.match(await page.locator('textarea').last().inputValue(), '@**Ada Lovelace')
    t.same(wrongs, [])
  })
})

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent')

/** Points of an element (its middle, corners and buttons) at which something else lies above it. */
const covered = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]
    const box = element.getBoundingClientRect()
    const points = [middle(box), [box.left + 9, box.top + 9], [box.right - 9, box.top + 9], [box.left + 9, box.bottom - 9],
      [box.right - 9, box.bottom - 9], ...[...element.querySelectorAll('button, [role=option]')].map(one => middle(one.getBoundingClientRect()))]
    return points.filter(([x, y]) => !element.contains(document.elementFromPoint(x, y))).map(String)
  })()`)

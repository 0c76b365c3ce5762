import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'

/** What a tool of a message does, by its label. */
const effects: Readonly<Record<string, (message: Locator, page: Page) => Promise<unknown>>> = {
  'React with thumbs up': message => message.locator('.reaction', { hasText: '👍' }).waitFor(),
  'React with another emoji': async (_, page) => {
    const picker = page.getByRole('dialog', { name: 'Emoji' })
    await picker.locator('.emoji-choice').first().waitFor()
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'detached' })
  },
  Star: message => message.locator('.starred').waitFor(),
  Edit: async (_, page) => {
    await page.getByLabel('Edit message').press('Escape')
    await page.getByLabel('Edit message').waitFor({ state: 'detached' })
  },
}

/** Ways to use a tool: `show` makes the toolbar visible, `use` presses one of its buttons. */
const ways = {
  'the mouse': {
    options: {},
    show: (message: Locator) => message.locator('.content').hover(),
    use: (_: Page, button: Locator) => button.click(),
  },
  'a finger': {
    options: phone,
    show: (message: Locator) => message.locator('.content').tap(),
    use: (_: Page, button: Locator) => button.tap(),
  },
  'the keyboard': {
    options: {},
    show: (message: Locator) => message.focus(),
    async use(page: Page, button: Locator) {
      for (let steps = 0; !(await isFocused(page, button)); steps++) {
        if (steps > 50) throw new Error('the keys do not reach the tool')
        await page.keyboard.press((await isInTools(page)) ? 'ArrowRight' : 'Tab')
      }
      await page.keyboard.press('Enter')
    },
  },
}

const isFocused = async (page: Page, button: Locator): Promise<boolean> =>
  (await page.evaluate(`document.activeElement?.getAttribute('aria-label')`)) ===
  (await button.getAttribute('aria-label'))

const isInTools = (page: Page): Promise<boolean> =>
  page.evaluate(`document.activeElement?.closest('.message-tools') != null`)

t.test('every tool of a message', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const browser = await launchBrowser(t)
  for (const [name, { options, show, use }] of Object.entries(ways)) {
    await t.test(`${name} reaches each one, and it does what it says`, async t => {
      const content = `a message for ${name}`
      await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: name, content })
      const url = `${server.url}/#channel/${channel}/${encodeURIComponent(name)}`
      const { page, wrongs } = await openWindow(browser, url, ada, options)
      const message = messageWith(page, content)
      const toolbar = message.getByRole('toolbar', { name: 'Message' })
      await show(message)
      const buttons = await toolbar.getByRole('button').all()
      const labels = await Promise.all(buttons.map(async button => (await button.getAttribute('aria-label')) ?? ''))
      t.same(
        Object.keys(effects).filter(label => !labels.includes(label)),
        [],
        'tools that are missing',
      )
      for (const label of labels) {
        await show(message)
        const button = toolbar.getByLabel(label, { exact: true })
        // A trial checks that nothing lies above the button.
        await button.click({ trial: true })
        const effect = effects[label]
        if (!effect) continue
        await use(page, button)
        await effect(message, page)
        t.pass(label)
      }
      t.same(wrongs, [])
    })
  }
})

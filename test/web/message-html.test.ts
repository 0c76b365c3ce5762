import type { BrowserContextOptions } from 'playwright-core'
import t from 'tap'
import { untilFormulasRender } from '../support/formulas.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'

const shown = `# Plan
## Part
One line and ~~another~~, seen by @**Ada Lovelace**, @_**Ada Lovelace**, @**everyone** at <time:2030-01-31T12:00:00Z> :tada:

- nut
  - bolt
    1. thread

> quoted **words**

| item | price |
|:-----|------:|
| nut | 12 |

\`\`\`spoiler The end
They marry.

Twice.
\`\`\`

---
\`\`\`python
def area(r: float) -> str:
    # of a circle
    return f"{3.14 * r}" + 'x' if r else None
\`\`\``

const long = `${'https://example.com/'.padEnd(300, 'x')}

$$\\text{${'wide words '.repeat(30)}}$$

| ${'column | '.repeat(30)}
|${'---|'.repeat(30)}
| ${'cell | '.repeat(30)}

\`\`\`
${'code '.repeat(80)}
\`\`\``

/** Classes of highlighted code whose text contrasts with the block by less than 4.5 to 1. */
const faintClasses = `(() => {
  const paint = document.createElement('canvas').getContext('2d')
  const brightness = colour => {
    paint.fillStyle = colour
    paint.fillRect(0, 0, 1, 1)
    const [red, green, blue] = [...paint.getImageData(0, 0, 1, 1).data].map(part =>
      part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const pre = document.querySelector('.content pre')
  const ground = brightness(getComputedStyle(pre).backgroundColor)
  return [...pre.querySelectorAll('code span')].filter(span => {
    const text = brightness(getComputedStyle(span).color)
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05) < 4.5
  }).map(span => span.className + ' ' + getComputedStyle(span).color)
})()`

const themes: readonly BrowserContextOptions[] = [
  { colorScheme: 'light' },
  { colorScheme: 'dark' },
  { colorScheme: 'light', ...phone },
  { colorScheme: 'dark', ...phone },
]

t.test('the HTML of messages has its styles', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace', role: 100 })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  await untilFormulasRender(ada)
  for (const content of [long, shown]) {
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'html', content })
  }
  const browser = await launchBrowser(t)
  for (const options of themes) {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}/html`, ada, {
      ...options,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const message = messageWith(page, 'The end')
    await message.locator('.codehilite .k').first().waitFor()
    const style = (selector: string, property: string) =>
      message
        .locator(selector)
        .first()
        .evaluate((element, name) => element.computedStyleMap().get(name)?.toString(), property)
    t.equal(await style('td', 'text-align'), 'left')
    t.equal(await style('td:last-child', 'text-align'), 'right')
    t.equal(await style('th:last-child', 'text-align'), 'right')
    t.equal(await style('ul ul', 'list-style-type'), 'circle')
    t.not(await style('h1', 'font-size'), await style('h2', 'font-size'))
    t.not(await style('.own-mention', 'background-color'), await style('.user-mention.silent', 'background-color'))
    t.equal(await style('.content > p > time', 'white-space'), 'nowrap')
    t.same(await page.evaluate(faintClasses), [])
    const copy = message.locator('.copy-code')
    t.equal(await copy.getAttribute('aria-label'), 'Copy')
    t.notMatch(await message.locator('.content').textContent(), /Copy/, 'the button is no text of the message')
    await copy.focus()
    await copy.press('Enter')
    await message.getByRole('button', { name: 'Copied' }).waitFor()
    t.match(await page.evaluate('navigator.clipboard.readText()'), /^def area\(r: float\)[\s\S]* else None\n$/)
    // Pictures for those who change the styles.
    if (process.env.PICTURES) {
      await message.locator('summary').click()
      for (const [index, one] of (await page.locator('.message').all()).entries()) {
        await one.scrollIntoViewIfNeeded()
        await page.screenshot({ path: `${process.env.PICTURES}/${themes.indexOf(options)}-${index}.png` })
      }
    }
    t.same(wrongs, [])
    await page.context().close()
  }

  await t.test('a long message is folded until the user wants all of it', async t => {
    const content = Array.from({ length: 80 }, (_, line) => `line ${line} of the long story`).join('\n')
    await ada.ok('POST', '/messages', { type: 'channel', to: channel, topic: 'long', content })
    const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}/long`, ada)
    const message = messageWith(page, 'line 79')
    const height = async () => (await message.boundingBox())?.height ?? 0
    await message.getByRole('button', { name: 'Show more' }).click()
    await message.getByRole('button', { name: 'Show less' }).waitFor()
    t.ok((await height()) > 1000)
    await message.getByRole('button', { name: 'Show less' }).press('Enter')
    await message.getByRole('button', { name: 'Show more' }).waitFor()
    t.ok((await height()) < 520)
    t.same(wrongs, [])
    await page.context().close()
  })

  await t.test('what is wide scrolls inside its message', async t => {
    for (const options of [{}, phone]) {
      const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}/html`, ada, options)
      const message = page.locator('.message').first()
      await message.scrollIntoViewIfNeeded()
      await message.locator('.katex-html').waitFor({ state: 'attached' })
      const scrolls = (selector: string) =>
        message.locator(selector).evaluate(element => element.scrollWidth - element.clientWidth)
      for (const selector of ['table', 'pre']) t.ok((await scrolls(selector)) > 50, selector)
      t.equal(await page.locator('.feed-scroll').evaluate(feed => feed.scrollWidth - feed.clientWidth), 0)
      t.ok((await scrolls('.content')) <= 0, 'nothing sticks out of the message')
      t.same(wrongs, [])
    }
  })
})

import t from 'tap'
import { untilFormulasRender } from '../support/formulas.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'

t.test(
  'a formula is shown with fonts of this server, which a page without formulas does not load',
  needsBrowser,
  async t => {
    const server = await startServer(t)
    const ada = await server.person()
    await untilFormulasRender(ada)
    const say = (content: string) => ada.ok('POST', '/messages', { type: 'direct', to: [ada.id], content })
    await say('plain')
    const browser = await launchBrowser(t)
    const { page, wrongs } = await openWindow(browser, `${server.url}/#direct/${ada.id}`, ada)
    const loaded: string[] = []
    page.on('response', response => loaded.push(`${response.status()} ${new URL(response.url()).pathname}`))
    await page.getByText('plain').waitFor()
    t.notMatch(loaded.join(), /katex/i)
    await say('so $$\\sqrt{x_1}$$\n\n```math\n\\frac{a}{b}\n```')
    await page.locator('.katex-display .mfrac').waitFor()
    await until(page, "[...document.fonts].some(font => /KaTeX/.test(font.family) && font.status === 'loaded')")
    t.match(loaded.join('\n'), /^200 \/assets\/katex-.*\.css$/m)
    t.match(loaded.join('\n'), /^200 \/assets\/KaTeX_.*\.woff2$/m)
    t.notMatch(loaded.join(), /\.(?:woff|ttf)\b/)
    t.equal(await page.locator('.katex svg path').count(), 1, 'the sign of the root is drawn')
    t.match(await page.locator('.katex-html .strut').first().getAttribute('style'), /^height: [\d.]+em;/)
    const source = page.locator('.katex annotation').first()
    t.equal(await source.textContent(), '\\sqrt{x_1}')
    const width = "document.querySelector('.katex-mathml').getBoundingClientRect().width"
    t.ok(Number(await page.evaluate(width)) < 3, 'the source is not shown')
    t.same(wrongs, [])
  },
)

t.test('styles that a formula does not have are not applied', needsBrowser, async t => {
  const server = await startServer(t)
  const victim = await server.person()
  const { id } = await victim.ok('POST', '/messages', { type: 'direct', to: [victim.id], content: 'x' })
  const html =
    '<p>here <span class="katex" style="position:fixed;inset:0;height:9em;background:url(https://elsewhere.example)">' +
    '<svg viewBox="0 0 1 1"><path d="M0 0" style="color:red"></path></svg></span>' +
    '<b style="height:9em">y</b><svg><path d="M0 0"></path></svg><math><mi>z</mi></math></p>'
  await server.sql`update messages set rendered_content = ${html} where id = ${id}`
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#direct/${victim.id}`, victim)
  await page.getByText('here').waitFor()
  t.equal(await page.locator('.content .katex').getAttribute('style'), 'height: 9em;')
  t.equal(await page.locator('.content [style]').count(), 2)
  t.equal(await page.locator('.content svg').count(), 1)
  t.equal(await page.locator('.content math').count(), 0)
  t.same(wrongs, [])
})

t.test('highlighted code has colours', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person()
  await untilFormulasRender(ada)
  await ada.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: '```js\nlet x = 1\n```' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#direct/${ada.id}`, ada)
  const colour = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`)
  await page.locator('.content code .k').waitFor()
  t.not(await colour('.content .k'), await colour('.content code'))
  t.not(await colour('.content .k'), await colour('.content .mi'))
  t.same(wrongs, [])
})

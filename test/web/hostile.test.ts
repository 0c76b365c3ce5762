import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
import { atRest } from './support/reading.js'

const attack = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
const contents = [
  attack,
  `**${attack}**`,
  '[a](javascript:window.hit=1) [b](data:text/html,<script>window.hit=1</script>) [c](vbscript:x)',
  '![p](https://elsewhere.example/pixel.png)',
  '<svg onload="window.hit=1"><style>*{display:none}</style></svg>',
  '```spoiler <img src=x onerror="window.hit=1">\n<iframe srcdoc="<script>parent.hit=1</script>"></iframe>\n```',
  '<a href="#" onclick="window.hit=1" style="position:fixed;inset:0">x</a>',
  '<form action="https://elsewhere.example"><input name=password><button>go</button></form>',
  '| <b onmouseover=window.hit=1>h</b> |\n|---|\n| x |',
]
// HTML that a compromised server might send: only the page can protect its user.
const fromServer = [
  '<p><img src=x onerror="window.hit=1"></p>',
  '<p><a href="javascript:window.hit=1">x</a><a href="//elsewhere.example">y</a></p>',
  '<svg><script>window.hit=1</script></svg><math><mtext><img src=x onerror="window.hit=1"></mtext></math>',
  '<div style="position:fixed;inset:0">over all</div><iframe src="https://elsewhere.example"></iframe>',
  '<p class="composer">x</p><form><input></form><style>body{display:none}</style><link rel=stylesheet href="https://elsewhere.example/a.css">',
  '<img src="https://elsewhere.example/pixel.png" alt="a pixel">',
  '<template><img src=x onerror="window.hit=1"></template><noscript><img src=x onerror="window.hit=1"></noscript>',
]

/** No script ran, and the messages contain none. */
async function isHarmless(t: Test, page: Page): Promise<void> {
  t.equal(await page.evaluate('window.hit'), undefined, 'nothing ran')
  t.same(
    await page
      .locator('.content script, .content iframe, .content style, .content form, .content svg, .content link')
      .count(),
    0,
  )
  t.equal(await page.locator('.content [style]').count(), 0)
  t.equal(await page.locator('.content [onerror], .content [onclick], .content [onload]').count(), 0)
  t.same(
    await page
      .locator('.content a')
      .evaluateAll(links =>
        links
          .map(link => link.getAttribute('href'))
          .filter(href => /^\s*(javascript|data|vbscript|\/\/)/i.test(href ?? '')),
      ),
    [],
  )
}

t.test('what people write and call things runs nothing in the page', needsBrowser, async t => {
  const server = await startServer(t)
  const mallory = await server.person({ full_name: 'Mallory <img src=x onerror=window.hit=1>' })
  const victim = await server.person()
  const name = `<img src=x onerror=window.hit=1>`
  const topic = '"><script>window.hit=1</script>'
  await mallory.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name, description: attack }],
    principals: [mallory.id, victim.id],
  })
  const { stream_id: channel } = await mallory.ok('GET', '/get_stream_id', { stream: name })
  for (const content of contents) {
    await mallory.ok('POST', '/messages', { type: 'channel', to: channel, topic, content })
  }
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#channel/${channel}`, victim)
  const seeAll = async () => {
    await page.locator('.message').first().waitFor()
    const list = page.locator('.feed-scroll')
    for (const part of [0, 0.25, 0.5, 0.75, 1]) {
      await list.evaluate(`element => { element.scrollTop = element.scrollHeight * ${part} }`)
      await atRest(page)
    }
  }
  await seeAll()
  for (const view of [
    'all',
    `channel/${channel}/${encodeURIComponent(topic)}`,
    `search/x`,
    'direct/1',
    `search/%E0%A4%A`,
  ]) {
    await page.goto(`${server.url}/#${view}`)
    await page.locator('main h1').waitFor()
    // An address that cannot be read leads to the inbox.
    await page.locator('.feed-scroll[aria-busy="false"], .home-list').waitFor()
    if ((await page.locator('.feed-scroll').count()) > 0) await atRest(page)
  }
  await page.goto(`${server.url}/#channel/999999`)
  await page.getByText('This channel does not exist').waitFor()
  await page.goto(`${server.url}/#channel/${channel}`)
  await seeAll()
  await page.getByLabel('New direct message').click()
  await page.getByText('Mallory').last().waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.composer-text').fill(attack)
  await page.getByLabel('Preview').click()
  await page.locator('.preview').getByText('onerror').waitFor()

  await isHarmless(t, page)
  t.same(wrongs, [], 'and the policy had nothing to refuse')
})

t.test('what a server that was broken into sends runs nothing either', needsBrowser, async t => {
  const server = await startServer(t)
  const victim = await server.person()
  for (const html of fromServer) {
    const { id } = await victim.ok('POST', '/messages', { type: 'direct', to: [victim.id], content: 'x' })
    await server.sql`update messages set rendered_content = ${html} where id = ${id}`
  }
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#direct/${victim.id}`, victim)
  await page.getByText('over all').waitFor()
  await page.getByText('a pixel').waitFor()
  await page.waitForTimeout(500)
  await isHarmless(t, page)
  // The browser looks at handlers while the text is taken apart, in a document that shows and runs nothing, and says so.
  t.same(
    wrongs.filter(
      wrong =>
        !/inline (event handler|style)|policy: (script-src-attr|style-src-attr|style-src-elem|style-src)/.test(wrong),
    ),
    [],
  )
})

t.test('links open beside the page, and keep no hold on it', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person()
  await ada.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: 'see https://elsewhere.example/a' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#direct/${ada.id}`, ada)
  const link = page.locator('.content a')
  await link.waitFor()
  t.equal(await link.getAttribute('target'), '_blank')
  t.match(await link.getAttribute('rel'), /noopener noreferrer/)
  t.same(wrongs, [])
})

t.test('text that some script would make markup of is refused by the browser', needsBrowser, async t => {
  const server = await startServer(t)
  const browser = await launchBrowser(t)
  const { page } = await openWindow(browser, server.url, await server.person())
  await page.locator('.sidebar').waitFor()
  const tried = (work: string) =>
    page.evaluate(`(() => { try { ${work}; return 'taken' } catch (error) { return error.name } })()`)
  t.equal(await tried(`document.createElement('div').innerHTML = '<b>x</b>'`), 'TypeError')
  t.equal(await tried(`document.createElement('script').text = 'window.hit = 1'`), 'TypeError')
  t.equal(await tried(`trustedTypes.createPolicy('other', {})`), 'TypeError')
})

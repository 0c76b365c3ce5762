import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, smallPhone } from './support/browser.js'
import { until } from './support/reading.js'

const uploads = '**/json/user_uploads'
const box = (page: Page) => page.locator('.composer-text')
const chips = (page: Page) => page.locator('.attached-file')
/** A file of the message that is being written. */
const chip = (page: Page, name: string) => page.locator('.attached-file', { hasText: name })
const attached = (page: Page, name: string) => page.locator('.attached-file:not(.upload)', { hasText: name })
const text = (name: string, bytes = 1000) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'x') })
const give = (page: Page, files: ReturnType<typeof text>[]) =>
  page.getByLabel('Files', { exact: true }).setInputFiles(files)
/** Keeps uploads from the server until they are released. */
async function holdUploads(page: Page) {
  const held: Route[] = []
  let isOver = false
  await page.route(uploads, route => (isOver ? route.continue() : void held.push(route)))
  return {
    held,
    async reached(count: number) {
      while (held.length < count) await page.waitForTimeout(20)
    },
    async release() {
      isOver = true
      for (const route of held) await route.continue()
    },
  }
}

const namesIn = async (page: Page) =>
  (await page.locator('.attached-name').allTextContents()).map(name => name.replace(/\.txt$/, ''))

t.test('files of a message that is being written', needsBrowser, async t => {
  const server = await startServer(t, { MAX_FILE_UPLOAD_MIB: '1' })
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  await ada.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'engine' }] })
  const { stream_id: channel } = await ada.ok('GET', '/get_stream_id', { stream: 'engine' })
  const to = { type: 'channel', to: channel, topic: 'notes' }
  await ada.ok('POST', '/messages', { ...to, content: 'the first one' })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channel}/notes`
  const { page, wrongs } = await openWindow(browser, url, ada)
  const second = await openWindow(browser, url, ada)
  const draft = async () => (await ada.ok('GET', '/drafts')).drafts[0]?.content as string | undefined
  const newest = async () =>
    (
      await ada.ok('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        apply_markdown: false,
        narrow: [],
      })
    ).messages[0].content as string
  await messageWith(page, 'the first one').waitFor()

  await t.test('they stand above the text with kind, size and thumbnail, and in all windows', async t => {
    const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#356' } })
      .png()
      .toBuffer()
    await box(page).fill('two files')
    await give(page, [text('list.txt', 12_345), { name: 'lake.png', mimeType: 'image/png', buffer: png }])
    for (const one of [page, second.page]) {
      await attached(one, 'list.txt').getByText('TXT · 12 kB').waitFor()
      await attached(one, 'lake.png').locator('img').waitFor()
      await until(one, `document.querySelector('.attached-file .file-sign img')?.naturalWidth === 300`)
      t.equal(await box(one).inputValue(), 'two files')
    }
    t.match(
      await draft(),
      /^two files\n\n\[list\.txt\]\(\/user_uploads\/\S+\)\n\[lake\.png\]\(\/user_uploads\/\S+\)$/,
      'the draft has their links',
    )
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/chips.png` })
  })

  await t.test('a new window has them, and a key takes one away', async t => {
    const third = await openWindow(browser, url, ada)
    await attached(third.page, 'lake.png').waitFor()
    await third.page.getByLabel('Remove list.txt').press('Enter')
    await chip(page, 'list.txt').waitFor({ state: 'detached' })
    await until(third.page, `document.activeElement.classList.contains('composer-text')`)
    t.same(third.wrongs, [])
    await third.page.close()
  })

  await t.test('the Markdown is made on sending', async t => {
    await box(page).press('Enter')
    await messageWith(page, 'two files').locator('.message_inline_image').waitFor()
    t.match(await newest(), /^two files\n\n\[lake\.png\]\(\/user_uploads\/\S+\)$/)
    for (const one of [page, second.page]) await chips(one).waitFor({ state: 'detached' })
  })

  await t.test('a draft of before shows its files, and a file in a sentence stays in it', async t => {
    const link = (name: string) => `[${name}](/user_uploads/1/ab/none/${name})`
    await ada.ok('POST', '/drafts', {
      drafts: [{ type: 'stream', to: [channel], topic: 'notes', content: `see ${link('a.txt')}\n${link('b.txt')} ` }],
    })
    await attached(page, 'b.txt').waitFor()
    t.equal(await box(page).inputValue(), `see ${link('a.txt')}`)
    await page.getByLabel('Remove b.txt').click()
    await box(page).fill('')
    await box(page).pressSequentially('typed')
    // Pasted behind words that stay the same.
    await page.evaluate(`document.execCommand('insertText', false, ${JSON.stringify(`\n${link('c.txt')}`)})`)
    await attached(page, 'c.txt').waitFor()
    t.equal(await box(page).inputValue(), 'typed')
    t.equal(await chips(page).count(), 1)
    await page.getByLabel('Remove c.txt').click()
    await box(page).fill('')
  })

  await t.test('a failed one says why, does not hold up the others, and is tried again', async t => {
    await page.route(uploads, route => route.abort(), { times: 1 })
    await give(page, [text('one.txt'), text('two.txt')])
    await attached(page, 'two.txt').waitFor()
    await chip(page, 'one.txt').getByText('The connection broke: try again.').waitFor()
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/chip-failed.png` })
    await page.getByLabel('Try again: one.txt').click()
    await attached(page, 'one.txt').waitFor()
    t.same(await namesIn(page), ['two', 'one'])
    for (const name of ['one', 'two']) await page.getByLabel(`Remove ${name}.txt`).click()
  })

  await t.test('what the server refuses half-way says why, and leaves nothing', async t => {
    await give(page, [text('large.txt', 5_000_000), text('small.txt')])
    await attached(page, 'small.txt').waitFor()
    await chip(page, 'large.txt').getByText('larger than the allowed limit of 1 MiB').waitFor()
    await page.getByLabel('Remove large.txt').click()
    await chip(page, 'large.txt').waitFor({ state: 'detached' })
    await box(page).press('Enter')
    await chips(page).waitFor({ state: 'detached' })
    await messageWith(page, 'small.txt').waitFor()
    t.notMatch(await newest(), 'large')
  })

  await t.test('nothing is sent while files are on their way', async t => {
    const { release } = await holdUploads(page)
    await box(page).fill('wait for it')
    await give(page, [text('late.txt')])
    await chip(page, 'late.txt').waitFor()
    await box(page).press('Enter')
    await page.getByText('Not all files have arrived yet').waitFor()
    t.equal(await box(page).inputValue(), 'wait for it')
    await release()
    await page.unroute(uploads)
    await attached(page, 'late.txt').waitFor()
    await box(page).press('Enter')
    await messageWith(page, 'wait for it').waitFor()
    t.match(await newest(), /^wait for it\n\n\[late\.txt\]/)
  })

  await t.test('files arrive in the view in which they were chosen, in their order', async t => {
    const { held, reached } = await holdUploads(page)
    await give(
      page,
      ['first', 'second', 'third'].map(name => text(`${name}.txt`)),
    )
    await chip(page, 'third.txt').waitFor()
    await reached(3)
    await page.goto(`${server.url}/#all`)
    await page.locator('.composer-text').waitFor({ state: 'detached' })
    for (const route of [...held].reverse()) {
      const answer = page.waitForResponse(uploads)
      await route.continue()
      await answer
    }
    await page.unroute(uploads)
    await page.goto(url)
    await attached(page, 'third.txt').waitFor()
    t.same(await namesIn(page), ['first', 'second', 'third'])
    for (const name of ['first', 'second', 'third']) await page.getByLabel(`Remove ${name}.txt`).click()
  })

  await t.test('many with long names leave room for the text on the smallest phone', async t => {
    const small = await openWindow(browser, url, ada, { ...smallPhone, colorScheme: 'dark' })
    await give(
      small.page,
      ['a', 'b', 'c', 'd', 'e'].map(name => text(`${name.repeat(80)}.txt`)),
    )
    await attached(small.page, 'eeee').waitFor()
    if (process.env.PICTURES) await small.page.screenshot({ path: `${process.env.PICTURES}/chips-phone.png` })
    t.ok(await small.page.evaluate(`document.querySelector('.composer').scrollWidth <= innerWidth`))
    const feed = await small.page.locator('.feed-scroll').boundingBox()
    t.ok(feed && feed.height > 100, `${feed?.height} pixels are left for the messages`)
    await attached(page, 'eeee').waitFor()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await small.page.getByLabel(`Remove ${name.repeat(80)}.txt`).tap()
    await chips(page).first().waitFor({ state: 'detached' })
    t.same(small.wrongs, [])
    await small.page.close()
  })

  await t.test('of five hundred files a message takes fifty, some at a time', async t => {
    const { reached, release } = await holdUploads(page)
    await give(
      page,
      Array.from({ length: 500 }, (_, i) => text(`${i}.txt`, 10)),
    )
    await page.getByText('A message takes 50 files: 450 of yours were left out.').waitFor()
    await reached(3)
    t.equal(await chips(page).count(), 50)
    t.equal(await page.locator('.upload progress').count(), 3, 'the others wait')
    await release()
    await until(page, `document.querySelectorAll('.attached-file:not(.upload)').length === 50`)
    t.same(
      await namesIn(page),
      Array.from({ length: 50 }, (_, i) => String(i)),
    )
    await give(page, [text('more.txt')])
    await page.getByText('A message takes 50 files: 1 of yours was left out.').waitFor()
    t.equal(await chips(page).count(), 50)
    await box(page).press('Enter')
    await messageWith(page, '49.txt').waitFor()
    t.equal((await newest()).split('\n').length, 50)
  })

  t.same([...wrongs, ...second.wrongs], [])
})

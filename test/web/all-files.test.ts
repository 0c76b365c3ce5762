import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { sendFiles } from '../support/files.js'
import type { Person } from '../support/people.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone } from './support/browser.js'
import { until } from './support/reading.js'

t.test('the list of files', needsBrowser, async t => {
  const server = await startServer(t)
  const ada = await server.person({ full_name: 'Ada Lovelace' })
  const mary = await server.person({ full_name: 'Mary Somerville' })
  const open = async (who: Person, name: string, others: readonly Person[], isPrivate = false) => {
    const principals = [who.id, ...others.map(({ id }) => id)]
    await who.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals,
      invite_only: isPrivate,
      send_new_subscription_messages: false,
    })
    return (await who.ok('GET', '/get_stream_id', { stream: name })).stream_id as number
  }
  const channels = {
    engine: await open(ada, 'engine', [mary]),
    looms: await open(mary, 'looms', []),
    secret: await open(mary, 'secret', [], true),
  }
  const give = async (who: Person, name: string, bytes: Uint8Array<ArrayBuffer> = new Uint8Array(2000)) => {
    const { body } = await sendFiles(server.url, who, '/user_uploads', { files: [{ name, bytes, type: '' }] })
    return `[${name}](${body.url})`
  }
  const say = (who: Person, to: number, content: string) =>
    who.ok('POST', '/messages', { type: 'channel', to, topic: 'notes', content })
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#356' } })
    .png()
    .toBuffer()
  const plan = await give(ada, 'plan <b>.pdf')
  await say(ada, channels.engine, `Look at this\n\n${plan}\n${plan}`)
  await say(mary, channels.engine, `${await give(mary, 'lake.png', new Uint8Array(png))}`)
  await say(mary, channels.engine, `see ${await give(mary, 'sentence.csv')} please`)
  await say(mary, channels.looms, await give(mary, 'threads.zip'))
  await say(mary, channels.secret, await give(mary, 'hidden.zip'))
  await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content: await give(mary, 'private.doc') })
  const browser = await launchBrowser(t)
  const url = `${server.url}/#channel/${channels.engine}/notes`
  const { page, wrongs } = await openWindow(browser, url, ada)
  const dialog = page.getByRole('dialog', { name: 'Files' })
  const names = (from: Page) => from.locator('.files-dialog .choice strong').allTextContents()
  /** Waits until the list has exactly these. */
  const holds = (names: readonly string[]) =>
    until(
      page,
      `JSON.stringify([...document.querySelectorAll('.files-dialog .choice strong')].map(one => one.textContent)) === ${JSON.stringify(JSON.stringify(names))}`,
    )
  const openIn = async (place: Page) => {
    await place.getByLabel('More', { exact: true }).click()
    await place.getByRole('button', { name: 'Files', exact: true }).last().click()
  }

  await t.test('a file on a line of its own is a card, and in a sentence a link', async t => {
    const card = messageWith(page, 'Look at this').locator('.file-card')
    await card.first().waitFor()
    t.equal(await card.first().getAttribute('data-kind'), 'PDF')
    t.equal(await card.first().textContent(), 'plan <b>.pdf')
    t.equal(await messageWith(page, 'sentence.csv').locator('.file-card').count(), 0)
    t.equal(await page.locator('.message:has(img[alt="lake.png"]) .file-card').count(), 0)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/cards.png` })
  })

  await t.test('of a channel: each file once, the newest message first', async t => {
    await openIn(page)
    await holds(['sentence.csv', 'lake.png', 'plan <b>.pdf'])
    t.match(await dialog.locator('.choice').last().textContent(), /PDF · Ada Lovelace · #?engine/)
    await until(page, `document.querySelector('.files-dialog .file-sign img')?.naturalWidth === 300`)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/all-files.png` })
  })

  await t.test('the search finds names, beginnings of them, and words of the message', async t => {
    for (const [words, found] of [
      ['plan', ['plan <b>.pdf']],
      ['sent', ['sentence.csv']],
      ['look', ['plan <b>.pdf']],
      ['nothing of it', []],
      ['', ['sentence.csv', 'lake.png', 'plan <b>.pdf']],
    ] as const) {
      await dialog.getByLabel('Find files by name').fill(words)
      await holds(found)
    }
    await dialog.getByLabel('Find files by name').fill('nothing')
    await dialog.getByText('There are no files here.').waitFor()
    t.same(await names(page), [])
    await dialog.getByLabel('Find files by name').fill('')
  })

  await t.test('everywhere: what the user may read, and no more', async () => {
    await dialog.getByLabel('Where to look').selectOption('My channels and conversations')
    await holds(['private.doc', 'sentence.csv', 'lake.png', 'plan <b>.pdf'])
    await dialog.getByLabel('Where to look').selectOption('All public channels')
    await holds(['threads.zip', 'sentence.csv', 'lake.png', 'plan <b>.pdf'])
  })

  await t.test('a file is downloaded, and its message shown', async t => {
    const download = page.waitForEvent('download')
    await dialog.getByLabel('Download plan <b>.pdf').click()
    t.equal((await download).suggestedFilename(), 'plan <b>.pdf'.replace(/[<>]/g, '_'))
    await dialog.getByLabel('Show the message of plan <b>.pdf').click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.message.pointed', { hasText: 'Look at this' }).waitFor()
  })

  await t.test('a failed request says why', async t => {
    await page.getByLabel('Your menu').click()
    await page.getByRole('button', { name: 'Files', exact: true }).last().click()
    await holds(['private.doc', 'sentence.csv', 'lake.png', 'plan <b>.pdf'])
    t.same(await dialog.getByLabel('Where to look').locator('option').allTextContents(), [
      'My channels and conversations',
      'All public channels',
    ])
    await dialog.getByLabel('Find files by name').fill('x'.repeat(10_000))
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Find files by name').fill('private')
    await holds(['private.doc'])
    t.equal(await dialog.getByRole('alert').count(), 0)
    await dialog.getByLabel('Close', { exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  await t.test('older messages are looked through by a button', async () => {
    const file = await give(ada, 'many.txt')
    for (let i = 0; i < 101; i++) await say(ada, channels.engine, `${i} ${file}`)
    await openIn(page)
    const older = dialog.getByRole('button', { name: 'Look in older messages' })
    await older.waitFor()
    await holds(Array(100).fill('many.txt'))
    await older.click()
    await holds([...Array(101).fill('many.txt'), 'sentence.csv', 'lake.png', 'plan <b>.pdf'])
    await older.waitFor({ state: 'detached' })
  })

  await t.test('a picture is shown above the list, and leads to those of older messages', async t => {
    await dialog.getByLabel('Close', { exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await say(mary, channels.engine, await give(mary, 'hill.png', new Uint8Array(png)))
    await openIn(page)
    const viewer = (name: string) => page.getByRole('dialog', { name, exact: true })
    const row = dialog.getByRole('link', { name: /^hill\.png/ })
    for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await row.click()
      await viewer('hill.png').getByText('1 of 1').waitFor()
      await leave()
      await viewer('hill.png').waitFor({ state: 'detached' })
      t.ok(await row.isVisible(), 'the list is still there')
    }
    await row.click()
    t.equal(await viewer('hill.png').getByLabel('Next picture').isDisabled(), true)
    await viewer('hill.png').getByLabel('Picture before').click()
    await viewer('lake.png').getByText('1 of 2').waitFor()
    t.equal(await viewer('lake.png').getByLabel('Picture before').isDisabled(), true)
    await viewer('lake.png').getByLabel('Close', { exact: true }).click()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
  })

  await t.test(
    'the open list follows its messages: a picture that the server has not read yet, a change, a deletion',
    async t => {
      const [text, picture] = [await give(mary, 'draft.txt'), await give(mary, 'pond.png', new Uint8Array(png))]
      const { id } = await say(mary, channels.engine, text)
      await openIn(page)
      await dialog.getByText('draft.txt').waitFor()
      await mary.ok('PATCH', `/messages/${id}`, { content: picture })
      await dialog.getByRole('link', { name: /^pond\.png/ }).click()
      await page
        .getByRole('dialog', { name: 'pond.png', exact: true })
        .getByText(/ of \d/)
        .waitFor()
      await page.keyboard.press('Escape')
      await server.sql`update users set role = 200 where id = ${mary.id}`
      await mary.ok('DELETE', `/messages/${id}`)
      await dialog.getByText('pond.png').waitFor({ state: 'detached' })
      t.equal(await dialog.getByRole('alert').count(), 0)
      await dialog.getByLabel('Close', { exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    },
  )

  await t.test('it fits on a phone', async t => {
    const small = await openWindow(browser, url, ada, { ...phone, colorScheme: 'dark' })
    await openIn(small.page)
    await small.page.locator('.files-dialog .choice').first().waitFor()
    if (process.env.PICTURES) await small.page.screenshot({ path: `${process.env.PICTURES}/all-files-phone.png` })
    t.ok(await small.page.evaluate(`document.querySelector('.files-dialog').scrollWidth <= innerWidth`))
    t.same(small.wrongs, [])
  })

  t.same(wrongs, [])
})

import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t from 'tap'
import { sendFiles } from '../support/files.js'
import { messageWith, needsBrowser, openWindow } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

const picture = (red: number) =>
  sharp({ create: { width: 1200, height: 600, channels: 3, background: { r: red, g: 90, b: 120 } } })
    .png()
    .toBuffer()

/** A file of the message that is being written, which the server has. */
const attached = (page: Page, name: string) => page.locator('.attached-file:not(.upload)', { hasText: name })

const withPlan = (page: Page) =>
  page.locator('.message:not(.unsent)', { has: page.locator('.message_inline_image img[alt="plan.png"]') })

t.test('files', needsBrowser, async t => {
  const { browser, url, ada, mary, hers, other } = await twoWindows(t)
  const composer = hers.page.locator('.composer-text')
  const naturalWidth = (image: ReturnType<typeof messageWith>): Promise<number> =>
    image.evaluate(async element => {
      const shown = element as unknown as { decode(): Promise<void>; naturalWidth: number }
      await shown.decode()
      return shown.naturalWidth
    })

  await t.test('an attached picture reaches the other window as a thumbnail', async t => {
    await messageWith(hers.page, 'the first one').waitFor()
    await hers.page.getByLabel('Files', { exact: true }).setInputFiles([
      { name: 'map [1].png', mimeType: 'image/png', buffer: await picture(200) },
      { name: 'plan.png', mimeType: 'image/png', buffer: await picture(30) },
    ])
    await attached(hers.page, 'plan.png').waitFor()
    t.equal(await composer.inputValue(), '')
    await composer.press('Enter')
    for (const { page } of [hers, other]) {
      const images = withPlan(page).locator('.message_inline_image img:not(.image-loading-placeholder)')
      await images.nth(1).waitFor()
      t.equal(await naturalWidth(images.first()), 840)
      t.equal(await images.first().getAttribute('alt'), 'map _1_.png')
      t.equal(await withPlan(page).locator('.edited').count(), 0)
      t.equal(
        (await withPlan(page).locator('.content').textContent())?.trim(),
        '',
        'their names do not stand above them',
      )
    }
  })

  await t.test('the viewer shows pictures in full size, by mouse and keyboard', async t => {
    const { page } = other
    await withPlan(page).locator('a.picture').first().focus()
    await page.keyboard.press('Enter')
    const first = page.getByRole('dialog', { name: 'map _1_.png' })
    await first.getByText('1 of 2').waitFor()
    t.equal(await naturalWidth(first.locator('.viewer img')), 1200)
    t.match(await first.locator('.viewer-origin').textContent(), /^Ada Lovelace.*notes/)
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1920, height: 1080 },
      { width: 320, height: 568 },
    ]) {
      await page.setViewportSize(size)
      // Pictures for those who change the styles.
      if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/viewer-${size.width}.png` })
      for (const part of [first, first.locator('.viewer img'), first.getByText('Download')]) {
        const box = await part.boundingBox()
        t.ok(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height)
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    const width = async () => (await first.locator('.viewer img').boundingBox())?.width ?? 0
    const fitted = await width()
    await page.keyboard.press('+')
    t.ok((await width()) > fitted * 1.4, 'a key enlarges')
    await page.keyboard.press('ArrowRight')
    t.ok(await first.isVisible(), 'an arrow moves a large picture')
    await page.keyboard.press('0')
    t.equal(await width(), fitted)
    await page.mouse.move(640, 400)
    await page.mouse.wheel(0, -400)
    t.ok((await width()) > fitted * 2, 'so does the wheel')
    await first.locator('.viewer').dblclick()
    t.equal(await width(), fitted)
    await page.keyboard.press('ArrowRight')
    const second = page.getByRole('dialog', { name: 'plan.png' })
    await second.getByText('2 of 2').waitFor()
    t.ok(await second.getByLabel('Next picture').isDisabled())
    await second.getByLabel('Picture before').click()
    await first.waitFor()
    const download = page.waitForEvent('download')
    await first.getByText('Download').click()
    t.equal((await download).suggestedFilename(), 'map [1].png')
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  })

  await t.test('files are pasted and dropped', async () => {
    for (const kind of ['paste', 'drop']) {
      await hers.page.evaluate(`{
        const data = new DataTransfer()
        data.items.add(new File(['some text'], '${kind}.txt', { type: 'text/plain' }))
        const box = document.querySelector('.composer-text')
        const init = { bubbles: true, cancelable: true }
        box.dispatchEvent('${kind}' === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data }))
      }`)
      await attached(hers.page, `${kind}.txt`).waitFor()
    }
    await composer.press('Enter')
    await messageWith(other.page, 'paste.txt').waitFor()
  })

  await t.test('files are dropped anywhere in the window, which names where they go', async t => {
    const { page } = hers
    const drag = (type: string, target: string) =>
      page.evaluate(`{
        const data = new DataTransfer()
        data.items.add(new File(['some text'], 'anywhere.txt', { type: 'text/plain' }))
        const init = { bubbles: true, cancelable: true, dataTransfer: data }
        document.querySelector('${target}').dispatchEvent(new DragEvent('${type}', init))
      }`)
    const overlay = page.locator('.drop-here')
    await drag('dragover', '.sidebar')
    t.equal(await overlay.textContent(), 'Drop to attach: Message notes')
    await drag('dragleave', '.sidebar')
    await overlay.waitFor({ state: 'detached' })
    await drag('dragover', '.feed-scroll')
    await drag('drop', '.feed-scroll')
    await attached(page, 'anywhere.txt').waitFor()
    t.equal(await overlay.count(), 0)
    await page.getByLabel('Remove anywhere.txt').click()
    await attached(page, 'anywhere.txt').waitFor({ state: 'detached' })
    await page.getByLabel('Snippets').click()
    await page.locator('dialog[open]').waitFor()
    await drag('dragover', 'dialog[open]')
    await drag('drop', 'dialog[open]')
    t.equal(await overlay.count(), 0, 'a dialog takes no files for the composer behind it')
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    t.equal(await composer.inputValue(), '')
    t.equal(await page.locator('.attached-file').count(), 0)
  })

  await t.test('names in a sentence stay, and a sound has a player below its name', async t => {
    const give = async (name: string, type: string, bytes: Uint8Array<ArrayBuffer>) => {
      const { body } = await sendFiles(url.replace(/\/#.*/, ''), ada, '/user_uploads', {
        files: [{ name, bytes, type }],
      })
      return `[${name}](${body.url})`
    }
    const map = await give('lake.png', 'image/png', new Uint8Array(await picture(90)))
    const sounds = await Promise.all(['one.wav', 'two.mp3'].map(name => give(name, 'audio/wav', new Uint8Array(100))))
    const to = { type: 'channel', to: 'engine', topic: 'notes' }
    await ada.ok('POST', '/messages', { ...to, content: `Swim in ${map} today\n${map}` })
    await ada.ok('POST', '/messages', {
      ...to,
      content: `Listen to [this](/user_uploads/1/none.wav):\n${sounds.join('\n')}`,
    })
    const inSentence = messageWith(other.page, 'Swim in lake.png today')
    await inSentence.locator('.message_inline_image').waitFor()
    if (process.env.PICTURES) await other.page.screenshot({ path: `${process.env.PICTURES}/files.png` })
    t.equal((await inSentence.locator('.content').textContent())?.trim(), 'Swim in lake.png today')
    const players = messageWith(other.page, 'Listen to').locator('audio')
    await players.nth(1).waitFor()
    t.same(await players.evaluateAll(all => all.map(one => (one as unknown as { title: string }).title)), [
      'one.wav',
      'two.mp3',
    ])
    t.match(await messageWith(other.page, 'Listen to').textContent(), /one\.wav\s+two\.mp3/)
  })

  await t.test('an upload can be cancelled, and a broken one is reported', async t => {
    await hers.page.route('**/json/user_uploads', route => route.abort(), { times: 1 })
    const file = { name: 'lost.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1000) }
    await hers.page.getByLabel('Files', { exact: true }).setInputFiles(file)
    await hers.page.getByText('lost.bin: The connection broke').waitFor()
    await hers.page.getByLabel('Remove lost.bin').click()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await hers.page.route('**/json/user_uploads', async route => {
      await held
      await route.continue().catch(() => {})
    })
    await hers.page.getByLabel('Files', { exact: true }).setInputFiles({ ...file, name: 'slow.bin' })
    await hers.page.getByLabel('Cancel the upload of slow.bin').click()
    await hers.page.locator('.upload').waitFor({ state: 'detached' })
    release()
    await hers.page.unroute('**/json/user_uploads')
    t.notMatch(await composer.inputValue(), 'slow.bin')
  })

  await t.test('who signs out takes the right to read files along', async t => {
    const { page } = await openWindow(browser, url, mary)
    const source = await withPlan(page).locator('.message_inline_image img').first().getAttribute('src')
    const file = new URL(source ?? '', page.url()).href
    const status = async () => (await page.context().request.get(file)).status()
    t.equal(await status(), 200)
    await page.getByLabel('Your menu').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    t.equal(await status(), 401)
  })

  t.same([...hers.wrongs, ...other.wrongs], [])
})

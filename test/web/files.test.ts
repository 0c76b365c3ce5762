import sharp from 'sharp'
import t from 'tap'
import { messageWith, needsBrowser, openWindow } from './support/browser.js'
import { until } from './support/reading.js'
import { twoWindows } from './support/two-windows.js'

const picture = (red: number) =>
  sharp({ create: { width: 1200, height: 600, channels: 3, background: { r: red, g: 90, b: 120 } } })
    .png()
    .toBuffer()

t.test('files', needsBrowser, async t => {
  const { browser, url, mary, hers, other } = await twoWindows(t)
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
    await until(hers.page, `/plan\\.png.*\\) $/.test(document.querySelector('.composer-text').value)`)
    t.match(await composer.inputValue(), /^\[map _1_\.png\]\(\/user_uploads\/1\/\S+\) \[plan\.png\]\(\S+\) $/)
    await composer.press('Enter')
    for (const { page } of [hers, other]) {
      const images = messageWith(page, 'plan.png').locator('.message_inline_image img:not(.image-loading-placeholder)')
      await images.nth(1).waitFor()
      t.equal(await naturalWidth(images.first()), 840)
      t.equal(await images.first().getAttribute('alt'), 'map _1_.png')
      t.equal(await messageWith(page, 'plan.png').locator('.edited').count(), 0)
    }
  })

  await t.test('the viewer shows pictures in full size, by mouse and keyboard', async t => {
    const { page } = other
    await messageWith(page, 'plan.png').locator('a.picture').first().focus()
    await page.keyboard.press('Enter')
    const first = page.getByRole('dialog', { name: 'map _1_.png' })
    await first.getByText('1 of 2').waitFor()
    t.equal(await naturalWidth(first.locator('.viewer img')), 1200)
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
      await until(hers.page, `document.querySelector('.composer-text').value.includes('[${kind}.txt](/user_uploads/')`)
    }
    await composer.press('Enter')
    await messageWith(other.page, 'paste.txt').waitFor()
  })

  await t.test('an upload can be cancelled, and a broken one is reported', async t => {
    await hers.page.route('**/json/user_uploads', route => route.abort(), { times: 1 })
    const file = { name: 'lost.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1000) }
    await hers.page.getByLabel('Files', { exact: true }).setInputFiles(file)
    await hers.page.getByText('lost.bin: The connection broke').waitFor()
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
    const source = await messageWith(page, 'plan.png').locator('.message_inline_image img').first().getAttribute('src')
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

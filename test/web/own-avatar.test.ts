import sharp from 'sharp'
import t from 'tap'
import { messageWith, needsBrowser } from './support/browser.js'
import { twoWindows } from './support/two-windows.js'

t.test('own picture', needsBrowser, async t => {
  const { hers, other } = await twoWindows(t)
  const face = messageWith(other.page, 'the first one').locator('.avatar')
  await other.page.locator('[data-initials="AL"]').first().waitFor()
  await hers.page.getByLabel('Your menu').click()
  await hers.page.getByRole('button', { name: 'Your picture' }).click()
  const dialog = hers.page.getByRole('dialog', { name: 'Your picture' })
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    dialog.getByLabel('Another picture').setInputFiles({ name, mimeType, buffer })
  await dialog.getByText('Choose a picture').waitFor()
  // A click anywhere on the button reaches the browser's field.
  const chooser = hers.page.waitForEvent('filechooser')
  await dialog.locator('.file-field').click()
  await chooser
  await choose('face.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  await dialog
    .getByRole('alert')
    .getByText(/image file/)
    .waitFor()
  // Red on the left, blue on the right.
  const half = { create: { width: 150, height: 200, channels: 3, background: '#00f' } } as const
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#f00' } })
    .composite([{ input: half, left: 150, top: 0 }])
    .png()
    .toBuffer()
  await choose('face.png', 'image/png', png)
  t.equal(await face.locator('img').count(), 0, 'nothing is sent before the user has chosen a part')
  const slider = (name: string) => dialog.getByRole('slider', { name })
  t.ok(await slider('Up and down').isDisabled(), 'the frame shows all of the height')
  await slider('Left and right').press('End')
  await dialog.getByRole('button', { name: 'Use this part' }).click()
  await face.locator('img').waitFor()
  t.equal(await dialog.getByRole('alert').count(), 0)
  const width = await face.locator('img').evaluate(async element => {
    const shown = element as unknown as { decode(): Promise<void>; naturalWidth: number }
    await shown.decode()
    return shown.naturalWidth
  })
  t.equal(width, 100)
  const address = new URL((await face.locator('img').getAttribute('src')) ?? '', hers.page.url())
  const sent = await hers.page.request.get(address.href)
  const { data, info } = await sharp(await sent.body())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const blueAt = (x: number) => (data[(50 * info.width + x) * 3 + 2] as number) > 200
  t.same([10, 20, 35, 90].map(blueAt), [false, false, true, true], 'the right two thirds, a quarter of which is red')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await other.page.locator('[data-initials="AL"]').first().waitFor()
  t.same([...hers.wrongs, ...other.wrongs], [])
})

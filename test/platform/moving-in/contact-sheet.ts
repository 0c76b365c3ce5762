import type { Page } from 'playwright-core'
import sharp, { type OverlayOptions } from 'sharp'

type Colours = 'light' | 'dark'

interface Form {
  readonly width: number
  readonly height: number
  readonly isPhone: boolean
}

const wide: Form = { width: 1280, height: 800, isPhone: false }
const phone: Form = { width: 390, height: 844, isPhone: true }

const gap = 14
const sheet = { width: 1431, height: 820 }
// Two wide windows one above the other, and beside them two phones of the same height.
const wideWidth = (((sheet.height - gap) / 2) * wide.width) / wide.height
const phoneWidth = (sheet.height * phone.width) / phone.height

/** Writes one picture of the page in its four forms: wide and phone, light and dark. */
export async function writeContactSheet(page: Page, file: string): Promise<void> {
  const before = page.viewportSize()
  const hadTouch = await page.evaluate<boolean>('navigator.maxTouchPoints > 0')
  // A form that was filled in shows its end.
  await page.evaluate('scrollTo(0, 0)')
  // It stays: the end of a session of the developer tools takes away the virtual authenticator of the page.
  const devtools = await page.context().newCDPSession(page)
  const taken = async (form: Form, colours: Colours, width: number) => {
    await page.setViewportSize({ width: form.width, height: form.height })
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: form.isPhone })
    await page.emulateMedia({ colorScheme: colours })
    // Transitions of colours and sizes.
    await page.waitForTimeout(400)
    return sharp(await page.screenshot())
      .resize(Math.round(width))
      .toBuffer()
  }
  const tiles: OverlayOptions[] = []
  for (const [n, colours] of (['light', 'dark'] as const).entries()) {
    const top = Math.round((n * (sheet.height + gap)) / 2)
    tiles.push({ input: await taken(wide, colours, wideWidth), left: 0, top })
    const left = Math.round(wideWidth + gap + n * (phoneWidth + gap))
    tiles.push({ input: await taken(phone, colours, phoneWidth), left, top: 0 })
  }
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: hadTouch })
  if (before) await page.setViewportSize(before)
  await sharp({ create: { ...sheet, channels: 3, background: '#9aa0a6' } })
    .composite(tiles)
    .webp({ quality: 42, effort: 6 })
    .toFile(file)
}

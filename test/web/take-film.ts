// Not a test: creates the moving picture of the documentation: in a wide and in a narrow window a picture is dropped, two people vote, and
// the server is killed in the middle of the conversation and comes back. The machine needs an emoji font. `node dist/test/web/take-film.js docs/images/killed.webp`
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { childrenOf } from '../support/processes.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { launchBrowser, messageWith, openWindow, write } from './support/browser.js'
import { harbour } from './support/everyday.js'

const file = process.argv[2] ?? 'docs/images/killed.webp'
const frameMs = 200
// Pixels.
const wide = 860
const narrow = 400
const between = 8
const height = 600
const ends: (() => unknown)[] = []
const teardown = { teardown: (end: () => unknown) => ends.push(end) }

try {
  const organization = await testOrganization(teardown)
  const start = (port: string) => spawnServer(teardown, { WORKERS: '2', PORT: port }, organization)
  const server = await start('0')
  const { port } = new URL(server.url)
  const ines = await server.person({ full_name: 'Ines Moreau' })
  const tomas = await server.person({ full_name: 'Tomas Lind' })
  await ines.ok('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'engineering' }],
    principals: [ines.id, tomas.id],
    send_new_subscription_messages: false,
  })
  const { stream_id: channel } = await ines.ok('GET', '/get_stream_id', { stream: 'engineering' })
  const browser = await launchBrowser(teardown)
  const address = `${server.url}/#channel/${channel}/${encodeURIComponent('what if')}`
  const picture = Buffer.from(await pictureOf(browser)).toString('base64')
  const open = (who: typeof ines, width: number) => openWindow(browser, address, who, { viewport: { width, height } })
  const [hers, his] = await Promise.all([open(ines, wide), open(tomas, narrow)])
  const both = async () => {
    const [left, right] = await Promise.all([hers.page.screenshot(), his.page.screenshot()])
    const ground = { width: wide + between + narrow, height, channels: 3 as const, background: '#888' }
    return sharp({ create: ground })
      .composite([
        { input: left, left: 0, top: 0 },
        { input: right, left: wide + between, top: 0 },
      ])
      .png()
      .toBuffer()
  }
  const frames: Buffer[] = []
  const film = async (seconds: number) => {
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
      const next = performance.now() + frameMs
      frames.push(await both())
      await hers.page.waitForTimeout(Math.max(0, next - performance.now()))
    }
  }
  const live = (page: typeof hers.page) => page.locator('.corner[data-phase="live"]').waitFor({ state: 'attached' })
  await Promise.all([live(hers.page), live(his.page)])
  await write(his.page, 'How is it out there?')
  await film(1)
  const drag = (type: string) =>
    hers.page.evaluate(`{
      const bytes = Uint8Array.from(atob('${picture}'), character => character.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], 'harbour.png', { type: 'image/png' }))
      const init = { bubbles: true, cancelable: true, dataTransfer: data }
      document.querySelector('.feed-scroll').dispatchEvent(new DragEvent('${type}', init))
    }`)
  await drag('dragover')
  await film(1)
  await drag('drop')
  await film(1)
  await hers.page.locator('.composer-text').press('Enter')
  await messageWith(his.page, 'harbour.png').or(his.page.locator('.message img').first()).first().waitFor()
  await film(1.5)
  await write(his.page, '/poll Sail on Friday?\nyes\nonly with soup')
  const vote = async (page: typeof hers.page, option: string) => {
    const poll = page.getByRole('region', { name: 'Poll: Sail on Friday?' })
    await poll.getByRole('button', { name: new RegExp(`^${option}`) }).click()
  }
  await film(1)
  await vote(his.page, 'only with soup')
  await film(0.6)
  await vote(hers.page, 'yes')
  await film(0.6)
  await vote(hers.page, 'only with soup')
  await film(1.5)
  await write(his.page, 'What happens to us if someone kills the server now?')
  await film(2)
  await write(hers.page, 'Let us see. Killing it …')
  await film(1.5)
  const pid = server.process.pid as number
  const ended = once(server.process, 'exit')
  for (const one of [pid, ...childrenOf(pid)]) process.kill(one, 'SIGKILL')
  await ended
  await film(1.5)
  await write(hers.page, 'I write this while nothing answers.')
  await write(his.page, 'And I this one.')
  await film(2)
  const again = start(port)
  while ((await Promise.race([again, film(0.2)])) === undefined);
  await film(2)
  await Promise.all([live(hers.page), live(his.page)])
  await write(his.page, 'It is back, and each message is here once :tada:')
  await film(4)
  const wrongs = [...hers.wrongs, ...his.wrongs]
  if (wrongs.length > 0) throw new Error(wrongs.join('; '))
  await writeFile(
    file,
    await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: frames.map(() => frameMs), quality: 70, effort: 6 })
      .toBuffer(),
  )
  process.stderr.write(`${frames.length} frames\n`)
} finally {
  for (const end of ends.reverse()) await end()
}

async function pictureOf(browser: Awaited<ReturnType<typeof launchBrowser>>): Promise<Uint8Array> {
  const page = await browser.newPage()
  await page.setContent(`<style>body { margin: 0 }</style>${harbour}`)
  const picture = await page.locator('svg').screenshot()
  await page.close()
  return picture
}

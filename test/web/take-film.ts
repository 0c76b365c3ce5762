// Not a test: creates the moving picture of the documentation, in which a server is killed in the middle of a conversation and comes
// back; the machine needs an emoji font. `node dist/test/web/take-film.js docs/images/killed.webp`
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { childrenOf } from '../support/processes.js'
import { spawnServer, testOrganization } from '../support/server.js'
import { launchBrowser, openWindow, write } from './support/browser.js'

const file = process.argv[2] ?? 'docs/images/killed.webp'
const frameMs = 200
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
  const size = { viewport: { width: 860, height: 560 } }
  const [hers, his] = await Promise.all([
    openWindow(browser, address, ines, size),
    openWindow(browser, address, tomas, size),
  ])
  const frames: Buffer[] = []
  const film = async (seconds: number) => {
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
      const next = performance.now() + frameMs
      frames.push(await hers.page.screenshot())
      await hers.page.waitForTimeout(Math.max(0, next - performance.now()))
    }
  }
  const live = (page: typeof hers.page) => page.locator('.corner[data-phase="live"]').waitFor()
  await Promise.all([live(hers.page), live(his.page)])
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

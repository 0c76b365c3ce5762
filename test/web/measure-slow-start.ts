// Not a test: measures how long a window takes to its first message on a slow network and a slow phone, in an organization of 3,000 people
// and 170 channels (docs/web-client-internals.md#start-in-a-large-organization): `node dist/test/web/measure-slow-start.js`.
// Its argument is the number of rounds.
import { quiet } from '../../server/admin/progress.js'
import { seedOrganization } from '../../server/admin/seed/seed.js'
import { startServer } from '../support/server.js'
import { launchBrowser, openWindow, signIn } from './support/browser.js'
import { workingTeam } from './support/scene.js'

const people = 3000
const channels = 170
// 1.6 Mbit/s, as a phone with a weak signal has it.
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const slowDown = 4
const rounds = Number(process.argv[2] ?? 5)
const ends: (() => unknown)[] = []
const teardown = { teardown: (end: () => unknown) => ends.push(end) }
const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] as number

// Runs in the window before the page's scripts: notes when the shell, the first message and the first row of the sidebar are painted.
const noteFirst = `window.sights = {}
new MutationObserver(() => {
  for (const [name, selector] of Object.entries({ message: '.message', sidebar: '.sidebar .row' })) {
    if (name in sights || !document.querySelector(selector)) continue
    sights[name] = 0
    requestAnimationFrame(() => requestAnimationFrame(() => { sights[name] = performance.now() }))
  }
}).observe(document, { childList: true, subtree: true })`

const hasMessage = `(async () => {
  while (!(sights.message > 0)) await new Promise(done => setTimeout(done, 20))
})()`

try {
  const server = await startServer(teardown)
  const { ines, channels: own } = await workingTeam(server)
  await seedOrganization(server.config, { users: people, channels, messages: 20_000, seed: 1, force: true }, quiet)
  // What people write about themselves.
  await server.sql`
    update users set profile_data = jsonb_build_object('1', jsonb_build_object('value', '+49 30 ' || (id * 7919) % 1000000),
      '2', jsonb_build_object('value', 'Works on ' || md5(full_name), 'rendered_value', '<p>Works on ' || md5(full_name) || '</p>'))
    where not is_bot`
  const names = await server.sql<
    { name: string }[]
  >`select name from channels where not invite_only and not is_archived`
  await ines.ok('POST', '/users/me/subscriptions', { subscriptions: names.map(({ name }) => ({ name })) })
  const address = `${server.url}/#channel/${own.engineering}/${encodeURIComponent('queue latency')}`
  const browser = await launchBrowser(teardown)
  const sights: Record<string, number[]> = {}
  let received = ''
  for (let round = 0; round < rounds; round++) {
    const { page } = await openWindow(browser, 'about:blank', null, { viewport: { width: 390, height: 844 } })
    const context = page.context()
    await signIn(context, server.url, ines)
    await page.addInitScript(noteFirst)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', network)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
    const frames: string[] = []
    devtools.on('Network.webSocketFrameReceived', ({ response, timestamp }) => {
      frames.push(`${timestamp.toFixed(2)} ${response.opcode} ${response.payloadData.length}`)
    })
    await page.goto(address)
    await page.evaluate(hasMessage)
    for (const [name, at] of Object.entries(await page.evaluate<Record<string, number>>('sights')))
      sights[name] = [...(sights[name] ?? []), at]
    received = frames.join(', ')
    await context.close()
  }
  for (const [name, list] of Object.entries(sights))
    process.stdout.write(
      `${name}: median ${Math.round(median(list))} ms, ${Math.round(Math.min(...list))} to ${Math.round(Math.max(...list))} ms\n`,
    )
  process.stdout.write(`frames: ${received}\n`)
} finally {
  for (const end of ends.reverse()) await end()
}

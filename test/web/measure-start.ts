// Not a test: measures how long a window takes to its first message, with and without a kept state (docs/web-client-internals.md#start-from-the-kept-state).
// `node dist/test/web/measure-start.js 5000`: the number of further accounts.
import { startServer } from '../support/server.js'
import { launchBrowser, openWindow } from './support/browser.js'
import { workingTeam } from './support/scene.js'
import { keptInBrowser, linkOf } from './support/socket-link.js'

const accounts = Number(process.argv[2] ?? 0)
const rounds = 9
const ends: (() => unknown)[] = []
const teardown = { teardown: (end: () => unknown) => ends.push(end) }
const median = (list: readonly number[]) => [...list].sort((a, b) => a - b)[list.length >> 1] as number

// Runs in the window before the page's scripts: notes when the first message is in the document and painted.
const noteFirst = `new MutationObserver((_, watching) => {
  if (!document.querySelector('.message')) return
  watching.disconnect()
  requestAnimationFrame(() => requestAnimationFrame(() => { window.firstSight = performance.now() }))
}).observe(document, { childList: true, subtree: true })`
const firstSight = `(async () => {
  while (window.firstSight === undefined) await new Promise(done => setTimeout(done, 5))
  return window.firstSight
})()`

try {
  const server = await startServer(teardown)
  const { ines, channels } = await workingTeam(server)
  await server.sql`
    insert into users (delivery_email, full_name, role, api_key)
    select 'crowd' || n || '@test.example', 'Crowd ' || n, 400, lpad(n::text, 32, '0') from generate_series(1, ${accounts}) as n`
  const address = `${server.url}/#channel/${channels.engineering}/${encodeURIComponent('queue latency')}`
  const browser = await launchBrowser(teardown)
  const { page } = await openWindow(browser, address, ines)
  const context = page.context()
  await context.addInitScript(noteFirst)
  const link = await linkOf(context)
  const sights: Record<'cold' | 'resumed' | 'offline', number[]> = { cold: [], resumed: [], offline: [] }
  for (let round = 0; round < rounds; round++)
    for (const kind of ['cold', 'resumed', 'offline'] as const) {
      await page.goto(`${server.url}/favicon.svg`)
      if (kind === 'cold')
        await page.evaluate(`new Promise(done => {
        const gone = indexedDB.deleteDatabase('parley')
        gone.onsuccess = gone.onerror = done
      })`)
      link.isCut = kind === 'offline'
      await page.goto(address)
      sights[kind].push(await page.evaluate<number>(firstSight))
      if (kind !== 'offline') await page.locator('.corner[data-phase="live"]').waitFor()
      // The next start has a kept state.
      while (!(await page.evaluate(keptInBrowser()))) await page.waitForTimeout(100)
    }
  for (const [kind, list] of Object.entries(sights))
    process.stdout.write(
      `${accounts + 7} accounts, ${kind}: median ${Math.round(median(list))} ms, ${Math.round(Math.min(...list))} to ${Math.round(Math.max(...list))} ms\n`,
    )
  process.stdout.write(`queues: ${link.queueOps.join(' ')}\n`)
} finally {
  for (const end of ends.reverse()) await end()
}

// A process of the test run: runs the files that the runner names in this process, one after the other.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dist } from '../../server/bin/prepare.mjs'
import { replaceTap } from './resolve-tap.mjs'

// In ms after the last file; idle connections of HTTP clients end sooner.
const endMs = 10_000

// Not by an option of the command line: programs that a test starts would inherit it.
replaceTap()
const { runAsTest } = await import('./tap-of-file.mjs')
const { TEST_SEED } = process.env
if (TEST_SEED) (await import('fast-check')).configureGlobal({ seed: Number(TEST_SEED) })
const { takeFacts } = await load('test/support/recorded-facts.ts')

// Programs that a test forks would inherit the options of this process.
process.execArgv = []

// Most files import it. One that does so reports what is wrong with it.
if (process.argv.includes('--preload')) load('test/support/server.ts').catch(() => undefined)

const runs = new Map()

process.on('message', async ({ file, timeoutMs, recording, env }) => {
  Object.assign(process.env, env)
  const run = runs.get(file) ?? 0
  runs.set(file, run + 1)
  const before = process.cpuUsage()
  const text = await runAsTest(file, { timeoutMs, run: () => load(file, run) })
  const { user, system } = process.cpuUsage(before)
  const facts = takeFacts()
  if (recording) writeFileSync(recording, JSON.stringify({ file, facts }))
  process.send({ text, cpuSeconds: (user + system) / 1e6 })
})

// The runner has no further file. What still runs now was not stopped by the test that started it.
process.once('disconnect', () => {
  const late = () => {
    console.error(`Still active in this process after the tests: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit(1)
  }
  setTimeout(late, endMs).unref()
})

/** Imports a compiled module by the path of its source. Node would not run a module again under the same address. */
function load(source, run = 0) {
  const { href } = pathToFileURL(join(dist, source.replace(/\.ts$/, '.js')))
  return import(run > 0 ? `${href}?${run}` : href)
}

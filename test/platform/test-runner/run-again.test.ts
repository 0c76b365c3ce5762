import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'

const load = (name: string) => import(pathToFileURL(join(projectRoot, 'test/run', name)).href)
const { runFiles } = await load('run-files.mjs')
const { runFailedAgain } = await load('run-again.mjs')

interface Result {
  readonly file: string
  readonly passed: number
  readonly failures: readonly string[]
}

/** Runs files of this folder, then those that failed. */
async function runTwice(t: Test, names: readonly string[], mayRunAgain: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-run-again-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const files = names.map(name => `test/platform/test-runner/${name}.ts`)
  const tiers = [{ name: 'tier', jobs: 2, secondsPerFile: 60, files, mayRunAgain }]
  const options = { env: {}, services: Promise.resolve({ RUN_FOLDER: folder }), ending: new AbortController().signal }
  const { settled, unstable } = await runFailedAgain(await runFiles(tiers, options), tiers, options)
  const ofFiles = settled.filter(({ file }: Result) => files.includes(file))
  return { ofFiles, failures: settled.flatMap(({ failures }: Result) => failures), unstable }
}

t.test('a file that passes alone is unstable, and counts once', async t => {
  const { ofFiles, failures, unstable } = await runTwice(t, ['passes', 'fails-once'], true)
  t.same(failures, [])
  t.equal(ofFiles.length, 2)
  t.equal(unstable.length, 1)
  t.match(unstable[0], /^test\/platform\/test-runner\/fails-once\.ts > is not the first run/)
})

t.test('a file that fails again has failed', async t => {
  const { failures, unstable } = await runTwice(t, ['fails'], true)
  t.match(failures, [/^test\/platform\/test-runner\/fails\.ts > /])
  t.same(unstable, [])
})

t.test('a file whose tier does not allow a second run has failed', async t => {
  const { failures, unstable } = await runTwice(t, ['fails-once'], false)
  t.match(failures, [/^test\/platform\/test-runner\/fails-once\.ts > /])
  t.same(unstable, [])
})

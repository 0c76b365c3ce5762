import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'

const { runFiles } = await import(pathToFileURL(join(projectRoot, 'test/run/run-files.mjs')).href)

interface Tier {
  readonly jobs: number
  readonly files: readonly string[]
}

/** Runs files of this folder; resolves with the files that failed, and with what `counts` wrote down. */
async function run(t: Test, tiers: readonly Tier[], secondsPerFile = 60) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-run-files-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const ofTiers = tiers.map(({ jobs, files }, number) => ({
    name: `tier ${number}`,
    jobs,
    secondsPerFile,
    files: files.map(name => `test/platform/test-runner/${name}.ts`),
  }))
  const services = Promise.resolve({ RUN_FOLDER: folder })
  const results = await runFiles(ofTiers, { env: {}, services, ending: new AbortController().signal })
  const failed = results.flatMap(({ file, failures }: { file: string; failures: string[] }) =>
    failures.length > 0 ? [file.replace(/^.*\/|\.ts$/g, '')] : [],
  )
  return { failed, counts: readFileSync(join(folder, 'counts'), 'utf8').trim().split('\n').map(Number) }
}

t.test('no more files run at once than the jobs of their tier', async t => {
  const { failed, counts } = await run(t, [
    { jobs: 2, files: ['counts', 'counts', 'counts', 'fails'] },
    { jobs: 1, files: ['counts'] },
  ])
  t.same(failed, ['fails'])
  t.equal(counts.length, 4)
  t.ok(Math.max(...counts) <= 2, `${counts}`)
  t.equal(counts.at(-1), 1, 'the only job of the last tier starts when all others have ended')
})

t.test('a tier begins while a file of the one before still runs', async t => {
  const tiers = [
    { jobs: 2, files: ['waits'] },
    { jobs: 2, files: ['counts'] },
  ]
  t.same((await run(t, tiers)).failed, [])
})

t.test('but waits if its jobs are fewer', async t => {
  const tiers = [
    { jobs: 2, files: ['waits'] },
    { jobs: 1, files: ['counts'] },
  ]
  t.same((await run(t, tiers, 1)).failed, ['waits'])
})

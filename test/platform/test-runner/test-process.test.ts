import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { projectRoot } from '../../../server/config/paths.js'

// The process that runs several test files must report what a process per file would report.
const { TestProcess } = await import(pathToFileURL(join(projectRoot, 'test/run/test-process.mjs')).href)

interface Result {
  readonly passed: number
  readonly failures: readonly string[]
  readonly skips: readonly string[]
  readonly comments: readonly string[]
}

function processOf(t: Test) {
  const ending = new AbortController()
  const testProcess = new TestProcess({}, ending.signal)
  t.teardown(() => ending.abort())
  return {
    run: (name: string, options = {}): Promise<Result> =>
      testProcess.run(`test/platform/test-runner/${name}.ts`, { secondsPerFile: 60, ...options }),
    end: (): Promise<Result> => testProcess.end(),
  }
}

t.test('files run one after the other, each with its own results', async t => {
  const { run, end } = processOf(t)
  const passing = { passed: 2, failures: [], skips: ['needs another machine'] }
  t.match(await run('passes'), passing)
  t.match(await run('fails'), {
    passed: 1,
    failures: [/^test\/platform\/test-runner\/fails\.ts > sums > .*"compare": "==="/s],
  })
  t.match(await run('passes'), passing, 'a second time')
  t.match(await end(), { failures: [] })
})

t.test('comments of a file are its own alone', async t => {
  const { run } = processOf(t)
  t.same((await run('passes')).comments, ['what people are to see'])
  t.same((await run('fails')).comments, [])
})

t.test('a failure names its line in the source', async t => {
  const { failures } = await processOf(t).run('fails')
  t.match(failures[0], 'test/platform/test-runner/fails.ts:5')
})

t.test('facts about the API go into the file’s recording and no other', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-recordings-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const { run } = processOf(t)
  const recorded = async (name: string) => {
    await run(name, { recording: join(folder, name) })
    return JSON.parse(readFileSync(join(folder, name), 'utf8'))
  }
  t.same(await recorded('passes'), { file: 'test/platform/test-runner/passes.ts', facts: ['a fact'] })
  t.same(await recorded('fails'), { file: 'test/platform/test-runner/fails.ts', facts: [] })
})

for (const [name, options, reason] of [
  ['throws', {}, /before any test/],
  ['exits', {}, /exit code 0/],
  ['rejects', {}, /lost/],
  ['hangs', { secondsPerFile: 1 }, /timeout/],
] as const) {
  t.test(`a file that ${name} has failed`, async t => {
    const { failures } = await processOf(t).run(name, options)
    t.match(failures, [reason])
  })
}

t.test('a process that something keeps alive after its tests has failed', async t => {
  const { run, end } = processOf(t)
  t.match(await run('leaks'), { passed: 1, failures: [] })
  t.match(await end(), { failures: [/TCPSERVERWRAP/i] })
})

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { build, checkNode, dist, filesBelow, install, root } from '../server/bin/prepare.mjs'
import { ordered } from './run/order.mjs'
import { resultsOf } from './run/results.mjs'
import { runFile } from './run/run-file.mjs'

// In seconds; only a hang takes this long, because tests wait for conditions, not for times.
const secondsPerFile = 600

// These tests compare CPU times, which needs an idle machine, so they run only by name.
const alone = 'test/cost/'

checkNode()
const { filters, times, jobs } = readArguments()
install()
const isBuilt = build()
// Compiled files run despite type errors, so that one error does not hide others. It counts as a failure below.
if (!isBuilt) console.error('There are errors of types: see above.')

const files = ordered(
  filesBelow(join(dist, 'test'))
    .map(file => relative(root, file))
    .filter(file => file.endsWith('.test.js'))
    .filter(file => (filters.length === 0 ? !file.includes(alone) : filters.some(filter => file.includes(filter)))),
)

const { passed, failed } = files.length > 0 ? await runAll() : noTests()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

/** Runs all files in a temporary folder, with one PostgreSQL and one Redis. */
async function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-run-'))
  const services = await startServices(folder)
  try {
    const recordings = join(folder, 'api-coverage')
    mkdirSync(recordings)
    const results = await runFiles({ ...services.env, API_COVERAGE_DIR: recordings })
    const failures = results.flatMap(result => result.failures)
    for (const reason of new Set(results.flatMap(({ skips }) => skips))) console.log(`skipped: ${reason}`)
    // Repeats all failures at the end of a long output.
    for (const failure of failures) console.log(`\nFAILED ${failure}`)
    const notRun = files.length * times - results.length
    if (notRun > 0) console.log(`\n${notRun} files were not run.`)
    if (times > 1) for (const file of files) console.log(`${cleanRuns(results, file)} of ${times}  ${file}`)
    const passed = results.reduce((sum, result) => sum + result.passed, 0)
    const failed = failures.length + (notRun > 0 ? 1 : 0) + (isBuilt ? 0 : 1)
    // Coverage needs all tests without failures.
    const holes = failed === 0 && filters.length === 0 && times === 1 ? await writeCoverage(recordings) : 0
    return { passed, failed: failed + holes }
  } finally {
    await services.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Results of the files that ran: all, unless a signal ended the run. */
async function runFiles(env) {
  const ending = new AbortController()
  // The terminal sends Ctrl-C to the test files, too; this process continues, to stop the databases.
  const stop = () => ending.abort()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
  const left = Array.from({ length: times }, () => files).flat()
  const results = []
  const work = async () => {
    for (let file = left.shift(); file && !ending.signal.aborted; file = left.shift()) {
      const ran = await runFile(file, { env, secondsPerFile, ending: ending.signal })
      const result = { file, ...(await resultsOf(ran)) }
      results.push(result)
      const said = result.failures.length > 0 ? 'not ok' : 'ok    '
      console.log(`${said} ${ran.seconds.toFixed(1).padStart(6)} s  ${file}`)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

function cleanRuns(results, file) {
  return results.filter(result => result.file === file && result.failures.length === 0).length
}

/** Updates docs/api-coverage.md from the recordings; returns how many parts of the API no test shows. */
async function writeCoverage(folder) {
  const { areas } = await import(join(dist, 'server', 'api', 'index.js'))
  const { eventDefs } = await import(join(dist, 'shared', 'events', 'index.js'))
  const { coverageReport } = await import(join(dist, 'test', 'support', 'coverage-report.js'))
  const recordings = readdirSync(folder).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const { markdown, holes } = coverageReport(areas, eventDefs.values(), recordings)
  const file = join(root, 'docs', 'api-coverage.md')
  if (!existsSync(file) || readFileSync(file, 'utf8') !== markdown) {
    writeFileSync(file, markdown)
    console.log(`\n${relative(root, file)} is brought up to date.`)
  }
  for (const hole of holes) console.log(`No test shows it: ${hole}`)
  return holes.length
}

async function startServices(dataDir) {
  try {
    const load = path => import(join(dist, 'server', path))
    const { startPostgres } = await load('embedded/postgres.js')
    const { startRedis } = await load('embedded/redis.js')
    const { createLog } = await load('log.js')
    const log = createLog('error', 'test')
    // Test data need not survive a power failure, so the databases do not wait for the disk.
    const postgres = await startPostgres({ dataDir, log, settings: { fsync: 'off' } })
    const redis = await startRedis({ dataDir, log, extraArgs: ['--appendfsync', 'no'] })
    return {
      env: { TEST_DATABASE_URL: postgres.url, TEST_REDIS_URL: redis.url },
      stop: () => Promise.all([postgres.stop(), redis.stop()]),
    }
  } catch (error) {
    console.error('Without databases for all tests:', error)
    return { env: {}, stop: async () => undefined }
  }
}

/**
 * The selected files, by parts of their paths; how often each runs, to find random failures; and how many run in
 * parallel: each has its own servers, so more of them do not help on a small machine.
 */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { times: { type: 'string', default: '1' }, jobs: { type: 'string', default: '2' } },
      allowPositionals: true,
    })
    const count = name => {
      const number = Number(values[name])
      if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
      return number
    }
    return { filters: positionals, times: count('times'), jobs: count('jobs') }
  } catch (error) {
    console.error(error.message)
    return process.exit(1)
  }
}

function noTests() {
  console.error(`No test file matches ${filters.join(' ') || 'dist/test'}.`)
  return { passed: 0, failed: 1 }
}

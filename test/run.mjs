import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { build, checkNode, dist, filesBelow, install, root } from '../server/bin/prepare.mjs'
import { ordered } from './run/order.mjs'
import { resultsOf } from './run/results.mjs'
import { runFile } from './run/run-file.mjs'

// Only a hang takes this long: tests wait for what should happen, not for a time to pass.
const secondsPerFile = 600

// CPU time is compared there, which needs a machine that does nothing else: only by name.
const alone = 'test/cost/'

checkNode()
const { filters, times, jobs } = readArguments()
install()
const isBuilt = build()
// What compiles still runs: one wrong type must not hide what else is wrong. It counts as a failure below.
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

/** In a folder of its own, with one PostgreSQL and one Redis for all files; nothing of it stays. */
async function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-run-'))
  const services = await startServices(folder)
  try {
    const recordings = join(folder, 'api-coverage')
    mkdirSync(recordings)
    const results = await runFiles({ ...services.env, API_COVERAGE_DIR: recordings })
    const failures = results.flatMap(result => result.failures)
    for (const reason of new Set(results.flatMap(({ skips }) => skips))) console.log(`skipped: ${reason}`)
    // Once more, together, at the end of a long output.
    for (const failure of failures) console.log(`\nFAILED ${failure}`)
    const notRun = files.length * times - results.length
    if (notRun > 0) console.log(`\n${notRun} files were not run.`)
    if (times > 1) for (const file of files) console.log(`${cleanRuns(results, file)} of ${times}  ${file}`)
    const passed = results.reduce((sum, result) => sum + result.passed, 0)
    const failed = failures.length + (notRun > 0 ? 1 : 0) + (isBuilt ? 0 : 1)
    // What some of the tests show, or tests that fail, is not what all of them do.
    const holes = failed === 0 && filters.length === 0 && times === 1 ? await writeCoverage(recordings) : 0
    return { passed, failed: failed + holes }
  } finally {
    await services.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Results of the files that were run: of all of them, unless somebody ended us. */
async function runFiles(env) {
  const ending = new AbortController()
  // Ctrl-C reaches the files by itself; we stay to stop the databases.
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

/** Brings docs/api-coverage.md up to date with what the tests showed; returns how much of the API none of them did. */
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
    // What a power failure would take is not worth waiting for here.
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
 * Which files, by parts of their paths; how often each, for who wants to know what comes by chance; and how many beside each
 * other: each runs servers of its own, so on a small machine more of them mostly wait for one another.
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

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build, checkNode, dist, filesBelow, install, root } from '../server/bin/prepare.mjs'

// Each file runs servers of its own; on a small machine more files at once only wait for one another.
const jobs = '2'
// Only a hang takes this long: tests wait for what should happen, not for a time to pass.
const secondsPerFile = '600'

checkNode()
install()
const isBuilt = build()
// What compiles still runs: one wrong type must not hide what else is wrong. It counts as a failure below.
if (!isBuilt) console.error('There are errors of types: see above.')

const filters = process.argv.slice(2)
const files = filesBelow(join(dist, 'test'))
  .map(file => relative(root, file))
  .filter(file => file.endsWith('.test.js') && (filters.length === 0 || filters.some(filter => file.includes(filter))))
  .sort()

const { passed, failed } = files.length > 0 ? await runAll() : noTests()
// On a line of its own, whatever the reporter left on the last one.
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

/** In a folder of its own, with one PostgreSQL and one Redis for all files; nothing of it stays. */
async function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-run-'))
  const services = await startServices(folder)
  try {
    const output = join(folder, 'output.tap')
    const recordings = join(folder, 'api-coverage')
    mkdirSync(recordings)
    const ended = await runTap(output, { ...services.env, API_COVERAGE_DIR: recordings })
    const text = existsSync(output) ? readFileSync(output, 'utf8') : ''
    const { passed, failures, skips } = await count(text)
    for (const reason of skips) console.log(`\nskipped: ${reason}`)
    if (!process.stdout.isTTY) for (const failure of failures) tellFailure(failure)
    // A runner that ended badly, or did not get as far as the last file.
    const isUncounted = (ended.status !== 0 || !isComplete(text)) && failures.length === 0
    if (isUncounted) tellEnd(ended, text)
    const failed = failures.length + (isUncounted ? 1 : 0) + (isBuilt ? 0 : 1)
    // What some of the tests show, or tests that fail, is not what all of them do.
    const holes = failed === 0 && filters.length === 0 ? await writeCoverage(recordings) : 0
    return { passed, failed: failed + holes }
  } finally {
    await services.stop()
    rmSync(folder, { recursive: true })
  }
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

/** How tap ended: `{ status, signal }`, as Node tells of a child. */
async function runTap(output, env) {
  const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')
  // The test class with the plugins of package.json is generated, and not part of the repository.
  if (!existsSync(join(root, '.tap', 'plugins'))) spawnSync(process.execPath, [tap, 'build'], { cwd: root })
  const options = [
    // The terse one draws its counts over and over, which only a terminal understands.
    `--reporter=${process.stdout.isTTY ? 'terse' : 'min'}`,
    `--jobs=${jobs}`,
    `--timeout=${secondsPerFile}`,
    `--output-file=${output}`,
  ]
  const args = [tap, 'run', ...options, ...files]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  // Ctrl-C reaches tap by itself; we stay to stop the databases.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [status, signal] = await once(child, 'exit')
  return { status, signal }
}

/** Single asserts, however deeply nested; what was skipped counts as neither. */
async function count(text) {
  const { Parser } = await import('tap-parser')
  const asserts = Parser.parse(text, { flat: true }).flatMap(([type, result]) => (type === 'assert' ? [result] : []))
  const skips = new Set(asserts.flatMap(({ skip }) => (typeof skip === 'string' ? [skip] : [])))
  const counted = asserts.filter(({ skip, todo }) => !skip && !todo)
  const failures = counted.filter(({ ok }) => !ok)
  return { passed: counted.length - failures.length, failures, skips }
}

/** Once more, and in full, at the end of a long output: what the reporter drew may be lost in what it drew later. */
function tellFailure({ fullname, diag }) {
  console.log(`\nFAILED ${fullname}`)
  if (diag) console.log(JSON.stringify(diag, undefined, 2))
}

/** Whether the plan of the whole run was kept: one line for each file, at the outermost level. */
function isComplete(text) {
  return (text.match(/^(not )?ok \d+ - /gm) ?? []).length >= files.length
}

function tellEnd({ status, signal }, text) {
  console.log(`\nThe runner of the tests ended with ${signal ?? `exit code ${status}`}; the end of what it wrote:`)
  console.log(text.slice(-3000))
}

function noTests() {
  console.error(`No test file matches ${filters.join(' ') || 'dist/test'}.`)
  return { passed: 0, failed: 1 }
}

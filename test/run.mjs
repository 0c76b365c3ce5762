import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build, checkNode, dist, filesBelow, install, root } from '../server/bin/prepare.mjs'

// Each file runs its own servers; more of them at once than this and a small machine starves the ones that measure nothing
// but still wait for one another.
const jobs = '2'
// Only a hang takes this long. Tests wait for what should happen, not for a time to pass.
const secondsPerFile = '300'

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

const { passed, failed } = files.length > 0 ? await runTap() : noTests()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

async function runTap() {
  const tap = join(root, 'node_modules', 'tap', 'dist', 'esm', 'run.mjs')
  // The test class with the plugins of package.json is generated, and not part of the repository.
  if (!existsSync(join(root, '.tap', 'plugins'))) spawnSync(process.execPath, [tap, 'build'], { cwd: root })
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const output = join(folder, 'output.tap')
  const options = [
    // The terse one draws its counts over and over, which only a terminal understands.
    `--reporter=${process.stdout.isTTY ? 'terse' : 'min'}`,
    `--jobs=${jobs}`,
    `--timeout=${secondsPerFile}`,
    `--output-file=${output}`,
  ]
  const { status } = spawnSync(process.execPath, [tap, 'run', ...options, ...files], { cwd: root, stdio: 'inherit' })
  const counts = await count(output)
  rmSync(folder, { recursive: true })
  // A file that ended badly after its last assert, or a runner that did not get that far.
  const isUncounted = status !== 0 && counts.failed === 0
  return { ...counts, failed: counts.failed + (isUncounted ? 1 : 0) + (isBuilt ? 0 : 1) }
}

/** Single asserts, however deeply nested; what was skipped counts as neither. */
async function count(output) {
  const { Parser } = await import('tap-parser')
  const text = existsSync(output) ? readFileSync(output, 'utf8') : ''
  const asserts = Parser.parse(text, { flat: true }).flatMap(([type, result]) => (type === 'assert' ? [result] : []))
  const counted = asserts.filter(({ skip, todo }) => !skip && !todo)
  const passed = counted.filter(({ ok }) => ok).length
  return { passed, failed: counted.length - passed }
}

function noTests() {
  console.error(`No test file matches ${filters.join(' ') || 'dist/test'}.`)
  return { passed: 0, failed: 1 }
}

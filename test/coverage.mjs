// Writes dist/api-coverage.txt: which test shows each operation, parameter and event. It fails if no test shows one. It reads what a run of
// the default tier recorded in the folder API_COVERAGE_DIR; without this setting it runs the tier.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dist, fail, prepare, root } from '../server/bin/prepare.mjs'
import { testFiles } from './run/tiers.mjs'

await prepare()
const { markdown, holes } = await report(recordings())
const page = join(dist, 'api-coverage.txt')
writeFileSync(page, markdown)
for (const hole of holes) console.error(`No test shows it: ${hole}`)
console.log(`Which test shows which part of the API: ${page}`)
process.exit(holes.length > 0 ? 1 : 0)

/** One recording per file of the default tier. */
function recordings() {
  const given = process.env.API_COVERAGE_DIR
  const folder = given ?? mkdtempSync(join(tmpdir(), 'parley-coverage-'))
  try {
    if (!given) {
      const env = { ...process.env, API_COVERAGE_DIR: folder }
      const { status } = spawnSync(process.execPath, [join(root, 'test', 'run.mjs')], { env, stdio: 'inherit' })
      if (status !== 0) fail('The coverage needs a run without failures.')
    }
    const found = readdirSync(folder).map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    const missing = testFiles('default').filter(file => !found.some(one => one.file === file))
    if (missing.length > 0) fail(`${folder} has no recordings of ${missing.join(' ')}: run npm test.`)
    return found
  } finally {
    if (!given) rmSync(folder, { recursive: true })
  }
}

async function report(found) {
  const load = path => import(pathToFileURL(join(dist, path)).href)
  const { areas } = await load('server/api/index.js')
  const { eventDefs } = await load('shared/events/index.js')
  const { coverageReport } = await load('test/support/coverage-report.js')
  return coverageReport(areas, eventDefs.values(), found)
}

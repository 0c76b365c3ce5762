// Writes docs/api-coverage.md, or checks it with --check. It reads what a run of the default tier recorded in the folder
// API_COVERAGE_DIR; without this setting it runs the tier.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { dist, fail, prepare, root } from '../server/bin/prepare.mjs'
import { testFiles } from './run/tiers.mjs'

const page = 'docs/api-coverage.md'
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
await prepare()
const { markdown, holes } = await report(recordings())
const isCurrent = existsSync(join(root, page)) && readFileSync(join(root, page), 'utf8') === markdown
for (const hole of holes) console.error(`No test shows it: ${hole}`)
if (values.check && !isCurrent) console.error(`${page} is out of date: run npm run coverage.`)
if (!values.check && !isCurrent) {
  writeFileSync(join(root, page), markdown)
  console.log(`${page} is brought up to date.`)
}
process.exit(holes.length > 0 || (values.check && !isCurrent) ? 1 : 0)

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

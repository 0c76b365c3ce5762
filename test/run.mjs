import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { buildUnchecked, checkTypes, dist, install } from '../server/bin/prepare.mjs'
import { useSupportedNode } from '../server/bin/supported-node.mjs'
import { ordered } from './run/order.mjs'
import { runFailedAgain } from './run/run-again.mjs'
import { runFiles } from './run/run-files.mjs'
import { startServices } from './run/services.mjs'
import { needsPage, testFiles, tierOf, tiers } from './run/tiers.mjs'

await useSupportedNode()
const { filters, chosen, times, jobs, again } = readArguments()
await install()
const files = testFiles()
  .filter(file => chosen.includes(tierOf(file)))
  .filter(file => filters.length === 0 || filters.some(filter => file.includes(filter)))
const isBuilt = await buildUnchecked({ needsPage: files.some(needsPage) })
if (!isBuilt) console.error('There are errors in the sources: see above.')

const { passed, failed } = files.length > 0 ? await runAll() : noTests()
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 || passed === 0 ? 1 : 0)

/** Runs the files with one PostgreSQL and one Redis. */
async function runAll() {
  const ending = new AbortController()
  // The terminal sends Ctrl-C to the test processes, too; this process continues, to stop the databases.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => ending.abort())
  const { nativeEnvironment } = await import(pathToFileURL(join(dist, 'server/config/native-environment.js')).href)
  const starting = startServices()
  // Compiled files run despite errors of types, so that one error does not hide others. They count as a failure below.
  const typeErrors = starting.then(checkTypes)
  const ofTiers = chosen.map(tier => {
    const ofTier = ordered(files.filter(file => tierOf(file) === tier))
    // Each job loads the server once, which takes longer than a usual file: a job for less than three files is not worth it.
    const usual = Math.min(tier.jobs, Math.ceil(ofTier.length / 3))
    return { ...tier, files: ofTier, jobs: jobs ?? usual }
  })
  try {
    const results = []
    const options = {
      // Files of the default tier run a worker's code in the processes of the tests.
      env: nativeEnvironment,
      services: starting.then(({ env }) => env),
      ending: ending.signal,
      recordings: process.env.API_COVERAGE_DIR,
    }
    for (let time = 0; time < times; time++) results.push(...(await runFiles(ofTiers, options)))
    if (!again) return summary(results, await typeErrors)
    const { settled, unstable } = await runFailedAgain(results, ofTiers, options)
    for (const failure of unstable) console.log(`\nUNSTABLE, passed when it ran again alone: ${failure}`)
    return summary(settled, await typeErrors)
  } finally {
    await (await starting).stop()
  }
}

/** Prints what a reader must know after a long output; returns the counts. */
function summary(results, typeErrors) {
  const failures = results.flatMap(result => result.failures)
  for (const reason of new Set(results.flatMap(({ skips }) => skips))) console.log(`skipped: ${reason}`)
  for (const failure of failures) console.log(`\nFAILED ${failure}`)
  const notRun = files.length * times - results.filter(({ file }) => files.includes(file)).length
  if (notRun > 0) console.log(`\n${notRun} files were not run.`)
  if (typeErrors !== '') console.log(`\nThere are errors of types:\n${typeErrors}`)
  if (times > 1) for (const file of files) console.log(`${cleanRuns(results, file)} of ${times}  ${file}`)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  return { passed, failed: failures.length + [notRun > 0, !isBuilt, typeErrors !== ''].filter(Boolean).length }
}

function cleanRuns(results, file) {
  return results.filter(result => result.file === file && result.failures.length === 0).length
}

/**
 * The selected files, by parts of their paths and by tiers: the default tier, or all tiers if paths are given. `times`:
 * how often each file runs, to find random failures. `jobs`: how many run in parallel, in place of the tier's own number. `again`: whether
 * failed files run a second time, see `runFailedAgain`.
 */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        tier: { type: 'string' },
        times: { type: 'string', default: '1' },
        jobs: { type: 'string' },
        again: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const count = name => {
      const number = Number(values[name])
      if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number above zero`)
      return number
    }
    const wanted = values.tier ?? (positionals.length > 0 ? 'all' : tiers[0].name)
    const chosen = wanted === 'all' ? tiers : tiers.filter(({ name }) => name === wanted)
    if (chosen.length === 0) throw new Error(`--tier is one of ${tiers.map(({ name }) => name).join(', ')}, all`)
    return {
      filters: positionals,
      chosen,
      times: count('times'),
      jobs: values.jobs && count('jobs'),
      again: values.again,
    }
  } catch (error) {
    console.error(error.message)
    return process.exit(1)
  }
}

function noTests() {
  console.error(`No test file matches ${filters.join(' ') || chosen.map(({ name }) => name).join(' ')}.`)
  return { passed: 0, failed: 1 }
}

import { join } from 'node:path'
import { TestProcess } from './test-process.mjs'
import { isIsolated } from './tiers.mjs'

/**
 * Runs the test files of several tiers and prints a line for each. At most `jobs` of its tier run when a file starts: a tier begins while the
 * last files of the one before still run. Returns their results: those of fewer files if `ending` aborts. `env`: settings of
 * the test processes; `services`: a promise of more, for which the files wait and their processes do not. `recordings`: the folder for what
 * the files of recorded tiers show of the API, or undefined.
 */
export async function runFiles(tiers, { env, services, ending, recordings }) {
  const left = tiers.flatMap(({ files, ...tier }) => files.map(file => ({ file, tier })))
  const results = []
  const running = new Set()
  // Shared processes that run no file now.
  const idle = []
  const start = async ({ file, tier }) => {
    const { name, secondsPerFile, isRecorded } = tier
    const isAlone = isIsolated(file)
    const kept = isAlone ? -1 : idle.findIndex(one => one.name === name)
    const preloads = !isAlone && services !== undefined
    const { testProcess } =
      kept < 0 ? { testProcess: new TestProcess(env, ending, { preloads }) } : idle.splice(kept, 1)[0]
    const recording = isRecorded && recordings && join(recordings, `${file.replaceAll('/', '.')}.json`)
    const result = await testProcess.run(file, { secondsPerFile, recording, env: await services })
    results.push(result)
    // A file alone in its process has failed, too, if the process does not end well. Work of a failed file may go on in its process.
    if (isAlone) result.failures.push(...(await testProcess.end()).failures)
    else if (result.failures.length > 0) await testProcess.end()
    else if (left.some(one => one.tier === tier && !isIsolated(one.file))) idle.push({ name, testProcess })
    else results.push(await testProcess.end())
    const said = result.failures.length > 0 ? 'not ok' : 'ok    '
    console.log(`${said} ${shown(result.seconds)} s ${shown(result.cpuSeconds)} s of CPU  ${file}`)
    for (const comment of result.comments) console.log(`       ${comment}`)
  }
  while (left.length > 0 && !ending.aborted) {
    if (running.size >= left[0].tier.jobs) {
      await Promise.race(running)
      continue
    }
    const run = start(left.shift()).finally(() => running.delete(run))
    running.add(run)
  }
  await Promise.all(running)
  results.push(...(await Promise.all(idle.map(({ testProcess }) => testProcess.end()))))
  return results
}

const shown = seconds => seconds.toFixed(1).padStart(6)

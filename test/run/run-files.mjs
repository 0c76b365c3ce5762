import { join } from 'node:path'
import { TestProcess } from './test-process.mjs'
import { isIsolated } from './tiers.mjs'

/**
 * Runs test files, `jobs` at a time, and prints a line for each. Returns their results: those of fewer files if `ending`
 * aborts. `recordings` is the folder for what the files show of the API, or undefined.
 */
export async function runFiles(files, { jobs, secondsPerFile, env, ending, recordings }) {
  const left = [...files]
  const results = []
  const run = async (testProcess, file) => {
    const recording = recordings && join(recordings, `${file.replaceAll('/', '.')}.json`)
    const result = await testProcess.run(file, { secondsPerFile, recording })
    // A file alone in its process has failed, too, if the process does not end well.
    if (isIsolated(file)) result.failures.push(...(await testProcess.end()).failures)
    results.push(result)
    const said = result.failures.length > 0 ? 'not ok' : 'ok    '
    console.log(`${said} ${result.seconds.toFixed(1).padStart(6)} s  ${file}`)
    return result
  }
  const job = async () => {
    let shared = null
    for (let file = left.shift(); file && !ending.aborted; file = left.shift()) {
      if (isIsolated(file)) {
        await run(new TestProcess(env, ending), file)
      } else {
        shared ??= new TestProcess(env, ending)
        const { failures } = await run(shared, file)
        // Work of a failed file may go on in its process.
        if (failures.length > 0) {
          await shared.end()
          shared = null
        }
      }
    }
    if (shared) results.push(await shared.end())
  }
  await Promise.all(Array.from({ length: jobs }, job))
  return results
}

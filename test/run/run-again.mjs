import { runFiles } from './run-files.mjs'

/**
 * Runs each failed file of the tiers that allow it once more, one at a time. `settled`: the results with those of the second runs in place
 * of the first ones; `unstable`: the first failures of the files that passed then. What names no file, such as a process that did not end,
 * remains a failure. `tiers` and `options` as for `runFiles`.
 */
export async function runFailedAgain(results, tiers, options) {
  const mayRunAgain = new Set(tiers.flatMap(tier => (tier.mayRunAgain ? tier.files : [])))
  const isToRun = ({ file, failures }) => failures.length > 0 && mayRunAgain.has(file)
  const first = results.filter(isToRun)
  const ofFailed = tiers.map(tier => ({
    ...tier,
    jobs: 1,
    files: tier.files.filter(name => first.some(({ file }) => file === name)),
  }))
  const second = await runFiles(ofFailed, options)
  const failsAgain = name => second.some(({ file, failures }) => file === name && failures.length > 0)
  return {
    settled: [...results.filter(result => !isToRun(result)), ...second],
    unstable: first.filter(({ file }) => !failsAgain(file)).flatMap(({ failures }) => failures),
  }
}

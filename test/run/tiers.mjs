import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { filesBelow, root } from '../../server/bin/prepare.mjs'

/**
 * The tiers in the order of `npm run test:all`. Each has the folder test/<name>/; the default tier has all other folders.
 * `isIsolated`: each file runs in a process of its own, because its tests start, stop and kill programs. Files of the
 * default tier and of the web tier share one process per job, see worker.mjs, and those of the web tier also its browser.
 * `mayRunAgain`: `--again` runs a failed file once more, alone. Not where a random kill decides: one failure is one too many.
 */
export const tiers = [
  // Three jobs more than cores, because tests wait for databases and timeouts: with two more, two cores are idle for a fifth of the time.
  { name: 'default', jobs: availableParallelism() + 3, secondsPerFile: 180, isRecorded: true, mayRunAgain: true },
  // They wait half of the time: for a page that connects again, and for its animations and pauses.
  { name: 'web', jobs: availableParallelism() + 1, secondsPerFile: 1200, mayRunAgain: true },
  // Their files wait half of the time: for processes that start and end, and for timeouts.
  { name: 'platform', jobs: availableParallelism() + 2, secondsPerFile: 1200, isIsolated: true, mayRunAgain: true },
  // They wait two thirds of the time, but an attack needs most of the machine.
  { name: 'faults', jobs: availableParallelism() + 1, secondsPerFile: 1200, isIsolated: true },
  // It compares CPU times, so nothing may run beside it.
  { name: 'cost', jobs: 1, secondsPerFile: 1200, isIsolated: true, mayRunAgain: true },
]

// Files of the default tier that need a process of their own, with the reason.
const alone = new Map([
  ['test/clients/zulip-js.test.ts', 'the client replaces the global FormData'],
  ['test/realtime/i5-slow-reader.test.ts', 'measures the memory of its process'],
])

const [standard, ...others] = tiers

/** The tier of a test file. */
export const tierOf = file => others.find(({ name }) => file.startsWith(`test/${name}/`)) ?? standard

export const isIsolated = file => tierOf(file).isIsolated === true || alone.has(file)

/** The test files of a tier or of all. */
export const testFiles = (tier = 'all') =>
  filesBelow(join(root, 'test'))
    .filter(file => file.endsWith('.test.ts'))
    .map(file => relative(root, file))
    .filter(file => tier === 'all' || tierOf(file).name === tier)

// Folders whose tests read the pages that the server serves; all others pass with pages built from older sources.
const readPages = ['web', 'platform', 'faults', 'http', 'openapi', 'deployment', 'laws']

/** Whether a test file needs pages of the present sources. */
export const needsPage = file => readPages.some(folder => file.startsWith(`test/${folder}/`))

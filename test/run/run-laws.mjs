// Runs the tests about the repository itself, which need no server, in one process. The program must be compiled.
import { runFiles } from './run-files.mjs'
import { testFiles } from './tiers.mjs'

// For one file, which takes a second or two.
const secondsPerFile = 180

const files = testFiles().filter(file => file.startsWith('test/laws/'))
const laws = { name: 'laws', files, jobs: 1, secondsPerFile }
const results = await runFiles([laws], { env: {}, ending: new AbortController().signal })
const failures = results.flatMap(result => result.failures)
for (const failure of failures) console.log(`\nFAILED ${failure}`)
process.exit(failures.length > 0 ? 1 : 0)

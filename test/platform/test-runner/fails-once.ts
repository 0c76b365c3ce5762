import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

// Read by run-again.test.ts: the first run fails, later ones pass.
const file = join(process.env.RUN_FOLDER as string, 'runs')
appendFileSync(file, 'x')
t.ok(readFileSync(file, 'utf8').length > 1, 'is not the first run')

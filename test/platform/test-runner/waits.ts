// Ends when a file of another tier has run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'

const { RUN_FOLDER: folder = '' } = process.env
while (!existsSync(join(folder, 'counts'))) await sleep(20)
t.pass('the other file has run')

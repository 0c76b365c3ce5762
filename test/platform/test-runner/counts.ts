// Writes down how many files of a run are running, itself included.
import { appendFileSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'

const { RUN_FOLDER: folder = '' } = process.env
const own = mkdtempSync(join(folder, 'running-'))
const running = readdirSync(folder).filter(name => name.startsWith('running-'))
appendFileSync(join(folder, 'counts'), `${running.length}\n`)
await sleep(300)
rmdirSync(own)
t.pass('counted')

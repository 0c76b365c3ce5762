import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lockDirectory } from '../../server/embedded/lock.js'
import { StartError } from '../../server/failures/start-error.js'
import { dataDirectory } from './places.js'

t.test('a directory has one server at a time', async t => {
  const directory = dataDirectory(t)
  const unlock = await lockDirectory(directory)
  await t.rejects(
    lockDirectory(directory),
    new StartError(
      `A server (process ${process.pid}) already runs on ${directory}: stop it first, or choose another DATA_DIR and PORT.`,
    ),
  )
  unlock()
  ;(await lockDirectory(directory))()
  t.notOk(existsSync(join(directory, 'server.lock')))
})

t.test('the lock of a process that is gone does not count', async t => {
  const directory = dataDirectory(t)
  const gone = spawn('true')
  await once(gone, 'exit')
  writeFileSync(join(directory, 'server.lock'), `${gone.pid} boot 1`)
  ;(await lockDirectory(directory))()
})

t.test(
  'a number that was given to another process meanwhile does not count',
  { skip: process.platform !== 'linux' },
  async t => {
    const directory = dataDirectory(t)
    const unlock = await lockDirectory(directory)
    const lock = join(directory, 'server.lock')
    const [pid, boot, start] = readFileSync(lock, 'utf8').split(' ')
    unlock()
    writeFileSync(lock, `${pid} ${boot} ${Number(start) - 1}`)
    ;(await lockDirectory(directory))()
  },
)

t.test('a directory that cannot be made is refused with a sentence', async t => {
  for (const directory of ['/dev/null/data', '/proc/x', '/proc/x/data'])
    await t.rejects(lockDirectory(directory), { message: new RegExp(`^DATA_DIR ${directory} cannot be written to: `) })
})

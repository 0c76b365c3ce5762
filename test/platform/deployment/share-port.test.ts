// The upgrade of one server as docs/deployment.md describes it: the new one starts beside the old one, on the same port and files.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../../../server/embedded/ports.js'
import { readFile, upload } from '../../support/files.js'
import { createPerson } from '../../support/people.js'
import { testOrganization } from '../../support/server.js'
import { TusClient } from '../../support/tus.js'
import { dataDirectory } from '../places.js'
import { runProgram } from '../program.js'

const options = { skip: process.platform !== 'linux' && 'needs Linux' }

async function drill(t: Test) {
  const organization = await testOrganization(t)
  const port = String(await freePort())
  const start = (settings: Record<string, string>) =>
    runProgram(t, organization.env({ PORT: port, WORKERS: '1', LOG_LEVEL: 'warn', ...settings }))
  const url = `http://127.0.0.1:${port}`
  return { start, url, person: () => createPerson(organization.sql, url) }
}

t.test('files, and uploads under way, outlive the old server', options, async t => {
  const { start, url, person } = await drill(t)
  const home = dataDirectory(t)
  const FILES_DIR = join(home, 'files')
  const old = start({ DATA_DIR: join(home, 'old'), FILES_DIR })
  await old.ready
  const owner = await person()
  const path = await upload(url, owner, { name: 'a.txt', type: 'text/plain', bytes: 'kept' })
  const tus = new TusClient(url)
  const unfinished = await tus.begin(owner, 6)
  t.equal((await tus.send(owner, unfinished, 0, Buffer.from('one'))).status, 204)

  await start({ DATA_DIR: join(home, 'new'), FILES_DIR, SHARE_PORT: '1' }).ready
  old.process.kill('SIGTERM')
  t.equal((await old.ended).how, 0)
  t.equal(await (await readFile(url, owner, path)).text(), 'kept')
  t.equal(await tus.offsetOf(owner, unfinished), 3)
  t.equal((await tus.send(owner, unfinished, 3, Buffer.from('two'))).status, 200)
})

t.test('a server that lacks the files of the organization says so', options, async t => {
  const { start, url, person } = await drill(t)
  const home = dataDirectory(t)
  const first = start({ DATA_DIR: join(home, 'first') })
  await first.ready
  await upload(url, await person(), { name: 'a.txt', type: 'text/plain', bytes: 'kept' })
  const second = start({ DATA_DIR: join(home, 'second'), SHARE_PORT: '1' })
  await second.ready
  second.process.kill('SIGTERM')
  const lines = (await second.ended).errors.split('\n').filter(line => line.startsWith('{'))
  const about = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg.includes('FILES_DIR'))
  t.match(about, [
    { msg: 'the files of the organization are not here: set FILES_DIR', filesDir: join(home, 'second/files') },
  ])
})

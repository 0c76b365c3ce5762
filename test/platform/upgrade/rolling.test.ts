// The last release is replaced by this program under load, as docs/deployment.md says, and comes back.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../../../server/embedded/ports.js'
import { openDatabase } from '../../../server/store/driver/open-database.js'
import { randomOf, startScene } from '../../faults/support/begin.js'
import { callOnce } from '../../faults/support/call.js'
import { readFile, upload } from '../../support/files.js'
import type { Params } from '../../support/http.js'
import { createPerson, Person } from '../../support/people.js'
import { TestOrganization } from '../../support/server.js'
import { services } from '../../support/services.js'
import { dataDirectory } from '../places.js'
import { type Program, runProgram } from '../program.js'
import { differing, exported, type Line } from './exported.js'
import { admin, changedTree, lastRelease, releasedTree, type Tree, whyNot } from './trees.js'

const release = lastRelease()
const skip = process.platform !== 'linux' ? 'needs Linux' : whyNot(release)

// In addition to those of this tree, so that there is one in any case.
const madeUp = {
  '9999-made-up.sql': `-- works with ${release.version}
alter table messages add column made_up int;
update messages set made_up = 1;`,
}

/** An organization without a schema, which the release makes. */
async function emptyOrganization(t: Test): Promise<TestOrganization> {
  const found = await services(t)
  const schema = `t${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const sql = openDatabase(found.databaseUrl, schema, 3)
  t.teardown(async () => {
    await sql.unsafe(`drop schema if exists ${schema} cascade`)
    await sql.end()
  })
  return new TestOrganization(found, schema, sql)
}

/** Changes of many kinds, each over a new connection: workers of both versions answer. */
async function change({ url, id, email, api_key, full_name }: Person, times: number): Promise<void> {
  let key = api_key
  const ok = async (method: string, path: string, params: Params = {}) => {
    const who = new Person(id, email, key, { url, full_name })
    const { status, body } = await callOnce(who, method, path, { params, signal: AbortSignal.timeout(30_000) })
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  for (let i = 0; i < times; i++) {
    const name = `${id} changes ${i} ${key.slice(0, 4)}`
    await ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const message = await ok('POST', '/messages', { type: 'channel', to: name, topic: 'a', content: 'first' })
    await ok('PATCH', `/messages/${message.id}`, { content: 'second', topic: 'b' })
    await ok('POST', `/messages/${message.id}/reactions`, { emoji_name: 'tada' })
    await ok('POST', '/mark_all_as_read')
    await ok('PATCH', '/settings', { full_name: `Person ${name}` })
    key = String((await ok('POST', '/users/me/api_key/regenerate')).api_key)
  }
}

t.test('an upgrade under load, and the way back', { skip }, async t => {
  const [old, next] = [await releasedTree(t, release), changedTree(t, '99.0.0', madeUp)]
  const organization = await emptyOrganization(t)
  const port = await freePort(undefined, '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const settings = { PORT: String(port), SHARE_PORT: '1', LOG_LEVEL: 'fatal', HEARTBEAT_SECONDS: '2' }
  const oldData = dataDirectory(t)
  const start = async (tree: Tree): Promise<Program> => {
    const places: Record<string, string> =
      tree === old ? { DATA_DIR: oldData } : { DATA_DIR: dataDirectory(t), FILES_DIR: join(oldData, 'files') }
    const started = runProgram(t, organization.env({ ...settings, ...places }), { file: tree.program })
    await started.ready
    return started
  }
  const stop = async (server: Program): Promise<void> => {
    server.process.kill('SIGTERM')
    t.equal((await server.ended).how, 0)
  }
  const versionNow = async () => {
    const settings = (await (await fetch(`${url}/api/v1/server_settings`)).json()) as Record<string, unknown>
    return settings.server_release
  }
  const applied = async () => (await organization.sql`select name from migrations order by name`).map(row => row.name)

  const first = await start(old)
  await admin(old, organization.env(), 'seed', '--users', '60', '--channels', '8', '--messages', '1500')
  const before = await exported(t, old, organization.env())
  const person = () => createPerson(organization.sql, url)
  const scene = await startScene(t, { url, sql: organization.sql, person }, { random: randomOf(t) })
  scene.send()
  await scene.passes(50)
  const owner = await person()
  const files = [await upload(url, owner, { name: 'a.txt', bytes: 'of the release' })]
  const texts = () => Promise.all(files.map(async path => (await readFile(url, owner.who, path)).text()))
  t.equal(await versionNow(), release.version)
  t.same(await applied(), Object.keys(release.migrations).sort())

  t.comment('upgrade')
  const second = await start(next)
  t.ok((await applied()).includes('9999-made-up.sql'))
  await scene.passes(50)
  await change(await person(), 8)
  await stop(first)
  await scene.passes(50)
  t.equal(await versionNow(), '99.0.0')
  files.push(await upload(url, owner, { name: 'b.txt', bytes: 'of its successor' }))
  t.same(await texts(), ['of the release', 'of its successor'])

  t.comment('back')
  const third = await start(old)
  await scene.passes(50)
  await change(await person(), 8)
  await stop(second)
  await scene.passes(50)
  t.equal(await versionNow(), release.version)
  t.same(await texts(), ['of the release', 'of its successor'])

  t.comment('and up again')
  const fourth = await start(next)
  await stop(third)
  await scene.passes(50)
  await scene.settle(t)
  const { sends } = scene.ledger
  const after = await exported(t, next, organization.env())
  await stop(fourth)
  t.same(differing(before, after).slice(0, 10), [], `${before.length} lines of the export before are in that after`)
  const contents = after.filter(({ line }) => line === 'message').map(({ content }) => String(content))
  const stored = contents.filter(text => text.startsWith('number '))
  t.equal(new Set(stored).size, stored.length, 'no message twice')
  const [one] = before.filter(({ line }) => line === 'message') as [Line]
  for (const broken of [after.filter(({ line, id }) => line !== one.line || id !== one.id), [...after, one]])
    t.equal(differing(before, broken).length, 1, 'the comparison finds a line that is missing, and one too many')
  t.ok(stored.length >= scene.ledger.count('acknowledged'), `${sends.length} messages`)
  t.ok(scene.ledger.count('acknowledged') >= 300)
})

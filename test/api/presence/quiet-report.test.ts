import t from 'tap'
import { bumpVersion } from '../../../server/store/organization/organization.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { Time } from './scene.js'

const server = await startServer(t)
const time = new Time(server.ctx)
const [ann, bob] = [await server.person(), await server.person()]
const report = (person: typeof ann, last_update_id: number) =>
  person.ok('POST', '/users/me/presence', { status: 'active', last_update_id })

t.test('a report without news asks the database nothing', async t => {
  const { presence_last_update_id: last } = await report(ann, -1)
  t.equal(await queriesOf(server, () => report(ann, last)), 0)

  time.pass(100)
  const { presences } = await report(ann, last)
  t.same(Object.keys(presences), [String(ann.id)], 'one hears of oneself without it, too')
})

t.test('news are of those alone who share their presence at this very moment', async t => {
  const { presence_last_update_id: last } = await report(ann, -1)
  time.pass(100)
  await report(bob, last)
  t.ok((await report(ann, last)).presences[bob.id])
  // Like a change by another worker that this one has not read yet.
  await server.sql.begin(async tx => {
    const version = await bumpVersion(tx)
    await tx`
      update users set settings = settings || '{"presence_enabled": false}', version = ${version}
      where id = ${bob.id}`
  })
  t.notOk((await report(ann, last)).presences[bob.id])
})

t.test('a user who stopped sharing presence on another worker is not reported as active again', async t => {
  const events: unknown[] = []
  const announce = server.ctx.realtime.announce.bind(server.ctx.realtime)
  server.ctx.realtime.announce = emissions => {
    events.push(...emissions)
    announce(emissions)
  }
  const carl = await server.person()
  await report(carl, -1)
  t.equal(events.length, 1)
  time.pass(1000)
  await server.sql.begin(async tx => {
    const version = await bumpVersion(tx)
    await tx`
      update users set settings = settings || '{"presence_enabled": false}', version = ${version}
      where id = ${carl.id}`
  })
  await report(carl, -1)
  t.equal(events.length, 1)
})

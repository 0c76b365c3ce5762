import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { clear, freshPattern, listed, url_template, withoutRights } from './scene.js'

const server = await startServer(t)

t.test('a linkifier is removed; the others keep their order', async t => {
  const admin = await clear(server)
  const ids: number[] = []
  for (let i = 0; i < 3; i++) {
    ids.push((await admin.ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template })).id)
  }
  const ear = await Listener.start(server.ctx, await server.person({ role: 600 }))
  await admin.ok('DELETE', `/realm/filters/${ids[1]}`)
  t.same(
    (await listed(admin)).map(one => one.id),
    [ids[0], ids[2]],
  )
  const { id } = await admin.ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template })
  t.same(
    (await listed(admin)).map(one => one.id),
    [ids[0], ids[2], id],
  )
  t.same(
    (await ear.inStep(t)).map(event => event.realm_linkifiers.map((one: { id: number }) => one.id)),
    [
      [ids[0], ids[2]],
      [ids[0], ids[2], id],
    ],
  )
})

t.test('its pattern may be used again, and it links no more', async t => {
  const admin = await clear(server)
  const { prefix, pattern } = freshPattern()
  const { id } = await admin.ok('POST', '/realm/filters', { pattern, url_template })
  await admin.ok('DELETE', `/realm/filters/${id}`)
  const sent = await admin.ok('POST', '/messages', { type: 'direct', to: [admin.id], content: `${prefix}1` })
  t.equal((await admin.ok('GET', `/messages/${sent.id}`)).message.content, `<p>${prefix}1</p>`)
  const again = await admin.ok('POST', '/realm/filters', { pattern, url_template })
  t.not(again.id, id)
})

t.test('who and what is refused', async t => {
  const admin = await clear(server)
  const { id } = await admin.ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template })
  const others = await withoutRights(server)
  const ear = await Listener.start(server.ctx, admin)
  for (const person of others) {
    const answer = await person.delete(`/realm/filters/${id}`)
    t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }, person.full_name)
  }
  for (const unknown of [0, 2_000_000_000, 99_999_999_999]) {
    const answer = await admin.delete(`/realm/filters/${unknown}`)
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, `linkifier ${unknown}`)
  }
  t.same(await ear.inStep(t), [])
  const answers = await Promise.all([1, 2].map(() => admin.delete(`/realm/filters/${id}`)))
  t.same(answers.map(answer => answer.status).sort(), [200, 400], 'of two at once one finds nothing')
  t.equal((await ear.inStep(t)).length, 1)
})

import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { clear, freshPattern, listed, url_template, withoutRights } from './scene.js'

const server = await startServer(t)

async function threeLinkifiers() {
  const admin = await clear(server)
  const ids: number[] = []
  for (let i = 0; i < 3; i++) {
    ids.push((await admin.ok('POST', '/realm/filters', { pattern: freshPattern().pattern, url_template })).id)
  }
  return { admin, ids: ids as [number, number, number] }
}

t.test('the order changes, and all users get the list in the new order', async t => {
  const { admin, ids } = await threeLinkifiers()
  const [a, b, c] = ids
  const ear = await Listener.start(server.ctx, await server.person())
  await admin.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [c, a, b] })
  t.same(
    (await listed(admin)).map(one => one.id),
    [c, a, b],
  )
  await admin.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [c, a, b] })
  const events = await ear.inStep(t)
  t.same(
    events.map(event => event.realm_linkifiers.map((one: { id: number }) => one.id)),
    [[c, a, b]],
    'once: the second time nothing changed',
  )
})

t.test('of two that match the first in the order makes the link', async t => {
  const admin = await clear(server)
  const add = (pattern: string, url_template: string) => admin.ok('POST', '/realm/filters', { pattern, url_template })
  const { id: one } = await add('ZZ(?P<id>[0-9]+)', 'https://one.example/{id}')
  const { id: two } = await add('(?P<id>ZZ[0-9]+)', 'https://two.example/{id}')
  const rendered = async () => {
    const { id } = await admin.ok('POST', '/messages', { type: 'direct', to: [admin.id], content: 'ZZ7' })
    return (await admin.ok('GET', `/messages/${id}`)).message.content
  }
  t.equal(await rendered(), '<p><a href="https://one.example/7">ZZ7</a></p>')
  await admin.ok('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [two, one] })
  t.equal(await rendered(), '<p><a href="https://two.example/ZZ7">ZZ7</a></p>')
})

t.test('who and what is refused', async t => {
  const { admin, ids } = await threeLinkifiers()
  const [a, b, c] = ids
  const others = await withoutRights(server)
  const ear = await Listener.start(server.ctx, admin)
  for (const person of others) {
    const answer = await person.patch('/realm/linkifiers', {
      ordered_linkifier_ids: [c, b, a],
    })
    t.match(answer, { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } }, person.full_name)
  }
  const wrong: [string, unknown][] = [
    ['one is missing', [c, b]],
    ['none', []],
    ['one twice', [c, b, b]],
    ['one twice too many', [a, b, c, c]],
    ['an unknown one', [a, b, 2_000_000_000]],
    ['an unknown one too many', [a, b, c, 99_999_999_999]],
    ['no list', a],
    ['texts', [String(a), String(b), String(c)]],
    ['fractions', [a, b, c + 0.5]],
    ['no JSON', 'x'],
  ]
  for (const [title, ordered_linkifier_ids] of wrong) {
    const answer = await admin.patch('/realm/linkifiers', { ordered_linkifier_ids })
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, title)
  }
  const missing = await admin.patch('/realm/linkifiers')
  t.match(missing, { status: 400, body: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'ordered_linkifier_ids' } })
  t.same(
    (await listed(admin)).map(one => one.id),
    ids,
  )
  t.same(await ear.inStep(t), [])
})

t.test('a new order against a new linkifier: one after the other, and nothing is lost', async t => {
  for (let round = 0; round < 5; round++) {
    const { admin, ids } = await threeLinkifiers()
    const [a, b, c] = ids
    const ear = await Listener.start(server.ctx, admin)
    const [ordered, added] = await Promise.all([
      admin.patch('/realm/linkifiers', { ordered_linkifier_ids: [c, b, a] }),
      admin.post('/realm/filters', { pattern: freshPattern().pattern, url_template }),
    ])
    t.equal(added.status, 200)
    const list = (await listed(admin)).map(one => one.id)
    if (ordered.status === 200) t.same(list, [c, b, a, added.body.id], 'the order came first')
    else {
      t.match(ordered, { status: 400, body: { code: 'BAD_REQUEST' } })
      t.same(list, [a, b, c, added.body.id], 'the order had missed one')
    }
    t.equal((await ear.inStep(t)).length, ordered.status === 200 ? 2 : 1)
  }
})

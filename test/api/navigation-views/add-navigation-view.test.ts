import t from 'tap'
import { builtInFragments } from '../../../shared/resources/navigation-view.js'
import { kinds, Listener } from '../../support/in-step.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)

t.test('every account has views of its own, and no other user gets their events', async t => {
  const owner = await server.person()
  const people = [
    owner,
    await server.person({ role: 600 }),
    await server.person({ bot_type: 1, bot_owner_id: owner.id }),
  ]
  const ears = await Promise.all(people.map(person => Listener.start(server.ctx, person)))
  const views = [
    { fragment: 'narrow/channel/7-ops/topic/a%20b.2Fc', is_pinned: true, name: 'Ops 😀' },
    { fragment: 'inbox', is_pinned: false },
    { fragment: 'narrow/is/mentioned', is_pinned: true },
  ]
  for (const [i, person] of people.entries()) {
    t.same((await person.ok('GET', '/navigation_views')).navigation_views, [])
    for (const view of views) await person.ok('POST', '/navigation_views', view)
    const { navigation_views } = await person.ok('GET', '/navigation_views')
    t.same(navigation_views, views, 'in the order in which they were added; a built-in one has no name')
    for (const view of navigation_views) t.same(checkObject('navigation_view', view), [])
    const events = (await ears[i]?.inStep(t)) ?? []
    t.same(kinds(events), Array(3).fill('navigation_view/add'))
    t.same(
      events.map(event => event.navigation_view),
      views,
    )
  }
  for (const ear of ears) t.same(await ear.inStep(t), [], 'nothing of the others')
  t.equal(await queriesOf(server, () => owner.ok('GET', '/navigation_views')), 1)
})

t.test('every built-in view can be configured, once and without a name', async t => {
  const owner = await server.person()
  for (const fragment of builtInFragments) {
    const named = await owner.post('/navigation_views', { fragment, is_pinned: true, name: 'x' })
    t.match(named, { status: 400, body: { code: 'BAD_REQUEST' } }, fragment)
    await owner.ok('POST', '/navigation_views', { fragment, is_pinned: true })
    const again = await owner.post('/navigation_views', { fragment, is_pinned: false })
    t.match(again, { status: 400, body: { code: 'BAD_REQUEST' } }, fragment)
  }
  const { navigation_views } = await owner.ok('GET', '/navigation_views')
  t.same(
    navigation_views,
    [...builtInFragments].map(fragment => ({ fragment, is_pinned: true })),
  )
})

t.test('input that is refused', async t => {
  const owner = await server.person()
  await owner.ok('POST', '/navigation_views', { fragment: 'taken/one', is_pinned: true, name: 'Taken' })
  const ear = await Listener.start(server.ctx, owner)
  const good = { fragment: 'narrow/x', is_pinned: true, name: 'x' }
  const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['no fragment', { ...good, fragment: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'fragment' }],
    ['no is_pinned', { ...good, is_pinned: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'is_pinned' }],
    ['no name', { ...good, name: undefined }, { code: 'BAD_REQUEST' }],
    ['empty fragment', { ...good, fragment: '' }, { code: 'BAD_REQUEST' }],
    ['blank fragment', { ...good, fragment: ' ' }, { code: 'BAD_REQUEST' }],
    ['long fragment', { ...good, fragment: 'x'.repeat(2049) }, { code: 'BAD_REQUEST' }],
    ['NUL in the fragment', { ...good, fragment: 'x\0' }, { code: 'BAD_REQUEST' }],
    ['is_pinned no boolean', { ...good, is_pinned: 1 }, { code: 'BAD_REQUEST' }],
    ['empty name', { ...good, name: '' }, { code: 'BAD_REQUEST' }],
    ['blank name', { ...good, name: ' \t' }, { code: 'BAD_REQUEST' }],
    ['NUL in the name', { ...good, name: 'x\0' }, { code: 'BAD_REQUEST' }],
    ['name of a built-in view', { ...good, fragment: ' inbox ' }, { code: 'BAD_REQUEST' }],
    ['taken fragment', { ...good, fragment: 'taken/one' }, { code: 'BAD_REQUEST' }],
    ['taken name', { ...good, name: ' Taken' }, { code: 'BAD_REQUEST' }],
  ]
  for (const [title, params, body] of cases) {
    t.match(await owner.post('/navigation_views', params), { status: 400, body }, title)
  }
  for (const method of ['GET', 'POST']) {
    const answer = await server.api(null).call(method, '/navigation_views', good)
    t.match(answer, { status: 401, body: { code: 'UNAUTHORIZED' } })
  }
  t.same(await ear.inStep(t), [])
  const longest = { fragment: `narrow/${'é'.repeat(2041)}`, is_pinned: true, name: '😀'.repeat(2048) }
  await owner.ok('POST', '/navigation_views', longest)
  t.same((await owner.ok('GET', '/navigation_views')).navigation_views[1], longest, 'as long as they may be')
  t.same(kinds(await ear.inStep(t)), ['navigation_view/add'])
})

t.test('two at once with one fragment, or one name: one is refused', async t => {
  const owner = await server.person()
  const ear = await Listener.start(server.ctx, owner)
  const add = (fragment: string, name: string) => owner.post('/navigation_views', { fragment, is_pinned: true, name })
  const statuses = (answers: { status: number }[]) => answers.map(answer => answer.status).sort()
  t.same(statuses(await Promise.all([add('a', 'one'), add('a', 'two')])), [200, 400])
  t.same(statuses(await Promise.all([add('b', 'three'), add('c', 'three')])), [200, 400])
  t.same(statuses(await Promise.all([add('d', 'four'), add('e', 'five')])), [200, 200])
  t.equal((await ear.inStep(t)).length, 4)
})

import fc from 'fast-check'
import t from 'tap'
import { Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

const listed = async (owner: Person) => (await owner.ok('GET', '/navigation_views')).navigation_views
const add = (owner: Person, fragment: string, name?: string) =>
  owner.ok('POST', '/navigation_views', { fragment, is_pinned: true, name })

t.test('a view is pinned, unpinned and renamed; the owner gets an event with the change', async t => {
  const owner = await server.person()
  await add(owner, 'narrow/is/dm', 'Direct')
  await add(owner, 'narrow/is/starred')
  const ear = await Listener.start(server.ctx, owner)
  await owner.ok('PATCH', '/navigation_views/narrow/is/dm', { is_pinned: false })
  await owner.ok('PATCH', '/navigation_views/narrow/is/dm', { name: ' Talks ' })
  await owner.ok('PATCH', '/navigation_views/narrow/is/dm', { is_pinned: true, name: 'Talks again' })
  await owner.ok('PATCH', '/navigation_views/narrow/is/starred', { is_pinned: false })
  t.same(await listed(owner), [
    { fragment: 'narrow/is/dm', is_pinned: true, name: 'Talks again' },
    { fragment: 'narrow/is/starred', is_pinned: false },
  ])
  const events = await ear.inStep(t)
  t.same(
    events.map(({ id: _, ...event }) => event),
    [
      { fragment: 'narrow/is/dm', data: { is_pinned: false } },
      { fragment: 'narrow/is/dm', data: { name: 'Talks' } },
      { fragment: 'narrow/is/dm', data: { is_pinned: true, name: 'Talks again' } },
      { fragment: 'narrow/is/starred', data: { is_pinned: false } },
    ].map(change => ({ type: 'navigation_view', op: 'update', ...change })),
  )
})

t.test('a change of nothing makes no event, but the view must exist', async t => {
  const owner = await server.person()
  await add(owner, 'x/y', 'Mine')
  const ear = await Listener.start(server.ctx, owner)
  await owner.ok('PATCH', '/navigation_views/x/y')
  await owner.ok('PATCH', '/navigation_views/x/y', { name: 'Mine' })
  t.equal((await owner.patch('/navigation_views/x/z')).status, 404)
  t.same(await ear.inStep(t), [])
})

t.test('fragments with slashes and escapes are found by their path, escaped or not', async t => {
  const owner = await server.person()
  const fragment = 'narrow/channel/7-a.2Eb/topic/100%25 & ü?#'
  await add(owner, fragment, 'Odd')
  const slashes = fragment.split('/').map(encodeURIComponent).join('/')
  await owner.ok('PATCH', `/navigation_views/${slashes}`, { name: 'One' })
  await owner.ok('PATCH', `/navigation_views/${encodeURIComponent(fragment)}`, { name: 'Two' })
  t.same(await listed(owner), [{ fragment, is_pinned: true, name: 'Two' }])
  t.equal((await owner.patch('/navigation_views/narrow/channel/7-a.b/topic/100%25', { name: 'x' })).status, 404)
  t.equal((await owner.patch('/navigation_views/100%', { name: 'x' })).status, 400, 'a malformed escape')
})

t.test('whatever the fragment: what was added is found, changed and removed', async t => {
  const owner = await server.person()
  const unit = fc.constantFrom(
    'a',
    '/',
    '%',
    '2',
    'F',
    '.',
    ' ',
    '+',
    '?',
    '#',
    '&',
    '=',
    'é',
    '😀',
    '"',
    '\\',
    ';',
    ':',
  )
  await fc.assert(
    fc.asyncProperty(fc.string({ unit, minLength: 1, maxLength: 12 }), async given => {
      const fragment = given.trim()
      // HTTP clients treat these as relative path segments.
      if (/^\.{0,2}$/.test(fragment)) return
      await add(owner, given, 'Any')
      const path = `/navigation_views/${encodeURIComponent(fragment)}`
      await owner.ok('PATCH', path, { is_pinned: false })
      t.same(await listed(owner), [{ fragment, is_pinned: false, name: 'Any' }], fragment)
      await owner.ok('DELETE', path)
    }),
    { numRuns: 40 },
  )
  t.same(await listed(owner), [])
})

t.test('a view that does not exist, or belongs to another user, is NOT_FOUND', async t => {
  const [owner, other] = [await server.person(), await server.person({ role: 100 })]
  await add(owner, 'narrow/is/dm', 'Direct')
  await add(owner, 'inbox')
  const ears = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
  for (const fragment of ['narrow/is/dm', 'inbox', 'narrow/is', 'narrow/is/dm/x', 'Narrow/is/dm', 'recent']) {
    const answer = await other.patch(`/navigation_views/${fragment}`, { is_pinned: false })
    t.match(answer, { status: 404, body: { result: 'error', code: 'NOT_FOUND' } }, fragment)
  }
  for (const ear of ears) t.same(await ear.inStep(t), [])
})

t.test('input that is refused', async t => {
  const owner = await server.person()
  await add(owner, 'a', 'One')
  await add(owner, 'b', 'Two')
  await add(owner, 'inbox')
  const before = await listed(owner)
  const ear = await Listener.start(server.ctx, owner)
  const cases: [string, string, Record<string, unknown>][] = [
    ['name of a built-in view', 'inbox', { name: 'x' }],
    ['name of a built-in view, with more', 'inbox', { name: 'x', is_pinned: false }],
    ['name of a built-in view that was never configured', 'narrow/is/starred', { name: 'x' }],
    ['empty name', 'a', { name: '' }],
    ['blank name', 'a', { name: '  ', is_pinned: false }],
    ['long name', 'a', { name: 'x'.repeat(2049) }],
    ['NUL in the name', 'a', { name: '\0' }],
    ['taken name', 'a', { name: 'Two', is_pinned: false }],
    ['is_pinned no boolean', 'a', { is_pinned: 'yes' }],
    ['NUL in the path', 'a%00', { is_pinned: false }],
    ['blank path', '%20', { is_pinned: false }],
  ]
  for (const [title, path, params] of cases) {
    const answer = await owner.patch(`/navigation_views/${path}`, params)
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, title)
  }
  const echoed = await owner.ok('PATCH', '/navigation_views/a', { fragment: 'c' })
  t.same(echoed.ignored_parameters_unsupported, ['fragment'], 'a fragment never changes')
  t.equal((await server.api(null).patch('/navigation_views/a', { is_pinned: false })).status, 401)
  t.same(await listed(owner), before)
  t.same(await ear.inStep(t), [])
})

t.test('two views that want one name at once: one is refused', async t => {
  const owner = await server.person()
  await add(owner, 'a', 'One')
  await add(owner, 'b', 'Two')
  const ear = await Listener.start(server.ctx, owner)
  const answers = await Promise.all(
    ['a', 'b'].map(fragment => owner.patch(`/navigation_views/${fragment}`, { name: 'Best' })),
  )
  t.same(answers.map(answer => answer.status).sort(), [200, 400])
  t.equal((await listed(owner)).filter((view: { name: string }) => view.name === 'Best').length, 1)
  t.equal((await ear.inStep(t)).length, 1)
})

import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { queriesOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t)

t.test('every account has snippets of its own, and no other user gets their events', async t => {
  const owner = await server.person()
  const people = [
    owner,
    await server.person({ role: 600 }),
    await server.person({ bot_type: 1, bot_owner_id: owner.id }),
  ]
  const ears = await Promise.all(people.map(person => Listener.start(server.ctx, person)))
  for (const [i, person] of people.entries()) {
    const saved = { title: '  Greeting\n', content: '  **Hello** 😀\n' }
    const { saved_snippet_id } = await person.ok('POST', '/saved_snippets', saved)
    const { saved_snippets } = await person.ok('GET', '/saved_snippets')
    t.match(saved_snippets, [{ id: saved_snippet_id, title: 'Greeting', content: '**Hello** 😀' }])
    t.same(checkObject('saved_snippet', saved_snippets[0]), [])
    t.ok(Math.abs(saved_snippets[0].date_created - Date.now() / 1000) < 600, 'UNIX seconds')
    const events = await ears[i]?.inStep(t)
    t.match(events, [{ type: 'saved_snippets', op: 'add', saved_snippet: saved_snippets[0] }])
  }
  for (const ear of ears) t.same(await ear.inStep(t), [], 'nothing of the others')
})

t.test('they are listed in the order in which they were made', async t => {
  const owner = await server.person()
  const ear = await Listener.start(server.ctx, owner)
  t.same((await owner.ok('GET', '/saved_snippets')).saved_snippets, [])
  const ids: number[] = []
  for (const title of ['b', 'a', 'b']) {
    ids.push((await owner.ok('POST', '/saved_snippets', { title, content: 'x' })).saved_snippet_id)
  }
  const { saved_snippets } = await owner.ok('GET', '/saved_snippets')
  t.same(
    saved_snippets.map((one: { id: number }) => one.id),
    ids,
  )
  t.same(kinds(await ear.inStep(t)), Array(3).fill('saved_snippets/add'))
  t.equal(await queriesOf(server, () => owner.ok('GET', '/saved_snippets')), 1)
})

t.test('input that is refused', async t => {
  const owner = await server.person()
  const ear = await Listener.start(server.ctx, owner)
  const good = { title: 'x', content: 'x' }
  const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['no title', { content: 'x' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'title' }],
    ['no content', { title: 'x' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'content' }],
    ['empty title', { ...good, title: '' }, { code: 'BAD_REQUEST' }],
    ['blank title', { ...good, title: ' \n' }, { code: 'BAD_REQUEST' }],
    ['long title', { ...good, title: 'x'.repeat(61) }, { code: 'BAD_REQUEST' }],
    ['NUL in the title', { ...good, title: 'a\0b' }, { code: 'BAD_REQUEST' }],
    ['empty content', { ...good, content: '' }, { code: 'BAD_REQUEST' }],
    ['blank content', { ...good, content: ' \n ' }, { code: 'BAD_REQUEST' }],
    ['long content', { ...good, content: 'x'.repeat(10_001) }, { code: 'BAD_REQUEST' }],
    ['NUL in the content', { ...good, content: 'a\0b' }, { code: 'BAD_REQUEST' }],
  ]
  for (const [title, params, body] of cases) {
    t.match(await owner.post('/saved_snippets', params), { status: 400, body }, title)
  }
  const nobody = server.api(null)
  t.match(await nobody.post('/saved_snippets', good), { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.match(await nobody.get('/saved_snippets'), { status: 401, body: { code: 'UNAUTHORIZED' } })
  t.same(await ear.inStep(t), [])
  const longest = { title: ` ${'😀'.repeat(60)} `, content: '😀'.repeat(10_000) }
  await owner.ok('POST', '/saved_snippets', longest)
  t.same(kinds(await ear.inStep(t)), ['saved_snippets/add'], 'lengths are counted in code points, after trimming')
})

import t from 'tap'
import { kinds, Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

async function oneSnippet() {
  const owner = await server.person()
  const { saved_snippet_id: id } = await owner.ok('POST', '/saved_snippets', { title: 'old', content: 'old text' })
  const only = async () => (await owner.ok('GET', '/saved_snippets')).saved_snippets[0]
  return { owner, id, only }
}

t.test('title and content change, together or alone; the owner gets the whole snippet', async t => {
  const { owner, id, only } = await oneSnippet()
  const ear = await Listener.start(server.ctx, owner)
  const before = await only()
  await owner.ok('PATCH', `/saved_snippets/${id}`, { title: ' new ' })
  t.same(await only(), { ...before, title: 'new' })
  await owner.ok('PATCH', `/saved_snippets/${id}`, { content: ' new text\n' })
  t.same(await only(), { ...before, title: 'new', content: 'new text' })
  await owner.ok('PATCH', `/saved_snippets/${id}`, { title: 'newer', content: 'newer text' })
  const after = await only()
  t.same(after, { ...before, title: 'newer', content: 'newer text' })
  const events = await ear.inStep(t)
  t.same(kinds(events), Array(3).fill('saved_snippets/update'))
  t.same(events[2]?.saved_snippet, after)
})

t.test('without title and content nothing is done, nor looked for', async t => {
  const { owner, id, only } = await oneSnippet()
  const ear = await Listener.start(server.ctx, owner)
  const before = await only()
  await owner.ok('PATCH', `/saved_snippets/${id}`)
  await owner.ok('PATCH', '/saved_snippets/2000000000')
  t.same(await only(), before)
  t.same(await ear.inStep(t), [])
})

t.test('an unknown snippet and that of another user give the same answer', async t => {
  const { owner, id, only } = await oneSnippet()
  const other = await server.person({ role: 100 })
  const ears = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
  const before = await only()
  const bodies = []
  for (const path of [id, 0, 2_000_000_000, 99_999_999_999]) {
    const answer = await other.patch(`/saved_snippets/${path}`, { title: 'x' })
    t.match(answer, { status: 404, body: { result: 'error', code: 'BAD_REQUEST' } }, String(path))
    bodies.push(JSON.stringify(answer.body))
  }
  t.equal(new Set(bodies).size, 1)
  t.same(await only(), before)
  for (const ear of ears) t.same(await ear.inStep(t), [])
})

t.test('input that is refused', async t => {
  const { owner, id, only } = await oneSnippet()
  const before = await only()
  for (const params of [
    { title: '' },
    { title: '  ' },
    { title: 'x'.repeat(61) },
    { title: '\0' },
    { content: '' },
    { content: '\n' },
    { content: 'x'.repeat(10_001) },
    { content: 'x\0' },
    { title: 'good', content: '' },
  ]) {
    const answer = await owner.patch(`/saved_snippets/${id}`, params)
    t.match(answer, { status: 400, body: { code: 'BAD_REQUEST' } }, JSON.stringify(params).slice(0, 40))
  }
  const wrong = await owner.patch('/saved_snippets/2000000000', { title: '' })
  t.equal(wrong.status, 400, 'parameters are looked at before the snippet')
  t.equal((await server.api(null).patch(`/saved_snippets/${id}`, { title: 'x' })).status, 401)
  t.same(await only(), before)
})

t.test('a change and a removal at once: one after the other', async t => {
  for (let round = 0; round < 5; round++) {
    const { owner, id } = await oneSnippet()
    const ear = await Listener.start(server.ctx, owner)
    const [changed, removed] = await Promise.all([
      owner.patch(`/saved_snippets/${id}`, { title: 'x' }),
      owner.delete(`/saved_snippets/${id}`),
    ])
    t.equal(removed.status, 200)
    t.ok([200, 404].includes(changed.status), String(changed.status))
    const expected =
      changed.status === 200 ? ['saved_snippets/update', 'saved_snippets/remove'] : ['saved_snippets/remove']
    t.same(kinds(await ear.inStep(t)), expected)
  }
})

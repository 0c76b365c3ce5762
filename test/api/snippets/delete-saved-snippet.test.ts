import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

t.test('a snippet is deleted, the others stay', async t => {
  const owner = await server.person()
  const ids: number[] = []
  for (let i = 0; i < 3; i++) {
    ids.push((await owner.ok('POST', '/saved_snippets', { title: `${i}`, content: 'x' })).saved_snippet_id)
  }
  const ear = await Listener.start(server.ctx, owner)
  await owner.ok('DELETE', `/saved_snippets/${ids[1]}`)
  const { saved_snippets } = await owner.ok('GET', '/saved_snippets')
  t.same(
    saved_snippets.map((one: { id: number }) => one.id),
    [ids[0], ids[2]],
  )
  t.match(await ear.inStep(t), [{ type: 'saved_snippets', op: 'remove', saved_snippet_id: ids[1] }])
})

t.test(
  'an unknown snippet and that of another user give the same answer; of two deletions at once one finds nothing',
  async t => {
    const [owner, other] = [await server.person(), await server.person({ role: 100 })]
    const { saved_snippet_id: id } = await owner.ok('POST', '/saved_snippets', { title: 'x', content: 'x' })
    const ears = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
    for (const path of [id, 0, 2_000_000_000, 99_999_999_999]) {
      const answer = await other.delete(`/saved_snippets/${path}`)
      t.match(answer, { status: 404, body: { result: 'error', code: 'BAD_REQUEST' } }, String(path))
    }
    t.equal((await server.api(null).delete(`/saved_snippets/${id}`)).status, 401)
    for (const ear of ears) t.same(await ear.inStep(t), [])
    const answers = await Promise.all([1, 2].map(() => owner.delete(`/saved_snippets/${id}`)))
    t.same(answers.map(answer => answer.status).sort(), [200, 404])
    t.equal((await ears[0]?.inStep(t))?.length, 1)
  },
)

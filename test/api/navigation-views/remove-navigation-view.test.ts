import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

t.test('a view is removed, and may be added again', async t => {
  const owner = await server.person()
  await owner.ok('POST', '/navigation_views', { fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct' })
  await owner.ok('POST', '/navigation_views', { fragment: 'narrow/is/starred', is_pinned: true })
  const ear = await Listener.start(server.ctx, owner)
  await owner.ok('DELETE', '/navigation_views/narrow/is/dm')
  await owner.ok('DELETE', '/navigation_views/narrow%2Fis%2Fstarred')
  t.same((await owner.ok('GET', '/navigation_views')).navigation_views, [])
  await owner.ok('POST', '/navigation_views', { fragment: 'narrow/is/dm', is_pinned: false, name: 'Direct' })
  const events = await ear.inStep(t)
  t.match(events, [
    { type: 'navigation_view', op: 'remove', fragment: 'narrow/is/dm' },
    { type: 'navigation_view', op: 'remove', fragment: 'narrow/is/starred' },
    { type: 'navigation_view', op: 'add' },
  ])
})

t.test('a view that does not exist, or belongs to another user, is NOT_FOUND', async t => {
  const [owner, other] = [await server.person(), await server.person({ role: 100 })]
  await owner.ok('POST', '/navigation_views', { fragment: 'a/b', is_pinned: true, name: 'x' })
  const ears = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)]
  for (const fragment of ['a/b', 'a', 'inbox', 'a/b/c']) {
    const answer = await other.delete(`/navigation_views/${fragment}`)
    t.match(answer, { status: 404, body: { result: 'error', code: 'NOT_FOUND' } }, fragment)
  }
  t.match(await other.delete('/navigation_views/%00'), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.equal((await server.api(null).delete('/navigation_views/a/b')).status, 401)
  for (const ear of ears) t.same(await ear.inStep(t), [])
  const answers = await Promise.all([1, 2].map(() => owner.delete('/navigation_views/a/b')))
  t.same(answers.map(answer => answer.status).sort(), [200, 404], 'of two at once one finds nothing')
  t.equal((await ears[0]?.inStep(t))?.length, 1)
})

import t from 'tap'
import { startServer } from '../../support/server.js'
import { freshName } from './scene.js'

const server = await startServer(t)

// The server has to check the caller's subscription after it has locked the channel; otherwise a removed user could
// return.
t.test('who is removed from a private channel cannot stay by subscribing again at that moment', async t => {
  const [owner, member] = [await server.person({ role: 100 }), await server.person()]
  for (let round = 0; round < 12; round++) {
    const name = freshName()
    const subscriptions = [{ name }]
    const principals = [owner.id, member.id]
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions, principals, invite_only: true })
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name })
    await Promise.all([
      member.post('/users/me/subscriptions', { subscriptions }),
      owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [member.id] }),
    ])
    const { subscribers } = await owner.ok('GET', `/streams/${stream_id}/members`)
    t.same(subscribers, [owner.id])
  }
})

import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createLiveState } from '../../../server/web/chat/live-state.js'
import type { AnyEvent } from '../../../shared/client/index.js'
import { someState } from './state.js'

const kept = () => ({ position: { queueId: 'a', lastEventId: 16 }, savedAt: 1, state: someState() })

let id = 16
const renamed = (full_name: string) => {
  id += 16
  return { type: 'realm_user', op: 'update', id, person: { user_id: 2, full_name } } as unknown as AnyEvent
}

t.test('events that arrive together are one change', async t => {
  const live = createLiveState(kept())
  live.take(renamed('Rosa'))
  live.take(renamed('Rosa Engel'))
  t.equal(live.changes(), 0, 'not before both are there')
  await setImmediate()
  t.equal(live.changes(), 1)
  t.equal(live.state.realm_users[2]?.full_name, 'Rosa Engel')
})

t.test('a snapshot contains the events that wait, and belongs to the queue whose events the state has', async t => {
  const live = createLiveState(kept())
  live.take(renamed('Rosa'))
  const snapshot = live.snapshot({ queueId: 'a', lastEventId: 32 })
  t.equal(snapshot?.state.realm_users[2]?.full_name, 'Rosa')
  t.same(snapshot?.position, { queueId: 'a', lastEventId: 32 })
  t.equal(live.snapshot({ queueId: 'b', lastEventId: 32 }), undefined, 'the state of the new queue has not arrived')
  t.equal(live.snapshot(undefined), undefined, 'the client has no queue')
})

t.test('a page is ready from the start only with a kept state', async t => {
  t.equal(createLiveState(kept()).isReady(), true)
  t.equal(createLiveState(undefined).isReady(), false)
  t.equal(createLiveState(undefined).snapshot({ queueId: 'a', lastEventId: 16 }), undefined)
})

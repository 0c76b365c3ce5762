import t from 'tap'
import type { Loose } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const server = await startServer(t)
const owner = await server.person({ role: 100 })
const run = (...args: string[]) => runAdmin(server.organization, args)
const json = async (...args: string[]): Promise<Loose> => {
  const { code, stdout, stderr } = await run(...args, '--json')
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

t.test('a channel is made, changed, archived and brought back; people come and go', async t => {
  const [person, other] = [await server.person(), await server.person()]
  const { queue_id } = await person.ok('POST', '/register', { event_types: ['stream', 'subscription'] })
  const seen: string[] = []
  let last_event_id = -1
  const told = async (name: string) => {
    while (!seen.includes(name)) {
      const { events } = await person.ok('GET', '/events', { queue_id, last_event_id })
      last_event_id = events.at(-1).id
      seen.push(...events.map((event: Loose) => `${event.type}/${event.op}`))
    }
  }
  const { stream_id } = await json('channel', 'create', 'board', '--private', '--subscriber', person.email)
  await told('subscription/add')
  const added = await json('channel', 'subscribe', 'BOARD', other.email, String(person.id))
  t.match(added, { subscribed: [other.id], already_subscribed: [person.id] }, 'by a subscriber: no owner is in it')
  await told('subscription/peer_add')
  t.match(await json('channel', 'change', `#${stream_id}`, '--name', 'table', '--retention', '30'), {
    name: 'table',
    kind: 'private',
    message_retention_days: 30,
  })
  await told('stream/update')
  t.match(await json('channel', 'show', 'table'), { subscribers: 2, subscriber_ids: [person.id, other.id] })
  await json('channel', 'archive', 'table', '--yes')
  t.same((await json('channel', 'list')).channels, [], 'archived ones are not in the list')
  t.match(await json('channel', 'list', '--archived'), { total: 1, channels: [{ name: 'table', subscribers: 2 }] })
  await json('channel', 'unarchive', 'table')
  t.match(await json('channel', 'unsubscribe', 'table', other.email), { removed: [other.id] })
  await told('subscription/peer_remove')
})

t.test('groups are listed and shown', async t => {
  await owner.ok('POST', '/user_groups/create', { name: 'crew', description: 'All hands', members: [owner.id] })
  const groups = (await json('group', 'list')) as Loose[]
  t.match(
    groups.find(group => group.name === 'crew'),
    { members: 1, description: 'All hands' },
  )
  t.match(await json('group', 'show', 'role:owners'), { members: [], all_members: [owner.id] })
})

t.test('an impossible command gets one sentence', async t => {
  await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'taken' }] })
  const refused: [code: number, ...args: string[]][] = [
    [1, 'channel', 'create', 'TAKEN'],
    [1, 'channel', 'create', 'new', '--private', '--web-public'],
    [1, 'channel', 'change', 'taken'],
    [1, 'channel', 'change', 'taken', '--retention', 'long'],
    [1, 'channel', 'archive', 'taken'],
    [1, 'channel', 'show', 'absent'],
    [1, 'channel', 'subscribe', 'taken', 'nobody@test.example'],
    [1, 'group', 'show', 'absent'],
  ]
  for (const [wanted, ...args] of refused) {
    const { code, stdout, stderr } = await run(...args)
    t.equal(code, wanted, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, /^[^\n]+\n$/)
  }
})

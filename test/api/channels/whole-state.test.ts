import t from 'tap'
import { notificationBot } from '../../../server/actions/messages/system-bots.js'
import { Listener } from '../../support/in-step.js'
import { setOrganization } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { freshName } from './scene.js'

const server = await startServer(t)
const { ctx, sql } = server
await notificationBot(ctx)
await setOrganization(sql, { send_channel_events_messages: false })
const owner = await server.person({ role: 100 })

/** A channel with starred and unread messages and topic policies of a user. */
async function scene(person: Person, subscribed: boolean) {
  const name = freshName()
  const subscribers = subscribed ? [owner.id, person.id] : [owner.id]
  const { id } = await owner.ok('POST', '/channels/create', { name, subscribers })
  const say = async (topic: string, content = 'Hello') =>
    (await owner.ok('POST', '/messages', { type: 'channel', to: id, topic, content })).id
  const first = await say('muted')
  await say('followed', `@**${person.full_name}**`)
  await person.ok('POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  const policy = (topic: string, visibility_policy: number) =>
    person.ok('POST', '/user_topics', { stream_id: id, topic, visibility_policy })
  await policy('muted', 1)
  await policy('followed', 3)
  // A channel that stays visible, because empty lists do not show what the client requested.
  await owner.ok('POST', '/channels/create', { name: freshName(), subscribers: [person.id] })
  return { id: id as number, name, path: `/streams/${id}`, say }
}

t.test('the whole state follows the events, whatever happens to a channel', async t => {
  for (const subscribed of [true, false]) {
    const person = await server.person()
    const { path, name, say } = await scene(person, subscribed)
    const listeners = [await Listener.start(ctx, person)]
    const old = { client_capabilities: {}, include_subscribers: 'false' }
    if (subscribed) listeners.push(await Listener.start(ctx, person, old))
    const steps: [string, () => Promise<unknown>][] = [
      ['renamed', () => owner.ok('PATCH', path, { new_name: freshName() })],
      ['private', () => owner.ok('PATCH', path, { is_private: true })],
      ['shared', () => owner.ok('PATCH', path, { history_public_to_subscribers: true })],
      ['spoken', () => say('followed')],
      ['public', () => owner.ok('PATCH', path, { is_private: false })],
      ['named', () => owner.ok('PATCH', path, { new_name: name })],
      ['subscribed', () => person.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })],
      ['spoken again', () => say('muted')],
      ['left', () => person.ok('DELETE', '/users/me/subscriptions', { subscriptions: [name] })],
      ['private again', () => owner.ok('PATCH', path, { is_private: true })],
      ['public again', () => owner.ok('PATCH', path, { is_private: false })],
    ]
    for (const [title, step] of steps) {
      await t.test(`${subscribed ? 'subscribed' : 'not subscribed'}: ${title}`, async t => {
        await step()
        for (const listener of listeners) await listener.inStep(t)
      })
    }
  }
})

import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose, makeGroup, only, peopleOf } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const [sender, one, two, outsider] = await people('member', 'member', 'member', 'member')
await sender.ok('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'general' }],
  principals: [sender.id, one.id, two.id, outsider.id],
})
const say = (who: typeof sender, content: string) =>
  who.post('/messages', { type: 'stream', to: 'general', topic: 'groups', content })

t.test('a mention reaches members, also those of subgroups, from the next message on', async t => {
  const name = freshName('Mentioned')
  const inner = await makeGroup(sender, { members: [two.id] })
  const group = await makeGroup(sender, { name, members: [one.id], subgroups: [inner] })
  const ears = await Promise.all([one, two, outsider].map(person => Listener.start(server.ctx, person)))
  const mentioned = async () =>
    Promise.all(
      ears.map(async ear => {
        const messages = (await ear.events(t)).filter((event: Loose) => event.message?.type === 'stream')
        return messages.map((event: Loose) => event.flags.includes('mentioned'))
      }),
    )
  t.match(await say(sender, `@*${name}*`), { status: 200 })
  t.strictSame(await mentioned(), [[true], [true], [false]])
  t.match(await say(sender, `@*${name.toLowerCase()}* in another case`), { status: 200 })
  t.strictSame(await mentioned(), [[true], [true], [false]])
  await sender.ok('POST', `/user_groups/${group}/members`, { add: [outsider.id], delete_subgroups: [inner] })
  t.match(await say(sender, `@*${name}*`), { status: 200 })
  t.strictSame(await mentioned(), [[true], [false], [true]])
  await sender.ok('POST', `/user_groups/${group}/deactivate`)
  t.match(await say(sender, `@*${name}*`), { status: 200 })
  t.strictSame(await mentioned(), [[false], [false], [false]], 'a deactivated group is nobody')
})

t.test('who may mention a group', async t => {
  const name = freshName()
  const group = await makeGroup(sender, { name, can_mention_group: only(one.id) })
  t.match(await say(two, `@*${name}*`), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.match(await say(two, `@_*${name}*`), { status: 200 }, 'silently, whoever likes')
  t.match(await say(one, `@*${name}*`), { status: 200 })
  await sender.ok('PATCH', `/user_groups/${group}`, { can_mention_group: { new: group } })
  t.match(await say(one, `@*${name}*`), { status: 400 })
  await sender.ok('POST', `/user_groups/${group}/members`, { add: [two.id] })
  t.match(await say(two, `@*${name}*`), { status: 200 })
})

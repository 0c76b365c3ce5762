import t from 'tap'
import { createUser } from '../../../server/actions/users/create.js'
import { Listener } from '../../support/in-step.js'
import { limitGuests } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { type Loose, makeGroup, peopleOf } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const [owner] = await people('owner')

const names: Record<number, string> = {}
for (const group of (await owner.ok('GET', '/user_groups')).user_groups) names[group.id] = group.name

/** The events about groups, as text. */
const groupNews = (events: Loose[]): string[] =>
  events
    .filter(event => event.type === 'user_group')
    .map(({ op, group_id, user_ids }) => `${op} ${names[group_id] ?? group_id} ${user_ids}`)

/** The system groups that contain a user, according to every operation. */
async function holders(person: Person): Promise<string[]> {
  const found: string[] = []
  for (const [id, name] of Object.entries(names)) {
    const { is_user_group_member } = await owner.ok('GET', `/user_groups/${id}/members/${person.id}`)
    const { members } = await owner.ok('GET', `/user_groups/${id}/members`)
    t.equal(members.includes(person.id), is_user_group_member)
    if (is_user_group_member) found.push(name.slice('role:'.length))
  }
  return found
}

t.test('system groups follow a change of role at once, and all users get the events', async t => {
  const [person, bystander, guest] = await people('member', 'member', 'guest')
  await limitGuests(server.sql)
  const ears = await Promise.all([bystander, guest, person].map(one => Listener.start(server.ctx, one)))
  const order = ['internet', 'everyone', 'members', 'fullmembers', 'moderators', 'administrators', 'owners']
  const steps: [number, string, string, number][] = [
    [200, 'fullmembers', 'administrators', 6],
    [300, 'administrators', 'moderators', 5],
    [600, 'moderators', 'everyone', 2],
    [400, 'everyone', 'fullmembers', 4],
    [100, 'fullmembers', 'owners', 7],
  ]
  for (const [role, left, joined, depth] of steps) {
    await owner.ok('PATCH', `/users/${person.id}`, { role })
    t.strictSame(await holders(person), order.slice(0, depth), `role ${role}`)
    for (const ear of ears) {
      t.strictSame(groupNews(await ear.inStep(t)), [
        `remove_members role:${left} ${person.id}`,
        `add_members role:${joined} ${person.id}`,
      ])
    }
  }
})

t.test('a new user is in the group of its role, a deactivated one in none, and each client gets one event', async t => {
  const [bystander, guest] = await people('member', 'guest')
  const ears = await Promise.all([bystander, guest].map(one => Listener.start(server.ctx, one)))
  const told = async () => Promise.all(ears.map(async ear => groupNews(await ear.inStep(t))))
  const account = { email: 'new@test.example', fullName: 'New Person', role: 400, password: null }
  const { id: user_id } = await createUser(server.ctx, account)
  const joined = [`add_members role:fullmembers ${user_id}`]
  t.strictSame(await told(), [joined, joined])
  const group = await makeGroup(owner, { members: [user_id, bystander.id] })
  await told()
  await owner.ok('DELETE', `/users/${user_id}`)
  const left = [`remove_members role:fullmembers ${user_id}`, `remove_members ${group} ${user_id}`]
  t.strictSame(await told(), [[], left], 'only the guest, who may not know the person, cannot tell for itself')
  const { members } = await owner.ok('GET', `/user_groups/${group}/members`)
  t.strictSame(members, [bystander.id])
})

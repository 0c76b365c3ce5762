import t from 'tap'
import { nextPromotion, promoteFullMembers } from '../../../server/actions/groups/promote-full-members.js'
import type { WorkerCtx } from '../../../server/ctx.js'
import { kinds, Listener } from '../../support/in-step.js'
import { groupId, setOrganization } from '../../support/organization.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'
import { freshName, type Loose, makeGroup, peopleOf } from './scene.js'

const server = await startServer(t)
const people = peopleOf(server)
const day = 24 * 60 * 60 * 1000
const [members, full] = [await groupId(server.sql, 'role:members'), await groupId(server.sql, 'role:fullmembers')]
await setOrganization(server.sql, { waiting_period_threshold: 3 })

/** The server with its clock some days ahead. */
const later = (days: number): WorkerCtx => ({ ...server.ctx, clock: { now: () => Date.now() + days * day } })

t.test(
  'new members become full members when their time is over: lists, permissions and events in one moment',
  async t => {
    const [owner, guest] = await people('owner', 'guest')
    const [first, second] = [await server.person(), await server.person({ date_joined: new Date(Date.now() + 60_000) })]
    const group = await makeGroup(owner, { can_join_group: full })
    await owner.ok('POST', '/channels/create', {
      name: freshName('channel'),
      subscribers: [],
      invite_only: true,
      can_subscribe_group: full,
    })
    const ears = await Promise.all([first, second, guest, owner].map(person => Listener.start(server.ctx, person)))
    const told = () => Promise.all(ears.map(async ear => kinds(await ear.inStep(t))))
    const nothing = [[], [], [], []]
    const join = (person: typeof first) => person.post(`/user_groups/${group}/members`, { add: [person.id] })

    await promoteFullMembers(later(2.9))
    t.strictSame(await told(), nothing)
    t.match(await join(first), { status: 400 })
    const changed = ['user_group/remove_members', 'user_group/add_members']
    await promoteFullMembers(later(3))
    t.strictSame(await told(), [[...changed, 'stream/create'], changed, changed, changed])
    t.match(await join(first), { status: 200 })
    t.match(await join(second), { status: 400 }, 'it joined a minute later')
    const listed = (await owner.ok('GET', '/user_groups')).user_groups
    const directMembers = (id: number) => listed.find((one: Loose) => one.id === id).members
    t.ok(directMembers(full).includes(first.id) && directMembers(members).includes(second.id))
    await told()

    await promoteFullMembers(later(3))
    t.strictSame((await told()).flat(), [], 'once')
    await Promise.all([promoteFullMembers(later(4)), promoteFullMembers(later(5))])
    t.strictSame((await told())[2], changed, 'by one of the workers')
    t.equal(nextPromotion(server.ctx.directory), Number.POSITIVE_INFINITY)
  },
)

t.test('a worker does so by itself when the time comes', async t => {
  const person = await server.person({ date_joined: new Date(Date.now() - 3 * day) })
  await server.ctx.directory.fresh()
  // As if the minute were over after which workers look.
  await server.sql`update jobs set due = now() where kind = 'promote-full-members'`
  server.jobs.look()
  const [owner] = await people('owner')
  const ask = () => owner.ok('GET', `/user_groups/${full}/members/${person.id}`)
  while (!(await ask()).is_user_group_member) await new Promise(resolve => setTimeout(resolve, 50))
  t.pass()
})

t.test('while no user waits for promotion, the database is not queried', async t => {
  await server.ctx.directory.fresh()
  t.strictSame(await statementsOf(server, () => promoteFullMembers(later(100))), [])
})

// A worker that changes users, groups or channels shows the rows that it wrote, without reading them, as if it had just loaded the directory.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Directory } from '../../server/memory/directory.js'
import { changeUsers } from '../../server/store/users/user-changes.js'
import type { UserRow } from '../../server/store/users/users.js'
import { people } from '../api/messages/scene.js'
import { setUser } from '../support/organization.js'
import { statementsOf } from '../support/queries.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const { sql } = server
const [member, other] = await people(server, 2)
const owner = await server.person({ role: 100 })

async function loaded(): Promise<Directory> {
  const directory = new Directory(sql)
  await directory.load()
  return directory
}

async function compare(t: Test, directory: Directory): Promise<void> {
  const now = await loaded()
  t.strictSame(directory.organization, now.organization)
  t.strictSame(Object.fromEntries(directory.users), Object.fromEntries(now.users))
  t.strictSame(Object.fromEntries(directory.groups), Object.fromEntries(now.groups))
  t.strictSame(Object.fromEntries(directory.channels), Object.fromEntries(now.channels))
  for (const name of ['usersByEmail', 'usersByApiKey', 'usersByName', 'groupsByName', 'channelsByName'] as const) {
    t.strictSame([...directory[name].keys()].sort(), [...now[name].keys()].sort(), name)
  }
}

const { id: channel } = await owner.ok('POST', '/channels/create', { name: 'changing', subscribers: [owner.id] })
const { group_id: group } = await owner.ok('POST', '/user_groups/create', {
  name: 'changing',
  description: '',
  members: [],
})
const only = (id: number) => ({ new: { direct_members: [id], direct_subgroups: [] } })
let made = 0

/** Changes, each with a random value. */
const changes = {
  setting: (pick: number) =>
    member.ok('PATCH', '/settings', { web_font_size_px: 12 + (pick % 8), enter_sends: pick % 2 === 0 }),
  name: (pick: number) =>
    member.ok('PATCH', '/settings', { full_name: `Name ${pick}`, timezone: pick % 2 ? 'UTC' : 'Asia/Kolkata' }),
  email: (pick: number) => member.ok('PATCH', '/settings', { email_address_visibility: 1 + (pick % 5) }),
  words: (pick: number) => member.ok('POST', '/users/me/alert_words', { alert_words: [`word ${pick % 50}`] }),
  noWords: (pick: number) => member.ok('DELETE', '/users/me/alert_words', { alert_words: [`word ${pick % 50}`] }),
  status: (pick: number) =>
    member.ok('POST', '/users/me/status', { status_text: `Status ${pick}`, away: pick % 2 === 0 }),
  mute: async (pick: number) => {
    await member.call(pick % 2 ? 'POST' : 'DELETE', `/users/me/muted_users/${other.id}`)
  },
  rename: (pick: number) => owner.ok('PATCH', `/users/${other.id}`, { full_name: `Other ${pick}` }),
  subscribe: (pick: number) =>
    member.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: `channel ${pick % 10}` }] }),
  create: () => owner.ok('POST', '/channels/create', { name: `made ${++made}`, subscribers: [member.id] }),
  update: async (pick: number) => {
    const setting = { can_send_message_group: only(pick % 2 ? member.id : other.id) }
    await owner.call('PATCH', `/streams/${channel}`, pick % 3 ? { description: `${pick}` } : setting)
  },
  archive: async (pick: number) => {
    if (pick % 2) await owner.call('DELETE', `/streams/${channel}`)
    else await owner.call('PATCH', `/streams/${channel}`, { is_archived: false })
  },
  group: () => owner.ok('POST', '/user_groups/create', { name: `group ${++made}`, description: '', members: [] }),
  updateGroup: async (pick: number) => {
    await owner.call('PATCH', `/user_groups/${group}`, {
      description: `${pick}`,
      can_mention_group: only(pick % 2 ? member.id : other.id),
    })
  },
  members: async (pick: number) => {
    await owner.call('POST', `/user_groups/${group}/members`, { [pick % 2 ? 'add' : 'delete']: [member.id] })
  },
  deactivateGroup: async (pick: number) => {
    if (pick % 2) await owner.call('POST', `/user_groups/${group}/deactivate`)
    else await owner.call('PATCH', `/user_groups/${group}`, { deactivated: false })
  },
  elsewhere: (pick: number) => setUser(sql, other.id, { full_name: `Elsewhere ${pick}` }),
}

t.test('after random changes the directory of the worker is the stored one', async t => {
  const step = fc.record({
    kind: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    pick: fc.nat(1000),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 8 }),
      async rounds => {
        for (const round of rounds) await Promise.all(round.map(({ kind, pick }) => changes[kind](pick)))
        await server.ctx.directory.fresh()
        await compare(t, server.ctx.directory)
      },
    ),
    { numRuns: 25 },
  )
})

t.test('a change of an own setting is one statement between begin and commit, and reads no directory', async t => {
  await member.ok('PATCH', '/settings', { enter_sends: false })
  for (const enter_sends of [true, false, true]) {
    const statements = await statementsOf(server, () => member.ok('PATCH', '/settings', { enter_sends }))
    t.match(statements, [/^with next as .* update users set .* insert into outbox/])
    t.equal(statements.length, 1, statements.join('\n'))
    t.equal(server.ctx.directory.users.get(member.id)?.settings.enter_sends, enter_sends)
  }
})

t.test('rows of a version that is not the next one are left to the next refresh', async t => {
  const directory = await loaded()
  const write = (full_name: string): Promise<UserRow[]> =>
    sql.begin(async tx => {
      await directory.hold(tx, 'change')
      const user = directory.users.get(other.id)
      return user ? changeUsers(tx, [user], { full_name }) : []
    }) as Promise<UserRow[]>
  const first = await write('First')
  // It holds the organization, so the directory shows the first change.
  const second = await write('Second')
  directory.adopt({ users: first })
  t.equal(directory.users.get(other.id)?.full_name, 'First')
  directory.adopt({ users: second })
  t.equal(directory.users.get(other.id)?.full_name, 'Second')
  directory.adopt({ users: first })
  t.equal(directory.users.get(other.id)?.full_name, 'Second', 'an older row is ignored')
  await compare(t, directory)

  const third = await write('Third')
  const behind = await loaded()
  await setUser(sql, other.id, { full_name: 'Fourth' })
  await behind.fresh()
  behind.adopt({ users: third })
  t.equal(behind.users.get(other.id)?.full_name, 'Fourth')
  directory.adopt({ users: await write('Fifth') })
  await compare(t, directory)
})

t.test('what is rolled back is not shown', async t => {
  const { directory } = server.ctx
  await directory.fresh()
  const { version } = directory
  await sql`alter table outbox add constraint no_outbox check (entry is null) not valid`
  const { status } = await member.call('PATCH', '/settings', { enter_sends: false })
  t.equal(status, 500)
  t.equal(directory.version, version)
  t.equal(directory.users.get(member.id)?.settings.enter_sends, true)
  await sql`alter table outbox drop constraint no_outbox`
  await member.ok('PATCH', '/settings', { enter_sends: false })
  await compare(t, directory)
})

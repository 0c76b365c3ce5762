import t from 'tap'
import { Listener } from '../../support/in-step.js'
import { deactivate, groupId, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'
import { freshName, type Loose, makeGroup, only, readGroup } from './scene.js'

const server = await startServer(t)
const nobody = await groupId(server.sql, 'role:nobody')
const everyone = await groupId(server.sql, 'role:everyone')
const members = await groupId(server.sql, 'role:members')
const internet = await groupId(server.sql, 'role:internet')
const owners = await groupId(server.sql, 'role:owners')

t.test('a group is created with members, subgroups and settings, and all users get the event', async t => {
  const [maker, one, guest] = [await server.person(), await server.person(), await server.person({ role: 600 })]
  const inner = await makeGroup(maker, { members: [maker.id] })
  const ears = await Promise.all([one, guest, maker].map(person => Listener.start(server.ctx, person)))
  const name = freshName()
  const answer = await maker.ok('POST', '/user_groups/create', {
    name,
    description: 'What it is for',
    members: [one.id, guest.id, one.id],
    subgroups: [inner, inner],
    can_join_group: members,
    can_mention_group: { direct_members: [], direct_subgroups: [inner] },
    can_remove_members_group: { direct_members: [one.id], direct_subgroups: [inner] },
  })
  t.strictSame(Object.keys(answer).sort(), ['group_id', 'msg', 'result'])
  const wanted = {
    id: answer.group_id,
    name,
    description: 'What it is for',
    members: [one.id, guest.id],
    direct_subgroup_ids: [inner],
    is_system_group: false,
    creator_id: maker.id,
    deactivated: false,
    can_add_members_group: only(maker.id),
    can_join_group: members,
    can_leave_group: everyone,
    can_manage_group: only(maker.id),
    can_mention_group: inner,
    can_remove_members_group: { direct_members: [one.id], direct_subgroups: [inner] },
  }
  const found = await readGroup(one, answer.group_id)
  const { date_created, ...rest } = found
  t.strictSame(rest, wanted)
  t.ok(Math.abs(date_created - Date.now() / 1000) < 60)
  t.same(checkObject('user_group', found), [])
  for (const ear of ears) {
    const events = await ear.inStep(t)
    t.strictSame(
      events.map(({ id: _, ...event }) => event),
      [{ type: 'user_group', op: 'add', group: found }],
    )
  }
})

t.test('settings that are not given have their defaults; the creator is not a member', async t => {
  const maker = await server.person()
  t.match(await readGroup(maker, await makeGroup(maker)), {
    members: [],
    can_add_members_group: only(maker.id),
    can_join_group: nobody,
    can_leave_group: everyone,
    can_manage_group: only(maker.id),
    can_mention_group: everyone,
    can_remove_members_group: nobody,
  })
})

t.test('bots may make groups and be members', async t => {
  const owner = await server.person()
  const bot = await server.person({ bot_type: 1, bot_owner_id: owner.id })
  const id = await makeGroup(bot, { members: [bot.id] })
  t.match(await readGroup(owner, id), { members: [bot.id], creator_id: bot.id })
})

t.test('a subgroup needs no permission on it; a nameless value leaves no trace in the list of groups', async t => {
  const [maker, other] = [await server.person(), await server.person()]
  const before = (await other.ok('GET', '/user_groups')).user_groups.length
  const inner = await makeGroup(maker, { can_manage_group: only(maker.id, other.id) })
  await makeGroup(other, {
    subgroups: [inner],
    can_join_group: { direct_members: [], direct_subgroups: [inner, owners] },
  })
  t.equal((await other.ok('GET', '/user_groups')).user_groups.length, before + 2)
})

t.test('names are unique by the letter, and may have 100 characters of any kind', async t => {
  const maker = await server.person()
  const name = freshName('Taken')
  await makeGroup(maker, { name })
  t.match(await maker.post('/user_groups/create', { name, description: '', members: [] }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
  await makeGroup(maker, { name: name.toUpperCase() })
  await makeGroup(maker, { name: '𝒢'.repeat(100), description: '𝒢'.repeat(1024) })
})

t.test('who may not make groups', async t => {
  const [member, guest] = [await server.person(), await server.person({ role: 600 })]
  const group = { description: '', members: [] }
  t.match(await guest.post('/user_groups/create', { ...group, name: freshName() }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
  await setOrganization(server.sql, { can_create_groups: await groupId(server.sql, 'role:administrators') })
  t.match(await member.post('/user_groups/create', { ...group, name: freshName() }), {
    status: 400,
    body: { code: 'BAD_REQUEST' },
  })
  await makeGroup(await server.person({ role: 200 }))
  await setOrganization(server.sql, { can_create_groups: members })
})

t.test('input that is refused', async t => {
  const maker = await server.person()
  const gone = await server.person()
  await deactivate(server.sql, gone.id)
  const deactivated = await makeGroup(maker)
  await maker.ok('POST', `/user_groups/${deactivated}/deactivate`)
  const [unnamed] = await server.sql<{ id: number }[]>`select id from user_groups where name is null limit 1`
  const nameless = unnamed?.id
  const good = () => ({ name: freshName(), description: '', members: [] as unknown })
  const bad = { code: 'BAD_REQUEST' }
  const missing = (var_name: string) => ({ code: 'REQUEST_VARIABLE_MISSING', var_name })
  const cases: [string, Loose, Loose][] = [
    ['no name', { description: '', members: [] }, missing('name')],
    ['no description', { name: 'x', members: [] }, missing('description')],
    ['no members', { name: 'x', description: '' }, missing('members')],
    ['blank name', { ...good(), name: '  ' }, bad],
    ['long name', { ...good(), name: 'x'.repeat(101) }, bad],
    ...['team*x', '*', 'a**', '@x', 'role:x', 'user:x', 'stream:x', 'channel:x'].map((name): [string, Loose, Loose] => [
      name,
      { ...good(), name },
      bad,
    ]),
    ['a name of a system group', { ...good(), name: 'role:members' }, bad],
    ['a name that nobody can see', { ...good(), name: 'a\u0000b' }, bad],
    ['long description', { ...good(), description: 'x'.repeat(1025) }, bad],
    ['description with a null', { ...good(), description: 'a\u0000' }, bad],
    ['members that are no list', { ...good(), members: 5 }, bad],
    ['addresses as members', { ...good(), members: [maker.email] }, bad],
    ['unknown member', { ...good(), members: [2_000_000_000] }, bad],
    ['deactivated member', { ...good(), members: [gone.id] }, bad],
    ['unknown subgroup', { ...good(), subgroups: [2_000_000_000] }, bad],
    ['deactivated subgroup', { ...good(), subgroups: [deactivated] }, bad],
    ['nameless subgroup', { ...good(), subgroups: [nameless] }, bad],
    ['nameless value', { ...good(), can_join_group: nameless }, bad],
    ['unknown value', { ...good(), can_join_group: 2_000_000_000 }, bad],
    ['deactivated value', { ...good(), can_join_group: deactivated }, bad],
    ['unknown user in a value', { ...good(), can_join_group: only(2_000_000_000) }, bad],
    ['deactivated user in a value', { ...good(), can_join_group: only(gone.id) }, bad],
    ['a value that is a name', { ...good(), can_join_group: 'role:members' }, bad],
    ...['can_add_members_group', 'can_join_group', 'can_manage_group', 'can_remove_members_group'].flatMap(
      (setting): [string, Loose, Loose][] => [
        [`${setting} internet`, { ...good(), [setting]: internet }, bad],
        [`${setting} everyone`, { ...good(), [setting]: everyone }, bad],
        [
          `${setting} everyone and one more`,
          { ...good(), [setting]: { direct_members: [maker.id], direct_subgroups: [everyone] } },
          bad,
        ],
      ],
    ),
    ['can_mention_group internet', { ...good(), can_mention_group: internet }, bad],
    ['can_mention_group owners', { ...good(), can_mention_group: owners }, bad],
    [
      'can_mention_group owners, written out',
      { ...good(), can_mention_group: { direct_members: [], direct_subgroups: [owners] } },
      bad,
    ],
    ['can_leave_group internet', { ...good(), can_leave_group: internet }, bad],
  ]
  const before = (await maker.ok('GET', '/user_groups')).user_groups.length
  for (const [title, params, body] of cases) {
    t.match(await maker.post('/user_groups/create', params), { status: 400, body }, title)
  }
  t.equal((await maker.ok('GET', '/user_groups')).user_groups.length, before, 'nothing was made')
})

t.test('of two requests for one name at once, one makes the group', async t => {
  const maker = await server.person()
  const params = { name: freshName(), description: '', members: [] }
  const answers = await Promise.all([1, 2, 3, 4].map(() => maker.post('/user_groups/create', params)))
  t.strictSame(answers.map(answer => answer.status).sort(), [200, 400, 400, 400])
})

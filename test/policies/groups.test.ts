import fc from 'fast-check'
import t from 'tap'
import { channelGroup, isInGroup, membersOf, realmGroup, settingValue } from '../../server/policies/groups.js'
import { realmSetting } from '../../server/policies/settings.js'
import { Organization } from './organization.js'

const day = 24 * 60 * 60 * 1000

const roles = fc.constantFrom(100, 200, 300, 400, 600)

/** Users, groups that may contain each other, even in cycles, and the groups of roles. */
const organizations = fc
  .record({
    people: fc.array(fc.record({ role: roles, is_active: fc.boolean() }), { minLength: 1, maxLength: 8 }),
    groups: fc.array(
      fc.record({ members: fc.array(fc.nat(9)), subgroups: fc.array(fc.integer({ min: 1, max: 18 })) }),
      { minLength: 1, maxLength: 8 },
    ),
  })
  .map(({ people, groups }) => {
    const organization = new Organization()
    for (const [i, person] of people.entries()) organization.user({ id: i, ...person })
    for (const [i, { members, subgroups }] of groups.entries()) {
      organization.group({ id: 11 + i, members: [...new Set(members)], subgroups: [...new Set(subgroups)] })
    }
    return organization
  })

/** Follows every path from the group; it reads the members of role groups instead of a rule. */
function reaches(organization: Organization, userId: number, groupId: number, path: number[] = []): boolean {
  const { directory } = organization
  const group = directory.groups.get(groupId)
  const user = directory.users.get(userId)
  if (!group || !user?.is_active || path.includes(groupId)) return false
  const least: Record<string, number> = { owners: 100, administrators: 200, moderators: 300, fullmembers: 400 }
  const ofRole = least[group.name?.slice(5) ?? '']
  const direct = group.is_system_group
    ? group.name === 'role:everyone' || (ofRole !== undefined && user.role <= ofRole)
    : group.members.includes(userId)
  return direct || group.subgroups.some(id => reaches(organization, userId, id, [...path, groupId]))
}

t.test('a group contains exactly the users that following every path finds', async () => {
  fc.assert(
    fc.property(organizations, organization => {
      for (const groupId of organization.directory.groups.keys()) {
        const found = membersOf(organization.directory, groupId)
        const wanted = [...organization.directory.users.keys()].filter(id => reaches(organization, id, groupId))
        if (found.join() !== wanted.sort((a, b) => a - b).join()) return false
        for (const id of organization.directory.users.keys()) {
          if (isInGroup(organization.directory, id, groupId) !== wanted.includes(id)) return false
        }
      }
      return true
    }),
    { numRuns: 300 },
  )
})

t.test('groups of roles follow the role, one inside the other', async t => {
  const organization = new Organization()
  const expected: [number, string[]][] = [
    [100, ['internet', 'everyone', 'members', 'fullmembers', 'moderators', 'administrators', 'owners']],
    [200, ['internet', 'everyone', 'members', 'fullmembers', 'moderators', 'administrators']],
    [300, ['internet', 'everyone', 'members', 'fullmembers', 'moderators']],
    [400, ['internet', 'everyone', 'members', 'fullmembers']],
    [600, ['internet', 'everyone']],
  ]
  for (const [role, names] of expected) {
    organization.user({ id: 1, role })
    const all = ['internet', 'everyone', 'members', 'fullmembers', 'moderators', 'administrators', 'owners', 'nobody']
    t.same(
      all.filter(name => isInGroup(organization.directory, 1, organization.system(name))),
      names,
      `role ${role}`,
    )
  }
})

t.test('a spectator is in role:internet alone', async t => {
  const organization = new Organization()
  t.ok(isInGroup(organization.directory, null, organization.system('internet')))
  t.notOk(isInGroup(organization.directory, null, organization.system('everyone')))
})

t.test('a member is a full member when the waiting period is over; moderators do not wait', async t => {
  const organization = new Organization({ waiting_period_threshold: 3 })
  const now = 100 * day
  organization.user({ id: 1, date_joined: new Date(97 * day + 1) })
  organization.user({ id: 2, date_joined: new Date(97 * day) })
  organization.user({ id: 3, date_joined: new Date(now), role: 300 })
  organization.user({ id: 4, date_joined: new Date(0), role: 600 })
  organization.directory.organization.full_members_as_of = new Date(now)
  t.same(membersOf(organization.directory, organization.system('fullmembers')), [2, 3])
})

t.test('deactivated users and the bots of the server itself are in no group', async t => {
  const organization = new Organization()
  organization.user({ id: 1, is_active: false, role: 100 })
  organization.user({ id: 2, is_bot: true, bot_type: 1, is_system_bot: true })
  organization.user({ id: 3, is_bot: true, bot_type: 1 })
  organization.group({ id: 20, members: [1, 2, 3] })
  t.same(membersOf(organization.directory, organization.system('everyone')), [3])
  t.same(membersOf(organization.directory, 20), [3])
  t.notOk(isInGroup(organization.directory, 77, 20), 'nor somebody unknown')
})

t.test('the members of a group are resolved again when the organization has changed', async t => {
  const organization = new Organization()
  organization.user({ id: 1 })
  organization.group({ id: 20, members: [1] })
  t.ok(isInGroup(organization.directory, 1, 20))
  organization.group({ id: 20, members: [] })
  t.notOk(isInGroup(organization.directory, 1, 20))
})

t.test('unchanged settings and permissions have the defaults', async t => {
  const organization = new Organization({ topics_policy: 'disable_empty_topic', can_create_groups: 5 })
  const { directory } = organization
  t.equal(realmSetting(directory, 'topics_policy'), 'disable_empty_topic')
  t.equal(realmSetting(directory, 'message_content_edit_limit_seconds'), 600)
  t.equal(realmGroup(directory, 'can_create_groups'), 5)
  t.equal(realmGroup(directory, 'can_create_public_channel_group'), organization.system('members'))
  const channel = { settings: { can_subscribe_group: 20 } }
  t.equal(channelGroup(directory, channel, 'can_subscribe_group'), 20)
  t.equal(channelGroup(directory, channel, 'can_send_message_group'), organization.system('everyone'))
  t.equal(channelGroup(directory, channel, 'can_administer_channel_group'), organization.system('nobody'))
})

t.test(
  'a nameless group is written out, without the deactivated; one that is a single group is that group',
  async t => {
    const organization = new Organization()
    organization.user({ id: 1 })
    organization.user({ id: 2, is_active: false })
    organization.group({ id: 20 })
    organization.group({ id: 21, name: null, members: [1, 2], subgroups: [20] })
    organization.group({ id: 22, name: null, members: [2], subgroups: [20] })
    t.equal(settingValue(organization.directory, 20), 20)
    t.same(settingValue(organization.directory, 21), { direct_members: [1], direct_subgroups: [20] })
    t.equal(settingValue(organization.directory, 22), 20)
    t.same(settingValue(organization.directory, { direct_members: [1], direct_subgroups: [] }), {
      direct_members: [1],
      direct_subgroups: [],
    })
  },
)

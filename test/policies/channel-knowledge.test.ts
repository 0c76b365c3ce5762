import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Directory } from '../../server/memory/directory.js'
import { audienceAmong } from '../../server/policies/channel-audience.js'
import { type KnowledgeChange, knowledgeChanges } from '../../server/policies/channel-knowledge.js'
import { knowsChannel } from '../../server/policies/channel-permissions.js'
import type { ChannelRow } from '../../server/store/channels/channels.js'
import type { GroupRow } from '../../server/store/groups/groups.js'
import type { UserRow } from '../../server/store/users/users.js'
import { Organization } from './organization.js'

const userIds = [1, 2, 3, 4, 5, 6]
const groupIds = [20, 21, 22]
const channelIds = [1, 2, 3, 4]
const systemGroups = [1, 2, 3, 4, 5, 6, 7, 8]

const role = fc.constantFrom(100, 200, 300, 400, 400, 600, 600)
const user = fc.record({ role, is_active: fc.boolean(), is_system_bot: fc.constantFrom(false, false, false, true) })
const group = fc.record({
  members: fc.uniqueArray(fc.constantFrom(...userIds)),
  // Subgroups come earlier in the list, so that no group contains itself; and system groups.
  subgroups: fc.uniqueArray(fc.constantFrom(20, 21, ...systemGroups), { maxLength: 2 }),
})
const anyGroup = fc.constantFrom(...groupIds, ...systemGroups)
const channel = fc.record({
  invite_only: fc.boolean(),
  is_archived: fc.boolean(),
  settings: fc.record(
    { can_administer_channel_group: anyGroup, can_subscribe_group: anyGroup, can_add_subscribers_group: anyGroup },
    { requiredKeys: [] },
  ),
})

type Fields = {
  users: Partial<UserRow>[]
  groups: Partial<GroupRow>[]
  channels: Partial<ChannelRow>[]
}
const organization: fc.Arbitrary<Fields> = fc.record({
  users: fc.tuple(...userIds.map(() => user)),
  groups: fc.tuple(...groupIds.map(() => group)),
  channels: fc.tuple(...channelIds.map(() => channel)),
})

function build({ users, groups, channels }: Fields): Directory {
  const made = new Organization()
  for (const [i, fields] of users.entries()) made.user({ id: userIds[i] ?? 0, ...fields })
  for (const [i, { members = [], subgroups = [] }] of groups.entries()) {
    const id = groupIds[i] ?? 0
    made.group({ id, name: null, members, subgroups: subgroups.filter(one => one < id) })
  }
  for (const [i, fields] of channels.entries()) made.channel({ id: channelIds[i] ?? 0, ...fields })
  return made.directory
}

/** Replaces the rows at these positions by those of another organization. */
function replaced(
  before: Directory,
  other: Directory,
  places: { users: number[]; groups: number[]; channels: number[] },
) {
  const rows = <Row>(map: ReadonlyMap<number, Row>, ids: number[]) => ids.flatMap(id => map.get(id) ?? [])
  return before.preview({
    users: rows(other.users, places.users),
    groups: rows(other.groups, places.groups),
    channels: rows(other.channels, places.channels),
  })
}

const key = ({ userId, channelId, knows }: KnowledgeChange) => `${userId} ${channelId} ${knows}`

function bruteForce(before: Directory, after: Directory): string[] {
  const changes: KnowledgeChange[] = []
  for (const userId of userIds) {
    for (const channelId of channelIds) {
      const [was, is] = [before.users.get(userId), after.users.get(userId)] as [UserRow, UserRow]
      const told = [was, is].every(one => one.is_active && !one.is_system_bot)
      const knew = knowsChannel(before, was, before.channels.get(channelId) as ChannelRow, false)
      const knows = knowsChannel(after, is, after.channels.get(channelId) as ChannelRow, false)
      if (told && knew !== knows) changes.push({ userId, channelId, knows })
    }
  }
  return changes.map(key).sort()
}

t.test('what is found by looking at what differs is all that there is', async t => {
  const some = (ids: number[]) => fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 2 })
  const places = fc.record({ users: some(userIds), groups: some(groupIds), channels: some(channelIds) })
  let found = 0
  fc.assert(
    fc.property(organization, organization, places, (first, second, where) => {
      const before = build(first)
      const after = replaced(before, build(second), where)
      const changes = knowledgeChanges(before, after).map(key).sort()
      const wanted = bruteForce(before, after)
      found += wanted.length
      return JSON.stringify(changes) === JSON.stringify(wanted)
    }),
    { numRuns: 2000 },
  )
  t.ok(found > 200, `${found} changes`)
})

t.test('if a user or a channel is named, no other rows are read', async t => {
  fc.assert(
    fc.property(
      organization,
      organization,
      fc.constantFrom(...userIds),
      fc.constantFrom(...channelIds),
      (a, b, u, c) => {
        const before = build(a)
        const after = replaced(before, build(b), { users: [u], groups: [], channels: [] })
        const all = knowledgeChanges(before, after).map(key).sort()
        const named = knowledgeChanges(before, after, { userIds: [u] })
          .map(key)
          .sort()
        const one = knowledgeChanges(before, after, { channelIds: [c] })
        return JSON.stringify(all) === JSON.stringify(named) && one.every(change => change.channelId === c)
      },
    ),
    { numRuns: 500 },
  )
  t.pass()
})

t.test("a channel's audience is exactly the users who may see it by the rule", async t => {
  fc.assert(
    fc.property(
      organization,
      fc.uniqueArray(fc.constantFrom(...userIds)),
      fc.constantFrom(false, false, true),
      (fields, ids, isWebPublic) => {
        const directory = build(fields)
        const subscribers = new Set(ids)
        for (const row of directory.channels.values()) {
          const one = { ...row, is_web_public: isWebPublic }
          const expected = userIds.filter(id => {
            const user = directory.users.get(id) as UserRow
            return !user.is_system_bot && knowsChannel(directory, user, one, subscribers.has(id))
          })
          assert.deepEqual(audienceAmong(directory, one, [...subscribers]), expected)
        }
      },
    ),
    { numRuns: 2000 },
  )
  t.pass()
})

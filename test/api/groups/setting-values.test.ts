import fc from 'fast-check'
import t from 'tap'
import { type GroupSettingValue, sameSettingValue } from '../../../shared/resources/group-setting-value.js'
import { Listener } from '../../support/in-step.js'
import { groupId } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { makeGroup, only, peopleOf, readGroup } from './scene.js'

const server = await startServer(t)
const [owner, ...others] = await peopleOf(server)('owner', 'member', 'member', 'guest')
const known = [await groupId(server.sql, 'role:members'), await groupId(server.sql, 'role:moderators')]
const settings = ['can_join_group', 'can_leave_group', 'can_add_members_group'] as const
const groupCount = 3

const values: fc.Arbitrary<GroupSettingValue> = fc.oneof(
  fc.constantFrom(...known),
  fc.record({
    direct_members: fc.subarray(others.map(person => person.id)),
    direct_subgroups: fc.subarray(known),
  }),
)
const requests = fc.record({
  group: fc.nat(groupCount - 1),
  values: fc.dictionary(fc.constantFrom(...settings), values, { minKeys: 1 }),
})

const countNameless = async () => (await server.sql`select from user_groups where name is null`).length

t.test('each setting keeps its own value, whatever others are set to, and sets do not pile up', async t => {
  const ear = await Listener.start(server.ctx, owner)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(requests, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), async rounds => {
      const ids = [await makeGroup(owner), await makeGroup(owner), await makeGroup(owner)]
      const model = ids.map((): Record<string, GroupSettingValue> => ({ can_manage_group: only(owner.id) }))
      for (const round of rounds) {
        // Changes of one group in order, so that the model knows the result; groups in parallel.
        const change = async (group: number) => {
          for (const request of round.filter(one => one.group === group)) {
            const updates = Object.entries(request.values).map(([name, value]) => [name, { new: value }])
            await owner.ok('PATCH', `/user_groups/${ids[group]}`, Object.fromEntries(updates))
            Object.assign(model[group] as object, request.values)
          }
        }
        await Promise.all(ids.map((_, group) => change(group)))
        for (const [group, wanted] of model.entries()) {
          const found = await readGroup(owner, ids[group] as number)
          for (const [name, value] of Object.entries(wanted)) {
            if (!sameSettingValue(found[name], value))
              throw new Error(`${name}: ${JSON.stringify([found[name], value])}`)
          }
        }
      }
    }),
    { numRuns: 15 },
  )
  await ear.inStep(t)
  // All possible sets, the creator's, and those that one request can release.
  t.ok((await countNameless()) <= 2 ** others.length * 4 + 1 + settings.length)
})

t.test('permission values lose users who are deactivated', async t => {
  const [manager, one] = await peopleOf(server)('member', 'member')
  const value = { direct_members: [manager.id, one.id], direct_subgroups: [] }
  const group = await makeGroup(manager, { can_join_group: value, can_leave_group: only(one.id) })
  const ear = await Listener.start(server.ctx, manager)
  await owner.ok('DELETE', `/users/${one.id}`)
  await ear.inStep(t)
  t.match(await readGroup(manager, group), { can_join_group: only(manager.id), can_leave_group: only() })
})

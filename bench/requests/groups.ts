import { asks } from './asks.js'
import { measureRequests } from './bench.js'

/** Measures creating a group of half the organization and changing its members. */
export const groups = (args: string[]): Promise<void> =>
  measureRequests('groups', args, async ({ seeded }) => {
    const owner = await seeded.owner()
    const [group] = await seeded.rows<{ id: number; members: number }>(
      `select group_id as id, count(*)::int as members from user_group_members group by group_id order by members desc limit 1`,
    )
    if (!group) throw new Error('there is no group')
    const members = await seeded.rows<{ id: number }>(
      'select user_id as id from user_group_members where group_id = $1 order by user_id',
      [group.id],
    )
    const outside = await seeded.rows<{ id: number }>(
      `select id from users where is_active and not is_system_bot
        and id not in (select user_id from user_group_members where group_id = $1) order by id limit 200`,
      [group.id],
    )
    const path = `/user_groups/${group.id}/members`
    const change = (name: 'add' | 'delete', id: number) => asks('POST', path, owner, { [name]: JSON.stringify([id]) })
    const floor = { kind: 'bytes' } as const
    return [
      {
        name: `adding to and taking from a group of ${group.members}`,
        requests: outside.flatMap(({ id }) => [change('add', id), change('delete', id)]),
        floor,
      },
      {
        name: `making a group of ${members.length}`,
        requests: [
          asks('POST', '/user_groups/create', owner, {
            name: 'bench {n}',
            description: 'Made to measure.',
            members: JSON.stringify(members.map(({ id }) => id)),
          }),
        ],
        floor,
      },
      {
        name: 'listing all groups',
        requests: [asks('GET', '/user_groups', owner)],
        floor: { kind: 'join' },
      },
    ]
  })

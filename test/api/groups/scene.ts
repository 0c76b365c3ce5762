import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Loose = Record<string, any>

let named = 0

/** A name that no other group of the test's organization has. */
export const freshName = (what = 'group'): string => `${what} ${++named}`

/** Makes a group; by default an empty one that its maker manages. */
export async function makeGroup(maker: Person, params: Loose = {}): Promise<number> {
  const { group_id } = await maker.ok('POST', '/user_groups/create', {
    name: freshName(),
    description: '',
    members: [],
    ...params,
  })
  return group_id
}

/** A group as the list shows it. */
export async function readGroup(reader: Person, groupId: number): Promise<Loose> {
  const { user_groups } = await reader.ok('GET', '/user_groups', { include_deactivated_groups: true })
  return user_groups.find((group: Loose) => group.id === groupId)
}

export const only = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] })

const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

/** Makes one person of each role, in the order in which they are named. */
export const peopleOf =
  (server: TestServer) =>
  async <const Names extends readonly (keyof typeof roles)[]>(...names: Names) => {
    const made: Person[] = []
    for (const name of names) made.push(await server.person({ role: roles[name] }))
    return made as { [Name in keyof Names]: Person }
  }

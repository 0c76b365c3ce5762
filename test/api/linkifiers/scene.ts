import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

export const url_template = 'https://bugs.example/{id}'

let made = 0

/** A prefix that no other linkifier of the test has, and the pattern of its numbers. */
export function freshPattern(): { prefix: string; pattern: string } {
  const prefix = `T${++made}-`
  return { prefix, pattern: `${prefix}(?P<id>[0-9]+)` }
}

export const listed = async (person: Person): Promise<Record<string, unknown>[]> =>
  (await person.ok('GET', '/realm/linkifiers')).linkifiers

/** Removes the linkifiers of other tests. */
export async function clear(server: TestServer): Promise<Person> {
  const admin = await server.person({ role: 200 })
  for (const { id } of await listed(admin)) await admin.ok('DELETE', `/realm/filters/${id}`)
  return admin
}

/** Users who may not change linkifiers. */
export const withoutRights = async (server: TestServer): Promise<Person[]> => [
  await server.person({ role: 300, full_name: 'a moderator' }),
  await server.person({ role: 400, full_name: 'a member' }),
  await server.person({ role: 600, full_name: 'a guest' }),
]

import { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

/** Two servers of one organization as one: each person made talks to the one or the other, in turn. */
export function between(one: TestServer, other: TestServer): TestServer {
  let made = 0
  return {
    ...one,
    async person(options) {
      const { id, email, api_key, full_name } = await one.person(options)
      return new Person((made++ % 2 === 0 ? one : other).url, id, email, api_key, full_name)
    },
  }
}

import { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

/** Several servers of one organization as one: each new user gets the next server. */
export function between(...servers: readonly [TestServer, ...TestServer[]]): TestServer {
  const [one] = servers
  let made = 0
  return {
    ...one,
    async person(options) {
      const { id, email, api_key, full_name } = await one.person(options)
      return new Person(id, email, api_key, { url: (servers[made++ % servers.length] ?? one).url, full_name })
    },
  }
}

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Account } from './load-protocol.js'
import type { RealServer } from './real-server.js'

// Subscribers per request: a list of thousands exceeds the server's limit.
const subscribedTogether = 500

// A worker answers from its memory for less than this time (in ms) before it asks the database whether the directory has changed.
const longestLeaseMs = 100

export interface Audience {
  readonly sender: Account
  readonly subscribers: readonly Account[]
  readonly channelId: number
}

/**
 * An owner, who sends, and a channel with this many subscribers. The accounts are inserted into the database, because
 * creating thousands by the API is not part of the measurement; everything else uses the API.
 */
export async function makeAudience(server: RealServer, count: number): Promise<Audience> {
  const [sender, ...subscribers] = await makeAccounts(server, count + 1)
  if (!sender) throw new Error('the organization has no users')
  return { sender, subscribers, channelId: await makeChannel(server, sender, 'measurement', subscribers) }
}

/** A public channel with these subscribers. */
export async function makeChannel(
  server: RealServer,
  owner: Account,
  name: string,
  subscribers: readonly Account[],
): Promise<number> {
  for (let start = 0; start < subscribers.length; start += subscribedTogether) {
    const together = subscribers.slice(start, start + subscribedTogether)
    const principals = together.map(({ id }) => id)
    await server.api.call(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
  }
  const { stream_id } = await server.api.call(owner, 'GET', '/get_stream_id', { stream: name })
  return stream_id as number
}

/** The first account is an owner. */
export async function makeAccounts(server: RealServer, count: number): Promise<Account[]> {
  const people = Array.from({ length: count }, (_, i) => ({
    delivery_email: `bench${i}@bench.example`,
    full_name: `Bench ${i}`,
    role: i === 0 ? 100 : 400,
    api_key: randomBytes(16).toString('hex'),
  }))
  const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
  try {
    const rows = await sql.begin(async tx => {
      // Workers read the changed rows when this number changes.
      const [{ version }] = (await tx`update organization set version = version + 1 returning version`) as [
        { version: string },
      ]
      return tx<{ id: number; delivery_email: string; api_key: string }[]>`
        insert into users (delivery_email, full_name, role, api_key, version)
        select p.delivery_email, p.full_name, p.role, p.api_key, ${version}::bigint
        from jsonb_to_recordset(${tx.json(people)}) as p (delivery_email text, full_name text, role smallint, api_key text)
        returning id, delivery_email, api_key`
    })
    await sleep(longestLeaseMs)
    const byEmail = new Map(rows.map(row => [row.delivery_email, row]))
    return people.map(({ delivery_email: email, api_key }) => ({
      id: byEmail.get(email)?.id as number,
      email,
      api_key,
    }))
  } finally {
    await sql.end()
  }
}

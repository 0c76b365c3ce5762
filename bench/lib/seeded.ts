import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Account } from './load-protocol.js'
import { RealServer } from './real-server.js'
import type { Undo } from './undo.js'

const admin = fileURLToPath(new URL('../../server/admin/main.js', import.meta.url))

/** Sizes of the organization. */
interface Seed {
  readonly users: number
  readonly channels: number
  readonly messages: number
}

/** A server with a large organization, and access to its database to choose the requests. */
export class SeededServer {
  private constructor(
    readonly server: RealServer,
    private readonly sql: postgres.Sql,
  ) {}

  static async start(undo: Undo, { workers, ...size }: Seed & { readonly workers: number }): Promise<SeededServer> {
    const server = await RealServer.started(undo, { WORKERS: String(workers) })
    const databaseUrl = server.setting('DATABASE_URL')
    await seed(databaseUrl, size)
    const sql = postgres(databaseUrl, { max: 2, connection: { search_path: 'parley' } })
    undo.push(() => sql.end())
    // Autovacuum would do the same within a minute, at an unpredictable time.
    await sql.unsafe('vacuum analyze')
    return new SeededServer(server, sql)
  }

  /** Rows of a query. */
  async rows<Row extends object>(text: string, values: readonly (number | string)[] = []): Promise<Row[]> {
    return (await this.sql.unsafe(text, values as never[])) as unknown as Row[]
  }

  /** Active users of a role (default: members) with a visible email; those with most or fewest channels first. */
  people(count: number, role = 400, first: 'most' | 'fewest' = 'most'): Promise<Account[]> {
    return this.rows<Account>(
      `select id, delivery_email as email, api_key from users
        where is_active and not is_bot and role = $1 and email_address_visibility = 1
        order by (select count(*) from subscriptions where user_id = users.id) ${first === 'most' ? 'desc' : 'asc'}, id limit $2`,
      [role, count],
    )
  }

  async owner(): Promise<Account> {
    const [owner] = await this.people(1, 100)
    if (!owner) throw new Error('there is no owner')
    return owner
  }
}

/** Fills the database of an empty organization. @throws if seeding fails */
export async function seed(databaseUrl: string, { users, channels, messages }: Seed): Promise<void> {
  const sizes = ['--users', users, '--channels', channels, '--messages', messages].map(String)
  const child = spawn(process.execPath, [admin, 'seed', ...sizes], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`seeding ended with ${code}`)
}

import postgres from 'postgres'

export interface DatabaseSizes {
  readonly bytes: number
  readonly connections: number
  readonly outbox: number
  readonly messages: number
}

/** Reads figures from the server's PostgreSQL over a separate connection. */
export class DatabaseLook {
  private readonly sql: postgres.Sql

  constructor(url: string) {
    this.sql = postgres(url, { max: 1, connection: { search_path: 'parley' } })
  }

  async sizes(): Promise<DatabaseSizes> {
    const [row] = await this.sql<[DatabaseSizes]>`
      select pg_database_size(current_database())::float8 as bytes,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
        (select count(*)::int from outbox) as outbox,
        (select count(*)::int from messages) as messages`
    return row
  }

  async stop(): Promise<void> {
    await this.sql.end()
  }
}

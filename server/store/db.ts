import postgres from 'postgres'

/** A pool of connections. */
export type Sql = postgres.Sql<{ bigint: number }>
/** One transaction. */
export type Tx = postgres.TransactionSql<{ bigint: number }>
/** Either: what store functions take, so that they work inside and outside a transaction. */
export type ISql = postgres.ISql<{ bigint: number }>

/** Opens a pool on one schema. All bigints of ours are below 2^53 and come back as numbers. */
export function openDatabase(url: string, schema: string, connections: number): Sql {
  return postgres(url, {
    max: connections,
    idle_timeout: 0,
    max_lifetime: null,
    connection: { application_name: 'parley', search_path: schema },
    onnotice: () => {},
    types: {
      bigint: { to: 20, from: [20], serialize: (n: number) => String(n), parse: (text: string) => Number(text) },
    },
  })
}

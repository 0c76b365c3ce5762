import type postgres from 'postgres'

/** A pool of connections. */
export type Sql = postgres.Sql<{ bigint: number }>
/** One transaction. */
export type Tx = postgres.TransactionSql<{ bigint: number }>
/** A pool or a transaction: the parameter type of store functions that work inside and outside a transaction. */
export type ISql = postgres.ISql<{ bigint: number }>
/** A part of a statement. */
export type Part = postgres.PendingQuery<postgres.Row[]>
/** A statement of the driver: it runs when it is awaited, or becomes part of another one, which other promises cannot. */
export type Query<Row extends object> = Promise<Row[]> & Pick<Part, 'readable'>

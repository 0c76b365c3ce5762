import type { ISql } from './db.js'

/** A value for a column of JSON. The cast: the driver's type of JSON has no room for interfaces and readonly lists. */
export const asJson = (sql: ISql, value: unknown): ReturnType<ISql['json']> => sql.json(value as never)

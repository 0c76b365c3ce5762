import type postgres from 'postgres'
import type { ISql } from './db.js'

/** Parts of a `with` statement, separated by commas; `parts` is not empty. */
export const joinParts = (sql: ISql, parts: readonly postgres.Fragment[]): postgres.Fragment =>
  parts.reduce((all, part) => sql`${all}, ${part}`)

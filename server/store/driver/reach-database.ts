import { setTimeout as sleep } from 'node:timers/promises'
import { databaseFailure } from '../../failures/database-failure.js'
import { NotYetError, StartError } from '../../failures/start-error.js'
import { type Patience, waitUntilReached } from '../../failures/wait-until-reached.js'
import type { Sql } from './db.js'
import { type DatabaseAddress, openDatabase } from './open-database.js'

// A server that accepts the connection and says nothing would hold an attempt without end.
const attemptMs = 5_000
const oldestVersion = 15

interface Facts {
  readonly version: string
  readonly version_number: number
  readonly encoding: string
  readonly is_standby: boolean
  readonly has_schema: boolean
  readonly may_create_schema: boolean
  readonly may_use_schema: boolean
}

/**
 * Waits until the PostgreSQL of DATABASE_URL answers, and checks that the server can use it.
 * @throws {StartError} which names the setting and what is wrong
 */
export async function reachDatabase(at: DatabaseAddress, schema: string, patience: Patience): Promise<void> {
  await waitUntilReached('PostgreSQL', () => attempt(at, schema), patience)
}

async function attempt(at: DatabaseAddress, schema: string): Promise<void> {
  const sql = openDatabase(at, schema, 1)
  const silence = new AbortController()
  const late = sleep(attemptMs, undefined, silence).then(() => {
    throw new NotYetError(`DATABASE_URL: ${placeOf(sql)} does not answer.`)
  })
  try {
    check(await Promise.race([readFacts(sql, schema), late]), sql, schema)
  } catch (error) {
    throw error instanceof StartError ? error : reasonOf(error, sql)
  } finally {
    silence.abort()
    late.catch(() => undefined)
    await sql.end({ timeout: 0 })
  }
}

async function readFacts(sql: Sql, schema: string): Promise<Facts> {
  const [facts] = await sql<[Facts]>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::int as version_number,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as is_standby,
      n.oid is not null as has_schema,
      has_database_privilege(current_database(), 'create') as may_create_schema,
      coalesce(has_schema_privilege(n.oid, 'create') and has_schema_privilege(n.oid, 'usage'), false) as may_use_schema
    from (values (1)) one left join pg_namespace n on n.nspname = ${schema}`
  return facts
}

function check(facts: Facts, sql: Sql, schema: string): void {
  const { database, user } = sql.options
  const place = placeOf(sql)
  if (Math.floor(facts.version_number / 10_000) < oldestVersion)
    throw new StartError(`DATABASE_URL: ${place} is version ${facts.version}: ${oldestVersion} or newer is needed.`)
  if (facts.encoding !== 'UTF8')
    throw new StartError(
      `DATABASE_URL: the database "${database}" has the encoding ${facts.encoding}: create it with encoding UTF8.`,
    )
  if (facts.is_standby) throw new NotYetError(`DATABASE_URL: ${place} is a standby, which accepts no changes.`)
  if (facts.has_schema && !facts.may_use_schema)
    throw new StartError(
      `DATABASE_URL: the role "${user}" may not use the schema "${schema}" of the database "${database}": make it the owner of the schema and of all in it.`,
    )
  if (!facts.may_create_schema)
    throw new StartError(
      `DATABASE_URL: the role "${user}" may not create the schema "${schema}": run grant create on database "${database}" to "${user}".`,
    )
}

function reasonOf(error: unknown, sql: Sql): StartError {
  const { code, message } = error as { code?: unknown; message: string }
  const { database, user, host } = sql.options
  const place = placeOf(sql)
  if (code === '28P01') return new StartError(`DATABASE_URL: ${place} rejects the password of the role "${user}".`)
  if (code === '3D000') return new StartError(`DATABASE_URL: ${place} has no database "${database}".`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new NotYetError(`DATABASE_URL: the host "${host[0]}" is not known (${code}).`)
  if (databaseFailure(error)) return new NotYetError(`DATABASE_URL: ${place} does not answer: ${message}.`)
  return new StartError(`DATABASE_URL: ${place} refuses a connection of the role "${user}": ${message}.`)
}

/** Never the whole address, which contains the password. */
function placeOf({ options: { host, port, path } }: Sql): string {
  return `PostgreSQL at ${path || `${host[0]}:${port[0]}`}`
}

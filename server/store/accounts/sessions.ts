import { createHash } from 'node:crypto'
import type { ISql, Tx } from '../driver/db.js'

/** What is stored of a session when it begins. */
interface NewSession {
  readonly user_id: number
  readonly method: string
  readonly device: string
  readonly address: string
}

/** A session as its user sees it. */
interface SessionRow extends Omit<NewSession, 'user_id'> {
  readonly id: number
  readonly created: Date
  readonly last_used: Date
}

type SessionBeginning = Pick<SessionRow, 'method' | 'created'>

export interface FoundSession {
  readonly id: number
  readonly user_id: number
  /** This look has noted the use, so the browser may keep its cookie for another two weeks. */
  readonly is_renewed: boolean
}

/** Ms without use after which a session has expired. */
export const sessionLifeMs = 14 * 86_400_000
// Ms. A use is written at most this often.
const renewalMs = 600_000
// A browser that loses its cookies makes a session at each sign-in; the account's oldest ones then end.
const mostSessions = 100

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const expiry = (now: Date): Date => new Date(now.getTime() - sessionLifeMs)

interface NewToken {
  readonly now: Date
  /** The organization's version when the sign-in began. */
  readonly since: number
  /** Ms; default: that of a session in use. */
  readonly lifeMs?: number
}

/**
 * Begins a session of the token, of which only a digest is stored, because a reader of the table could use it. False: the account is not
 * active, or its sessions were ended since the sign-in began, by a new password for example; a transaction that does so is waited for.
 */
export async function insertSession(
  sql: ISql,
  token: string,
  { user_id, method, device, address }: NewSession,
  { now, since, lifeMs = sessionLifeMs }: NewToken,
): Promise<boolean> {
  const lastUsed = new Date(now.getTime() - sessionLifeMs + lifeMs)
  const rows = await sql`
    with dropped as (
      delete from sessions where id in (
        select id from sessions where user_id = ${user_id} order by last_used desc, id desc offset ${mostSessions - 1}
      )
    ), active as (
      select id from users where id = ${user_id} and is_active and sessions_ended <= ${since}::bigint for share
    )
    insert into sessions (user_id, token_hash, created, last_used, method, device, address)
    select id, ${digestOf(token)}, ${now}, ${lastUsed}, ${method}, ${device}, ${address} from active
    returning id`
  return rows.length > 0
}

/** Ends the session of the token, which has not expired. @returns its account and how it began; undefined: there is none */
export async function takeSession(
  sql: ISql,
  token: string,
  now: Date,
): Promise<Pick<NewSession, 'user_id' | 'method'> | undefined> {
  const [row] = await sql<Pick<NewSession, 'user_id' | 'method'>[]>`
    delete from sessions where token_hash = ${digestOf(token)} and last_used > ${expiry(now)} returning user_id, method`
  return row
}

/** The sessions of these tokens that have not expired, by token. Notes their use. */
export async function findSessions(
  sql: ISql,
  tokens: readonly string[],
  now: Date,
): Promise<Map<string, FoundSession>> {
  const byDigest = new Map(tokens.map(token => [digestOf(token).toString('hex'), token]))
  const rows = await sql<(FoundSession & { digest: string })[]>`
    with found as (
      select id, user_id, last_used, encode(token_hash, 'hex') as digest from sessions
      where token_hash = any(array(select decode(digest, 'hex') from unnest(${[...byDigest.keys()]}::text[]) as digest))
        and last_used > ${expiry(now)}
    ), renewed as (
      update sessions set last_used = ${now} from found
      where sessions.id = found.id and found.last_used < ${new Date(now.getTime() - renewalMs)} returning sessions.id
    )
    select id, user_id, digest, id in (select id from renewed) as is_renewed from found`
  return new Map(rows.map(({ digest, ...found }) => [byDigest.get(digest) as string, found]))
}

/** Those of these sessions that have neither ended nor expired. Notes their use. */
export async function sessionsLeft(sql: ISql, ids: readonly number[], now: Date): Promise<ReadonlySet<number>> {
  const rows = await sql<{ id: number }[]>`
    with renewed as (
      update sessions set last_used = ${now}
      where id = any(${ids as number[]}::int[]) and last_used < ${new Date(now.getTime() - renewalMs)} and last_used > ${expiry(now)}
    )
    select id from sessions where id = any(${ids as number[]}::int[]) and last_used > ${expiry(now)}`
  return new Set(rows.map(({ id }) => id))
}

/** The user's sessions that have not expired, the one that was used last first. */
export function sessionsOf(sql: ISql, userId: number, now: Date): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select id, created, last_used, method, device, address from sessions
    where user_id = ${userId} and last_used > ${expiry(now)} order by last_used desc, id desc`
}

/** Ends the user's session, or tells that there is none: false. */
export async function deleteSession(tx: Tx, userId: number, id: number): Promise<boolean> {
  const rows = await tx`delete from sessions where user_id = ${userId} and id = ${id} returning id`
  return rows.length > 0
}

/**
 * Ends all sessions of the users, except the one with the id `except`, and sign-ins that are under way. `version`: the new one of the
 * organization. @returns whether there were sessions
 */
export async function deleteSessionsOf(
  tx: Tx,
  userIds: readonly number[],
  version: number,
  except?: number,
): Promise<boolean> {
  const rows = await tx`
    with marked as (update users set sessions_ended = ${version} where id = any(${userIds as number[]}::int[]))
    delete from sessions where user_id = any(${userIds as number[]}::int[]) and id is distinct from ${except ?? null}
    returning id`
  return rows.length > 0
}

/** Deletes some of the expired sessions; returns how many. */
export async function pruneSessions(sql: ISql, now: Date): Promise<number> {
  const rows = await sql`
    delete from sessions where id in (select id from sessions where last_used <= ${expiry(now)} limit 1000) returning id`
  return rows.length
}

/** How and when the user's session began; undefined: there is no such session of the user's. */
export async function beginningOf(sql: ISql, userId: number, id: number): Promise<SessionBeginning | undefined> {
  const [row] = await sql<SessionBeginning[]>`
    select method, created from sessions where user_id = ${userId} and id = ${id}`
  return row
}

import { randomBytes } from 'node:crypto'
import { ApiError } from '../../shared/errors.js'
import { SharedQuestion } from '../concurrency/shared-question.js'
import { isHttps } from '../config/addresses.js'
import type { Ctx } from '../ctx.js'
import { logFailure } from '../failures/log-failure.js'
import type { KnownSession } from '../memory/accepted-sessions.js'
import { type FoundSession, findSessions, insertSession, sessionsLeft } from '../store/accounts/sessions.js'
import type { UserRow } from '../store/users/users.js'
import type { CredentialSource } from './api-key.js'
import { deviceName } from './device-name.js'
import { authenticationFailed } from './require-active.js'
import { sessionCookies, tokenPattern } from './session-cookie.js'

// Ms for which a worker does not ask for a session whose account has not changed. Uses are written as often.
const checkMs = 600_000

/** Where a session begins. */
interface SignInPlace {
  /** As in `session-methods.ts`. */
  readonly method: string
  readonly address: string
  readonly userAgent: string
  /** The organization's version when the sign-in began: what ended the sessions of the account since then refuses it. */
  readonly since: number
}

/**
 * Begins a session of an account that has just proved who it is. Its cookie is a new random value, whatever the browser brought along.
 * @returns values of Set-Cookie
 * @throws {ApiError} AUTHENTICATION_FAILED if the account was deactivated, or its sessions were ended, meanwhile
 */
export async function beginSession(
  { sql, clock, publicUrl }: Pick<Ctx, 'sql' | 'clock' | 'publicUrl'>,
  { id: user_id }: Pick<UserRow, 'id'>,
  { method, address, userAgent, since }: SignInPlace,
): Promise<readonly string[]> {
  const token = randomBytes(32).toString('base64url')
  const session = { user_id, method, device: deviceName(userAgent), address }
  if (!(await insertSession(sql, token, session, { now: new Date(clock.now()), since }))) throw authenticationFailed()
  return sessionCookies(token, isHttps({ publicUrl }))
}

/** What a session holds open: a socket, or a poll that waits. */
interface Held {
  readonly session: KnownSession
  /** The session has ended. */
  end(): void
}

/** What finding a session tells beside the account. */
interface SessionSource extends CredentialSource {
  /** The use was noted, so the browser may keep its cookie for another two weeks. */
  renewed?(): void
}

/** Finds the caller by the cookie of a page (docs/security.md#sessions). */
export class Sessions {
  private readonly held = new Map<number, Set<Held>>()
  private readonly question: SharedQuestion<string, FoundSession>

  constructor(private readonly ctx: Pick<Ctx, 'directory' | 'memory' | 'sql' | 'clock' | 'log'>) {
    this.question = new SharedQuestion(tokens => findSessions(ctx.sql, tokens, new Date(ctx.clock.now())))
  }

  /**
   * The session of a cookie; a promise only where the table has to be asked.
   * @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT
   */
  find(token: string, source: SessionSource): KnownSession | Promise<KnownSession> {
    const known = this.ctx.memory.acceptedSessions.find(token, this.ctx.clock.now())
    if (known) return known
    source.admit()
    if (!tokenPattern.test(token)) throw ended()
    return this.ask(token, source)
  }

  /**
   * The account of a session, for requests that may not read the account again: refuses also a session that another worker has just ended.
   * @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT
   */
  async findFresh(token: string, source: SessionSource): Promise<UserRow> {
    await this.ctx.directory.fresh()
    return (await this.find(token, source)).user
  }

  private async ask(token: string, source: SessionSource): Promise<KnownSession> {
    const { directory, memory, clock } = this.ctx
    const { version } = directory
    const found = await this.question.of(token)
    // The account may be a moment old.
    if (found) await directory.fresh()
    const user = found && directory.users.get(found.user_id)
    if (!found || !user?.is_active || !directory.organization.is_active) {
      memory.acceptedSessions.forget(token)
      throw ended()
    }
    if (found.is_renewed) source.renewed?.()
    // The account may have changed after the look, and the session have ended with it.
    if (user.version > version) return this.ask(token, source)
    source.succeeded()
    return memory.acceptedSessions.keep(token, { id: found.id, user, checkAt: clock.now() + checkMs, isEnded: false })
  }

  /**
   * The present account of a session that was found before. If its account has changed, the table is asked, and the session's sockets are
   * closed if it has ended.
   * @throws {ApiError} UNAUTHORIZED
   */
  current(session: KnownSession): UserRow {
    const { directory, memory, clock } = this.ctx
    const user = directory.users.get(session.user.id)
    if (session.isEnded || !user?.is_active || !directory.organization.is_active) throw ended()
    if (!memory.acceptedSessions.isCurrent(session, clock.now())) {
      session.user = user
      session.checkAt = clock.now() + checkMs
      void this.check([session])
    }
    return user
  }

  /** Something that ends with the session. Returns a function that takes it back. */
  hold(session: KnownSession, end: () => void): () => void {
    const { id } = session.user
    const held = { session, end }
    const ofUser = this.held.get(id) ?? new Set()
    this.held.set(id, ofUser.add(held))
    return () => {
      ofUser.delete(held)
      if (ofUser.size === 0 && this.held.get(id) === ofUser) this.held.delete(id)
    }
  }

  /** Some sessions of the user have ended, perhaps at another worker: what they hold is closed. */
  async recheck(userId: number): Promise<void> {
    const sessions = new Set([...(this.held.get(userId) ?? [])].map(({ session }) => session))
    if (sessions.size > 0) await this.check([...sessions])
  }

  /** All sessions have ended. */
  closeAll(): void {
    for (const ofUser of [...this.held.values()]) for (const { session } of [...ofUser]) this.close(session)
  }

  private async check(sessions: readonly KnownSession[]): Promise<void> {
    const { sql, clock } = this.ctx
    try {
      const ids = sessions.map(({ id }) => id)
      const left = await sessionsLeft(sql, ids, new Date(clock.now()))
      for (const session of sessions) if (!left.has(session.id)) this.close(session)
    } catch (error) {
      // Whether they have ended is not known: their clients connect again, and are found then.
      logFailure(this.ctx, error, 'sessions could not be looked up')
      for (const session of sessions) this.close(session)
    }
  }

  private close(session: KnownSession): void {
    session.isEnded = true
    for (const held of [...(this.held.get(session.user.id) ?? [])]) if (held.session === session) held.end()
  }
}

const ended = () => new ApiError('UNAUTHORIZED', 'The session has ended: sign in again.')

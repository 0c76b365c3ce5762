import { ApiError } from '../../shared/errors.js'
import type { CredentialSource } from '../auth/api-key.js'
import type { PipelineDeps } from '../http/run.js'
import type { KnownSession } from '../memory/accepted-sessions.js'
import { requireSpectatorAccess } from '../policies/spectators.js'
import type { UserRow } from '../store/users/users.js'

export interface Credentials {
  readonly email?: string | null
  readonly api_key?: string | null
}

/** The caller on a socket. */
export class SocketCaller {
  /** Undefined: not authenticated yet. Null: a spectator. */
  private user: UserRow | null | undefined
  /** Undefined: credentials authenticated the caller. */
  private session: KnownSession | undefined

  constructor(
    private readonly deps: Pick<PipelineDeps, 'ctx' | 'keys' | 'sessions'>,
    readonly client: string,
    private readonly source: CredentialSource,
  ) {}

  /** Undefined: not authenticated yet. Null: a spectator. */
  get userId(): number | null | undefined {
    return this.user ? this.user.id : (this.user as null | undefined)
  }

  /** @throws {ApiError} UNAUTHORIZED or RATE_LIMIT_HIT, synchronously or later */
  async identify(credentials: string | Credentials): Promise<void> {
    const found = this.find(credentials)
    // Does not await if the directory knows the key, so that frames behind this one need not wait.
    this.user = found instanceof Promise ? await found : found
  }

  /** A session that was found; its end closes the socket. */
  identifyBy(session: KnownSession): void {
    this.session = session
    this.user = session.user
  }

  get sessionId(): number | undefined {
    return this.session?.id
  }

  private find(credentials: string | Credentials): UserRow | null | Promise<UserRow> {
    const { keys } = this.deps
    if (typeof credentials === 'string') return keys.fromHeader(credentials, this.source)
    const { email, api_key } = credentials
    if (email != null || api_key != null) return keys.find(email ?? '', api_key ?? '', this.source)
    this.source.admit()
    this.requireAccess()
    this.source.succeeded()
    return null
  }

  /**
   * The present account; null for a spectator.
   * @throws {ApiError} UNAUTHORIZED if the key was revoked or the session has ended, the account deactivated, or spectators are no longer admitted.
   */
  present(): UserRow | null {
    if (this.user) {
      const { keys, sessions } = this.deps
      this.user = this.session ? sessions.current(this.session) : keys.current(this.user)
      return this.user
    }
    this.requireAccess()
    return null
  }

  private requireAccess(): void {
    const { directory } = this.deps.ctx
    if (!directory.organization.is_active) throw new ApiError('UNAUTHORIZED', 'The organization is deactivated.')
    requireSpectatorAccess(directory, null)
  }
}

import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../shared/errors.js'
import type { Ctx } from '../ctx.js'
import type { UserRow } from '../store/users/users.js'
import { requireActiveAccount, requireActiveOrganization } from './require-active.js'

// Another worker may have created an unknown key a moment ago, so an unknown key refreshes the directory: at most ten times a second,
// however many wrong keys arrive.
const refreshGapMs = 100
const keyLength = 32

/** The source of credentials that have not been checked yet. */
export interface CredentialSource {
  /** Runs before the credentials are checked. @throws {ApiError} RATE_LIMIT_HIT after too many recent failures from this source. */
  admit(): void
  /** Reports that the credentials were right. */
  succeeded(): void
}

/** Finds the caller by email and API key (docs/protocol/conventions.md#authentication). */
export class ApiKeys {
  private lastRefresh = Number.NEGATIVE_INFINITY
  private nextRefresh: Promise<void> | undefined

  constructor(private readonly ctx: Pick<Ctx, 'directory' | 'memory' | 'realmHost'>) {}

  /**
   * The account that an Authorization header names; a promise only where the directory has to be refreshed.
   * @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT
   */
  fromHeader(header: string, source: CredentialSource): UserRow | Promise<UserRow> {
    const before = this.accountOf(header)
    if (before) return before
    source.admit()
    const { email, key } = decodeBasic(header)
    const found = this.lookUp(email, key)
    if (!found) return this.findFresh(email, key, source)
    source.succeeded()
    this.ctx.memory.acceptedHeaders.keep(header, found)
    return found
  }

  /** The account that an Authorization header named before, unless its row or the organization has changed. */
  accountOf(header: string): UserRow | undefined {
    return this.ctx.memory.acceptedHeaders.find(header)
  }

  /** @throws {ApiError} UNAUTHORIZED, RATE_LIMIT_HIT */
  find(email: string, key: string, source: CredentialSource): UserRow | Promise<UserRow> {
    source.admit()
    const found = this.lookUp(email, key)
    if (!found) return this.findFresh(email, key, source)
    source.succeeded()
    return found
  }

  /**
   * The account of a key that comes without an address.
   * @throws {ApiError} INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED, RATE_LIMIT_HIT
   */
  async ofKey(key: string, source: CredentialSource): Promise<UserRow> {
    const { directory } = this.ctx
    source.admit()
    if (key.length === keyLength && !directory.usersByApiKey.has(key)) await this.refresh()
    const user = directory.usersByApiKey.get(key)
    if (!user || !isSame(user.api_key, key)) throw new ApiError('INVALID_API_KEY', 'Invalid API key')
    return this.accepted(user, source)
  }

  /**
   * The bot that a request names, which is signed with its key.
   * @throws {ApiError} INVALID_API_KEY, USER_DEACTIVATED, REALM_DEACTIVATED, RATE_LIMIT_HIT
   */
  async ofSignature(botId: number, isSignedWith: (key: string) => boolean, source: CredentialSource): Promise<UserRow> {
    const { users } = this.ctx.directory
    source.admit()
    const signer = () => {
      const user = users.get(botId)
      return user?.is_bot && isSignedWith(user.api_key) ? user : undefined
    }
    let user = signer()
    if (!user) {
      // Its key may be a new one.
      await this.refresh()
      user = signer()
    }
    if (!user) throw new ApiError('INVALID_API_KEY', 'The signature is none of this bot.')
    return this.accepted(user, source)
  }

  private accepted(user: UserRow, source: CredentialSource): UserRow {
    source.succeeded()
    requireActiveAccount(user)
    requireActiveOrganization(this.ctx.directory)
    return user
  }

  /**
   * The present row of an account that was accepted before.
   * @throws {ApiError} UNAUTHORIZED if its key was regenerated, or the account or the organization was deactivated.
   */
  current(before: UserRow): UserRow {
    const { directory } = this.ctx
    const user = directory.users.get(before.id)
    if (!user?.is_active || user.api_key !== before.api_key || !directory.organization.is_active) {
      throw unauthorized('The key was revoked or the account deactivated.')
    }
    return user
  }

  private async findFresh(email: string, key: string, source: CredentialSource): Promise<UserRow> {
    if (key.length === keyLength) await this.refresh()
    const user = this.lookUp(email, key)
    if (!user) throw unauthorized()
    source.succeeded()
    return user
  }

  private lookUp(email: string, key: string): UserRow | undefined {
    const { directory, realmHost } = this.ctx
    const user = directory.usersByApiKey.get(key)
    if (!user?.is_active || !directory.organization.is_active || !isSame(user.api_key, key)) return undefined
    const given = email.toLowerCase()
    return given === user.delivery_email.toLowerCase() || given === `user${user.id}@${realmHost.toLowerCase()}`
      ? user
      : undefined
  }

  private refresh(): Promise<void> {
    this.nextRefresh ??= this.wait().then(() => {
      this.nextRefresh = undefined
      this.lastRefresh = performance.now()
      return this.ctx.directory.fresh()
    })
    return this.nextRefresh
  }

  private async wait(): Promise<void> {
    const rest = this.lastRefresh + refreshGapMs - performance.now()
    if (rest > 0) await new Promise(resolve => setTimeout(resolve, rest))
  }
}

function decodeBasic(header: string): { email: string; key: string } {
  if (header.slice(0, 6).toLowerCase() !== 'basic ')
    throw unauthorized('This endpoint requires HTTP Basic authentication.')
  const text = Buffer.from(header.slice(6), 'base64').toString('utf8')
  const colon = text.lastIndexOf(':')
  if (colon < 0) throw unauthorized('Invalid authorization header for Basic authentication.')
  return { email: text.slice(0, colon), key: text.slice(colon + 1) }
}

/** Compares in constant time. */
function isSame(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
}

const unauthorized = (message = 'Invalid API key') => new ApiError('UNAUTHORIZED', message)

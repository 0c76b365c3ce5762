import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../shared/errors.js'
import { administrators } from '../access/allow.js'
import type { Visitor } from '../access/api-key.js'
import type { Operations } from './dispatch.js'

/**
 * Who may see figures: administrators and owners by their API key, and for `/metrics` alone whoever has METRICS_TOKEN. Where a
 * request comes from counts for nothing: behind a proxy on this machine everybody comes from this machine.
 */
export class MonitorGate {
  readonly #operations: Pick<Operations, 'ctx' | 'keys'>
  readonly #token: Buffer | undefined

  constructor(operations: Pick<Operations, 'ctx' | 'keys'>) {
    this.#operations = operations
    const { metricsToken } = operations.ctx.config
    this.#token = metricsToken === undefined ? undefined : digest(metricsToken)
  }

  /** @throws {ApiError} UNAUTHORIZED, UNAUTHORIZED_PRINCIPAL; RATE_LIMIT_HIT after too many wrong ones */
  async admitToMetrics(authorization: string, visitor: Visitor): Promise<void> {
    if (!/^bearer /i.test(authorization)) return this.admitAdministrator(authorization, visitor)
    visitor.admit()
    const given = digest(authorization.slice('bearer '.length).trim())
    // Digests are of one length, whatever was given: comparing them tells nothing of the token.
    if (!this.#token || !timingSafeEqual(given, this.#token)) throw unauthorized('The token is wrong.')
    visitor.succeeded()
  }

  /** @throws {ApiError} UNAUTHORIZED, UNAUTHORIZED_PRINCIPAL; RATE_LIMIT_HIT after too many wrong ones */
  async admitAdministrator(authorization: string, visitor: Visitor): Promise<void> {
    if (authorization === '') throw unauthorized('Not logged in: API authentication is required.')
    const user = await this.#operations.keys.fromHeader(authorization, visitor)
    administrators({ user, client: '' })
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const unauthorized = (message: string) => new ApiError('UNAUTHORIZED', message)

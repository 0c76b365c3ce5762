import { createHash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../shared/errors.js'
import type { CredentialSource } from '../auth/api-key.js'
import { sessionTokenIn } from '../auth/session-cookie.js'
import { isHttps } from '../config/addresses.js'
import { administrators } from '../policies/allow.js'
import { admit, requireOpen } from './admission.js'
import type { PipelineDeps } from './run.js'

const metrics = { method: 'GET', path: '/metrics', allow: administrators } as const

/**
 * Authorizes readers of metrics: administrators and owners by API key, for `/status/data` also by the session of a page, and for `/metrics`
 * also holders of METRICS_TOKEN. The client address does not count: behind a proxy on this machine every request comes from this machine.
 */
export class MonitorGate {
  private readonly token: Buffer | undefined

  constructor(private readonly deps: Pick<PipelineDeps, 'ctx' | 'keys' | 'sessions'>) {
    const { metricsToken } = deps.ctx.config
    this.token = metricsToken === undefined ? undefined : digest(metricsToken)
  }

  /** @throws {ApiError} UNAUTHORIZED, UNAUTHORIZED_PRINCIPAL; RATE_LIMIT_HIT after too many failures */
  async admitToMetrics(authorization: string, source: CredentialSource): Promise<void> {
    if (!/^bearer /i.test(authorization)) return this.admitAdministrator(authorization, source)
    source.admit()
    const given = digest(authorization.slice('bearer '.length).trim())
    // Compares digests, which have one length: the comparison reveals nothing about the token.
    if (!this.token || !timingSafeEqual(given, this.token)) throw unauthorized('The token is wrong.')
    source.succeeded()
  }

  /** `cookie`: of a page, whose session counts too. @throws {ApiError} UNAUTHORIZED, UNAUTHORIZED_PRINCIPAL; RATE_LIMIT_HIT after too many failures */
  async admitAdministrator(authorization: string, source: CredentialSource, cookie = ''): Promise<void> {
    const { ctx, sessions } = this.deps
    const token = sessionTokenIn(cookie, isHttps(ctx))
    const user = await admit(this.deps.keys, {
      identify(keys) {
        if (authorization !== '') return keys.fromHeader(authorization, source)
        return token === undefined ? null : sessions.findFresh(token, source)
      },
      // Monitoring goes on when its account has no requests left.
      charge() {},
    })
    requireOpen(user && { user, client: '' }, metrics)
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const unauthorized = (message: string) => new ApiError('UNAUTHORIZED', message)

import { networkOf } from '../config/addresses.js'
import type { CallerLimits } from './caller-limits.js'
import type { RateLimitCounter } from './rate-limit-counter.js'

/**
 * Counts the requests of one client: against its account, or against its network as long as there is none. Wrong credentials count against
 * the network, too.
 */
export class CallerCharges {
  private counter: RateLimitCounter | undefined
  private known: string | undefined
  private readCounter: RateLimitCounter | undefined
  /** The account against which reads of files count, or the network without one. Set by `chargeRead`. */
  reader: number | string = ''

  /** `client` gives its address; it is read at most once, and only where the network counts. */
  constructor(
    private readonly limits: CallerLimits,
    private readonly client: { readonly address: string },
  ) {}

  get network(): string {
    this.known ??= networkOf(this.client.address)
    return this.known
  }

  /** Counts one request. @throws {ApiError} RATE_LIMIT_HIT */
  charge(userId: number | null | undefined): void {
    const { users, addresses } = this.limits
    if (userId == null) addresses?.charge(addresses.of(this.network))
    else if (users) users.charge(this.counterOf(userId))
  }

  /** Counts further requests for an expensive one that was admitted. */
  surcharge(userId: number | null | undefined, points: number): void {
    const { users, addresses } = this.limits
    if (userId == null) addresses?.surcharge(addresses.of(this.network), points)
    else if (users) users.surcharge(this.counterOf(userId), points)
  }

  /** @throws {ApiError} RATE_LIMIT_HIT when the account, or the network of a client without one, has no requests left. */
  requireLeft(userId: number | null | undefined): void {
    const { users, addresses } = this.limits
    if (userId == null) addresses?.requireLeft(addresses.of(this.network))
    else if (users) users.requireLeft(this.counterOf(userId))
  }

  /** Counts one read of a file, which has a limit of its own: a page shows many pictures. @throws {ApiError} RATE_LIMIT_HIT */
  chargeRead(userId: number | null): void {
    const { files } = this.limits
    this.reader = userId ?? this.network
    this.readCounter = files?.of(this.reader)
    if (this.readCounter) files?.charge(this.readCounter)
  }

  /** Counts further reads for the read that was charged. */
  surchargeRead(points: number): void {
    if (this.readCounter && points > 0) this.limits.files?.surcharge(this.readCounter, points)
  }

  /** Whether `charge` would admit a request of the account. */
  hasLeft(userId: number): boolean {
    const { users } = this.limits
    return !users || users.hasLeft(this.counterOf(userId))
  }

  /** Counts credentials before they are checked, as if they were wrong. @throws {ApiError} RATE_LIMIT_HIT */
  admit(): void {
    const { addresses } = this.limits
    addresses?.charge(addresses.of(this.network))
  }

  /** The credentials were right: takes `admit` back. */
  succeeded(): void {
    this.limits.addresses?.giveBack(this.network)
  }

  /** The X-RateLimit-* lines of the account; empty without one. */
  get lines(): string {
    return this.counter && this.limits.users ? this.limits.users.linesOf(this.counter) : ''
  }

  private counterOf(userId: number): RateLimitCounter {
    this.counter ??= this.limits.users?.of(userId) as RateLimitCounter
    return this.counter
  }
}

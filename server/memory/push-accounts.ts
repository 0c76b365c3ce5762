import type { Sql } from '../store/driver/db.js'
import { usersWithDevices } from '../store/push/devices.js'

const rememberedForMs = 60_000

/**
 * Ids of accounts that may have devices for pushes, so that reading a message costs nothing for all others.
 *
 * Source: `push_devices`.
 * Version: none: an account that has no device any more may stay for a minute.
 * Bound: the number of users.
 * Dropped: all, when an account adds a device (the event `_push_devices_changed`), or after a minute. Until the next content is there, each
 * account counts as one that may have devices.
 */
export class PushAccounts {
  private known: ReadonlySet<number> | undefined
  private until = 0
  private isReading = false
  private drops = 0

  constructor(private readonly sql: Sql) {}

  /** Whether the account may have a device. */
  mayHaveDevices(userId: number): boolean {
    if (this.known && performance.now() >= this.until) this.drop()
    if (!this.known) void this.read()
    return this.known?.has(userId) ?? true
  }

  drop(): void {
    this.known = undefined
    this.drops++
  }

  /** A failure leaves everything unknown: the next question reads again. */
  private async read(): Promise<void> {
    if (this.isReading) return
    this.isReading = true
    const { drops } = this
    try {
      const users = new Set(await usersWithDevices(this.sql))
      if (drops !== this.drops) return
      this.known = users
      this.until = performance.now() + rememberedForMs
    } catch {
      // The database is away, which its other callers report.
    } finally {
      this.isReading = false
    }
  }
}

import { tooMany } from './request-limit.js'

export interface SocketLimits {
  readonly maxSocketsUser: number
  readonly maxSocketsAddress: number
  readonly maxUnknownSocketsAddress: number
}

/** Who has too many sockets is asked to wait so long: some of them may have ended by then. */
export const socketWaitSeconds = 10

/** How many sockets there are at this worker of each account and from each network. 0: no limit. */
export class SocketCounts {
  private readonly users = new Map<string, number>()
  private readonly addresses = new Map<string, number>()
  /** From each network, those that have not said who they are. */
  private readonly unknown = new Map<string, number>()

  constructor(private readonly limits: SocketLimits) {}

  /** @throws {ApiError} RATE_LIMIT_HIT when one more from there would be too many. */
  requireRoom(address: string): void {
    const { maxSocketsAddress, maxUnknownSocketsAddress } = this.limits
    if (isFull(this.addresses, address, maxSocketsAddress) || isFull(this.unknown, address, maxUnknownSocketsAddress)) {
      throw tooMany(socketWaitSeconds)
    }
  }

  opened(address: string): void {
    add(this.addresses, address, 1)
    add(this.unknown, address, 1)
  }

  /** It has said who it is; null: a visitor. @throws {ApiError} RATE_LIMIT_HIT when that account has as many as it may have. */
  identified(address: string, userId: number | null): void {
    if (userId !== null && isFull(this.users, String(userId), this.limits.maxSocketsUser))
      throw tooMany(socketWaitSeconds)
    add(this.unknown, address, -1)
    if (userId !== null) add(this.users, String(userId), 1)
  }

  /** `userId` undefined: it never said who it is. */
  closed(address: string, userId: number | null | undefined): void {
    add(this.addresses, address, -1)
    if (userId === undefined) add(this.unknown, address, -1)
    else if (userId !== null) add(this.users, String(userId), -1)
  }

  /** For tests: that nothing is left of what has ended. */
  get size(): number {
    return this.users.size + this.addresses.size + this.unknown.size
  }
}

function isFull(counts: ReadonlyMap<string, number>, key: string, most: number): boolean {
  return most > 0 && (counts.get(key) ?? 0) >= most
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

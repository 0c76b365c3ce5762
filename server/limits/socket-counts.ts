import { tooMany } from './request-limit.js'

interface SocketLimits {
  readonly maxSocketsUser: number
  readonly maxSocketsAddress: number
  readonly maxUnknownSocketsAddress: number
}

/** Retry-after for a caller with too many sockets; some of them may have closed by then. */
const socketWaitSeconds = 10

/** Open sockets of this worker per account and per network. A limit of 0: no limit. */
export class SocketCounts {
  private readonly users = new Map<string, number>()
  private readonly addresses = new Map<string, number>()
  /** Sockets whose caller is not authenticated yet, by network. */
  private readonly unknown = new Map<string, number>()

  constructor(private readonly limits: SocketLimits) {}

  /** @throws {ApiError} RATE_LIMIT_HIT if the network may not open a further socket. */
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

  /** Counts an authenticated socket for its account; null: a spectator. @throws {ApiError} RATE_LIMIT_HIT at the account's limit. */
  identified(address: string, userId: number | null): void {
    if (userId !== null && isFull(this.users, String(userId), this.limits.maxSocketsUser))
      throw tooMany(socketWaitSeconds)
    add(this.unknown, address, -1)
    if (userId !== null) add(this.users, String(userId), 1)
  }

  /** `userId` undefined: the socket was never authenticated. */
  closed(address: string, userId: number | null | undefined): void {
    add(this.addresses, address, -1)
    if (userId === undefined) add(this.unknown, address, -1)
    else if (userId !== null) add(this.users, String(userId), -1)
  }

  /** For tests: the number of entries, 0 when all sockets are closed. */
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

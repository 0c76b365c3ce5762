import type { UserRow } from '../store/users/users.js'
import type { Directory } from './directory.js'

// More entries than a worker has clients. An email address has at most 254 characters, but a header may be as long as uWebSockets accepts.
const mostHeaders = 16_384
const longestHeader = 512

/**
 * Accounts by accepted Authorization header.
 *
 * Source: the users of the directory.
 * Version: the row: a new key or role makes a new object.
 * Bound: 16,384 headers of 512 characters.
 * Dropped: all when it is full: with more callers than entries, the least recently used one is the one that is needed next.
 */
export class AcceptedHeaders {
  private readonly known = new Map<string, UserRow>()

  constructor(private readonly directory: Directory) {}

  get size(): number {
    return this.known.size
  }

  /** The account that the header named before, unless its row or the organization has changed. */
  find(header: string): UserRow | undefined {
    // A lookup by hash: its duration does not reveal how much of a wrong key is right.
    const before = this.known.get(header)
    const { users, organization } = this.directory
    return before && organization.is_active && users.get(before.id) === before ? before : undefined
  }

  keep(header: string, user: UserRow): void {
    if (header.length > longestHeader) return
    if (this.known.size >= mostHeaders) this.known.clear()
    this.known.set(header, user)
  }
}

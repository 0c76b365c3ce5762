/** How our server reaches one of its databases: a floor takes the same way, or it would pay for another one. */
export interface StoreAddress {
  readonly url: string
  /** A Unix socket, in place of the address's host and port. */
  readonly socket?: string
}

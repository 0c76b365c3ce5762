/** The address by which the server reaches a database; a floor uses the same, because another transport has other costs. */
export interface StoreAddress {
  readonly url: string
  /** A Unix socket that replaces the host and port of the URL. */
  readonly socket?: string
}

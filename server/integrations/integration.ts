/** A request of a service, as far as an integration reads it. */
export interface Delivery {
  /** Of the query, and of a form in the body. */
  readonly params: ReadonlyMap<string, string>
  /** The value of the body. @throws {ApiError} BAD_REQUEST: it is not JSON */
  json(): unknown
  /** Whether the body says that it is JSON. */
  readonly isJson: boolean
}

/** What becomes of a delivery. */
export interface IncomingMessage {
  readonly topic: string
  /** Markdown. */
  readonly content: string
  /** The name of the event, of an integration that tells them apart. */
  readonly event?: string
}

/** From the requests of a service to messages (docs/protocol/integrations.md). */
export interface Integration {
  /** The last part of its address. */
  readonly name: string
  readonly displayName: string
  /** The names of its events, for `only_events` and `exclude_events`; null: it tells none apart. */
  readonly eventTypes: readonly string[] | null
  /** The messages of a delivery; none: there is nothing to say. @throws {ApiError} BAD_REQUEST */
  read(delivery: Delivery): readonly IncomingMessage[]
  /** Members that the answer to a success has beside the usual ones. */
  readonly success?: Readonly<Record<string, unknown>>
  /** The whole answer to a delivery that `read` refuses; absent: as everywhere. */
  refusal?(text: string): Readonly<Record<string, unknown>>
}

/** A request of a service, as far as an integration reads it. */
export interface Delivery {
  /** Of the query, and of a form in the body. */
  readonly params: ReadonlyMap<string, string>
  /** The value of the body. @throws {ApiError} BAD_REQUEST: it is not JSON */
  json(): unknown
  /** Whether the body says that it is JSON. */
  readonly isJson: boolean
  /** By its name in lower case; empty: there is none. */
  header(name: string): string
  /** The bytes of the body. */
  readonly body: Uint8Array
}

/** What becomes of a delivery. */
export interface IncomingMessage {
  readonly topic: string
  /** Markdown. */
  readonly content: string
  /** The name of the event, of an integration that tells them apart. */
  readonly event?: string
}

/** The service is known, but not this event of it: the service learns so by a success, and does not send again. */
export class UnsupportedEvent extends Error {
  override readonly name = 'UnsupportedEvent'

  constructor(readonly eventType: string) {
    super(`The event ${eventType} is not supported.`)
  }
}

/** From the requests of a service to messages (docs/protocol/integrations.md). */
export interface Integration {
  /** The last part of its address. */
  readonly name: string
  readonly displayName: string
  /** The names of its events, for `only_events` and `exclude_events`; null: it tells none apart. */
  readonly eventTypes: readonly string[] | null
  /** How a person makes the service send here, in Markdown, after "its address": for docs/integrations.md. */
  readonly setUp: string
  /**
   * Whether the service has signed the delivery with the key of a bot, or sent that key as its secret. Such a delivery names the bot by `bot`, and has
   * no `api_key`. Absent: the service cannot.
   */
  isSigned?(delivery: Delivery, key: string): boolean
  /** The messages of a delivery; none: there is nothing to say. @throws {ApiError} BAD_REQUEST, MISSING_HTTP_EVENT_HEADER; {UnsupportedEvent} */
  read(delivery: Delivery): readonly IncomingMessage[]
  /** The service encodes the address once more, so channel and topic are decoded twice. */
  readonly isTwiceEncoded?: true
  /** Members that the answer to a success has beside the usual ones. */
  readonly success?: Readonly<Record<string, unknown>>
  /** The whole answer to a delivery that `read` refuses; absent: as everywhere. */
  refusal?(text: string): Readonly<Record<string, unknown>>
}

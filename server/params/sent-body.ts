/** The body of a request while it arrives. */
export interface SentBody {
  readonly type: string
  /** Bytes as the client declared them; undefined: unknown. */
  readonly length: number | undefined
  /**
   * A chunk is valid until the next one is asked for. Ends with an ApiError when the client stops sending, and with BodyCutOff when it
   * leaves.
   */
  readonly stream: AsyncIterable<Uint8Array> & {
    /** Ends the body with this error. */
    destroy(error: Error): void
  }
}

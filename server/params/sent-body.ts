import type { Readable } from 'node:stream'

/** The body of a request while it arrives. */
export interface SentBody {
  readonly type: string
  /** Bytes as the client declared them; undefined: unknown. */
  readonly length: number | undefined
  /** Ends with an ApiError when the client stops sending, and with BodyCutOff when it leaves. */
  readonly stream: Readable
}

import { randomBytes } from 'node:crypto'

// What a proxy gives a request may stand in a header and in the log as it is.
const acceptable = /^[\w.-]{1,64}$/

/** Names requests: a random beginning for this process, and a number. Made out only when somebody reads it. */
export class RequestIds {
  readonly #beginning = randomBytes(4).toString('hex')
  #last = 0

  /** For what is not a request of its own. */
  fresh(): string {
    return this.text(this.next(), '')
  }

  next(): number {
    return ++this.#last
  }

  /** `given`: what a trusted proxy calls it, or empty. */
  text(number: number, given: string): string {
    return given !== '' && acceptable.test(given) ? given : `${this.#beginning}-${number.toString(36)}`
  }
}

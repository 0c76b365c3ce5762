import { randomBytes } from 'node:crypto'

// Request ids from a proxy that are safe in headers and log lines.
const acceptable = /^[\w.-]{1,64}$/

/** Request ids: a random prefix per process, and a number. The text is built only when it is read. */
export class RequestIds {
  private readonly beginning = randomBytes(4).toString('hex')
  private last = 0

  /** Names a request that has no number. */
  named({ address }: { readonly address: string }): { requestId: string; address: string } {
    return { requestId: this.text(this.next(), ''), address }
  }

  next(): number {
    return ++this.last
  }

  /** `given`: the trusted proxy's request id, or empty. */
  text(number: number, given: string): string {
    return given !== '' && acceptable.test(given) ? given : `${this.beginning}-${number.toString(36)}`
  }
}

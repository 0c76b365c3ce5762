import type { Clock } from '../concurrency/clock.js'
import type { Log } from '../log.js'

const windowMs = 10 * 60_000
// Different names in one window: an unauthenticated client chooses its name, and the log must not grow with such names.
const mostNames = 20
const separate = /^([a-z][a-z0-9]{1,29})[-_](?:android|ios|desktop|mobile|electron|terminal|flutter|python|js)$/i
// Without a separator only with its capital: `AcmeNagios` is no client of `acmenag`.
const joined = /^([A-Za-z][A-Za-z0-9]{1,29})(?:Android|iOS|Ios|Desktop|Mobile|Electron|Terminal|Flutter|Python)$/

/**
 * Logs clients whose name begins with another brand than WIRE_BRAND, once per name and ten minutes: they miss the fields that have the brand
 * in their names, and say only that the server cannot be used (docs/protocol/conventions.md#brand).
 */
export class ClientBrands {
  private readonly brand: string
  private readonly noted = new Set<string>()
  private from = Number.NEGATIVE_INFINITY

  constructor(
    brand: string,
    private readonly log: Pick<Log, 'warn'>,
    private readonly clock: Clock,
  ) {
    this.brand = brand.toLowerCase()
  }

  note(client: string): void {
    const [, found] = separate.exec(client) ?? joined.exec(client) ?? []
    const brand = found?.toLowerCase()
    if (brand === undefined || brand === this.brand) return
    const now = this.clock.now()
    if (now - this.from >= windowMs) {
      this.noted.clear()
      this.from = now
    }
    if (this.noted.has(client) || this.noted.size >= mostNames) return
    this.noted.add(client)
    this.log.warn(
      { client, brand: this.brand },
      `a client that seems to expect other names of fields called: existing clients need WIRE_BRAND=${brand}`,
    )
  }
}

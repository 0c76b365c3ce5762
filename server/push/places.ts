interface Host {
  running: number
  readonly waiting: Set<(mayRun: boolean) => void>
  /** Failures in a row to get an answer. */
  failures: number
  /** Until when the host gets no request, by the monotonic clock. */
  restsUntil: number
}

const firstRestMs = 5_000
const longestRestMs = 600_000
// From so many hosts on, those whose rest is over are forgotten.
const mostHosts = 1_000

/**
 * The places of requests at hosts that users chose. A host that does not answer in time rests: the requests that wait for it are refused at
 * once, and after the rest one request tries it. So it holds at most `perHost` places, once, and delays no request to others.
 */
export class HostPlaces {
  /** Hosts with requests, and those that rest. */
  private readonly hosts = new Map<string, Host>()

  constructor(private readonly perHost: number) {}

  /** Resolves to whether the request may begin; then `leave` ends it. */
  async enter(name: string): Promise<boolean> {
    const host = this.hosts.get(name) ?? { running: 0, waiting: new Set(), failures: 0, restsUntil: 0 }
    this.hosts.set(name, host)
    if (host.failures > 0 && (host.running > 0 || performance.now() < host.restsUntil)) return false
    if (host.running >= this.perHost) return new Promise(resolve => host.waiting.add(resolve))
    host.running++
    return true
  }

  /** `hasAnswered`: with any status. */
  leave(name: string, hasAnswered: boolean): void {
    const host = this.hosts.get(name)
    if (!host) return
    if (hasAnswered) host.failures = 0
    else if (performance.now() >= host.restsUntil) {
      host.restsUntil = performance.now() + Math.min(longestRestMs, firstRestMs * 2 ** Math.min(host.failures, 10))
      host.failures++
      for (const refuse of host.waiting) refuse(false)
      host.waiting.clear()
    }
    const [next] = host.waiting
    if (next) {
      // The place passes on.
      host.waiting.delete(next)
      next(true)
      return
    }
    host.running--
    if (host.running === 0 && host.failures === 0) this.hosts.delete(name)
    this.forgetRested()
  }

  /** Hosts that nothing is sent to any more would otherwise stay. */
  private forgetRested(): void {
    if (this.hosts.size < mostHosts) return
    for (const [name, { running, restsUntil }] of this.hosts) {
      if (running === 0 && performance.now() > restsUntil) this.hosts.delete(name)
    }
  }
}

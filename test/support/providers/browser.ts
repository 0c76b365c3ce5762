/** The fixed address of the server in tests of sign-in: its port is known only after its start. */
export const publicUrl = 'http://chat.test.example'

/** A browser without a page: it keeps cookies by host and follows redirects as far as a test lets it. */
export class Browser {
  private readonly cookies = new Map<string, Map<string, string>>()

  /** `servers`: the addresses at which public ones are. */
  constructor(
    private readonly servers: Readonly<Record<string, string>>,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** One request; its answer is not followed. */
  async open(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin, host, pathname, search } = new URL(url)
    const jar = this.cookies.get(host) ?? new Map<string, string>()
    this.cookies.set(host, jar)
    const answer = await fetch(`${this.servers[origin] ?? origin}${pathname}${search}`, {
      ...init,
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
        ...this.headers,
        ...(jar.size > 0 && { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(init.headers as Record<string, string>),
      },
    })
    for (const cookie of answer.headers.getSetCookie()) this.keep(jar, cookie)
    return answer
  }

  private keep(jar: Map<string, string>, cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(';')
    const at = pair.indexOf('=')
    const isGone = attributes.some(one => /^\s*max-age=0\s*$/i.test(one) || /expires=Thu, 01 Jan 1970/i.test(one))
    if (isGone) jar.delete(pair.slice(0, at))
    else jar.set(pair.slice(0, at), pair.slice(at + 1))
  }

  /** Follows redirects until an answer is none, or leads to an address that `stops` accepts. */
  async follow(
    url: string,
    stops: (location: string) => boolean = () => false,
  ): Promise<{ url: string; answer: Response }> {
    let at = url
    for (let step = 0; step < 20; step++) {
      const answer = await this.open(at)
      const location = answer.headers.get('location')
      if (location === null) return { url: at, answer }
      const next = new URL(location, at).href
      if (stops(next)) return { url: next, answer }
      await answer.arrayBuffer()
      at = next
    }
    throw new Error(`too many redirects: ${at}`)
  }

  cookie(host: string, name: string): string | undefined {
    return this.cookies.get(host)?.get(name)
  }

  setCookie(host: string, name: string, value: string): void {
    this.cookies.get(host)?.set(name, value)
  }
}

/** A browser without scripts, for the pages of sign-in and sign-up: it sends forms as pages of the server do, and keeps no cookies. */
export class PageClient {
  constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.request(path, { headers })
  }

  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page> {
    const body = new URLSearchParams()
    for (const [name, given] of Object.entries(fields)) for (const value of [given].flat()) body.append(name, value)
    return this.request(path, { method: 'POST', body, headers: { Origin: this.url, ...headers } })
  }

  private async request(path: string, init: RequestInit): Promise<Page> {
    const headers = { Accept: 'text/html', ...this.headers, ...init.headers }
    const answer = await fetch(this.url + path, { redirect: 'manual', ...init, headers })
    const location = answer.headers.get('location')
    return { status: answer.status, location, cookies: answer.headers.getSetCookie(), text: await answer.text() }
  }
}

export interface Page {
  readonly status: number
  readonly location: string | null
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[]
  readonly text: string
}

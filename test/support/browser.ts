import { hashPassword } from '../../server/auth/passwords.js'
import type { Sql } from '../../server/store/driver/db.js'
import { formEncode, type Params } from './http.js'
import type { Person } from './people.js'

/** A password that every account of a test may have; hashing takes a tenth of a second. */
export const password = 'correct horse battery staple'

export async function givePassword(sql: Sql, ...people: readonly Person[]): Promise<void> {
  const hash = await hashPassword(password)
  await sql`update users set password_hash = ${hash} where id = any(${people.map(({ id }) => id)}::int[])`
}

interface Sent {
  readonly form?: Record<string, string>
  readonly headers?: Record<string, string>
}

/** A browser: it keeps cookies, and says which page makes a request. */
export class Browser {
  readonly cookies = new Map<string, string>()

  constructor(readonly url: string) {}

  /** The header Cookie. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get ofOwnPage(): Record<string, string> {
    return { Origin: this.url, Cookie: this.cookie }
  }

  /** A page, or a form that a page of this server sends. */
  async page(method: 'GET' | 'POST', path: string, { form, headers = {} }: Sent = {}): Promise<Response> {
    const own = method === 'GET' ? { Cookie: this.cookie } : this.ofOwnPage
    const response = await fetch(this.url + path, {
      method,
      headers: { Accept: 'text/html', 'User-Agent': firefox, ...own, ...headers },
      redirect: 'manual',
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    this.keep(response)
    return response
  }

  /** A request of the page's script below /json. */
  async json(method: string, path: string, params: Params = {}, headers: Record<string, string> = {}) {
    const form = formEncode(params)
    const inQuery = method === 'GET'
    const response = await fetch(`${this.url}/json${path}${inQuery && form.size ? `?${form}` : ''}`, {
      method,
      headers: { 'User-Agent': firefox, ...this.ofOwnPage, ...headers },
      redirect: 'manual',
      ...(inQuery ? {} : { body: form }),
    })
    this.keep(response)
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }

  async signIn(person: Person): Promise<this> {
    const { status } = await this.page('POST', '/login/', { form: { username: person.email, password } })
    if (status !== 302) throw new Error(`the sign-in was answered with ${status}`)
    return this
  }

  private keep(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/Max-Age=0\b/.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

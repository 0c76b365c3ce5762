import { createDecipheriv, randomBytes } from 'node:crypto'
import { Browser, password } from './browser.js'
import type { Person } from './people.js'

/** The login token of a desktop app in the page that ends its sign-in, decrypted by the app's pad. */
export function loginToken(page: string, pad: string): string {
  const data = Buffer.from(/name="desktop_data" value="([0-9a-f]+)"/.exec(page)?.[1] ?? '', 'hex')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(pad, 'hex'), data.subarray(0, 12))
  decipher.setAuthTag(data.subarray(-16))
  return decipher.update(data.subarray(12, -16)).toString() + decipher.final().toString()
}

/** A desktop app in which the person has signed in by the password in a browser. */
export async function desktopApp({ url }: { readonly url: string }, person: Person): Promise<Browser> {
  const desktop_flow_otp = randomBytes(32).toString('hex')
  const form = { username: person.email, password, desktop_flow_otp }
  const end = await new Browser(url).page('POST', '/login/', { form })
  const app = new Browser(url)
  await app.page('GET', `/accounts/login/subdomain/${loginToken(await end.text(), desktop_flow_otp)}`)
  return app
}

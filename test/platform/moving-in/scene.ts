import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page, WebSocket } from 'playwright-core'
import type { Test } from 'tap'
import { freePort } from '../../../server/embedded/ports.js'
import { readMail } from '../../support/mails.js'
import { Company as Provider } from '../../support/providers/company.js'
import { Slapd, slapdProgram } from '../../support/providers/slapd.js'
import { launchBrowser, openWindow, phone, type Window } from '../../web/support/browser.js'
import { dataDirectory } from '../places.js'
import { runProgram } from '../program.js'

// In ms; only a failure takes this long.
const patience = 60_000

/** An empty server, as users start it, with a provider and a directory. */
export class Company {
  private constructor(
    readonly url: string,
    /** The first page of all, from the output of the start. */
    readonly setupLink: string,
    private readonly parts: { readonly provider: Provider; readonly mails: Mails; readonly browser: Browser },
  ) {}

  get provider(): Provider {
    return this.parts.provider
  }

  get mails(): Mails {
    return this.parts.mails
  }

  static async begin(t: Test): Promise<Company> {
    const port = await freePort(undefined, '127.0.0.1')
    // Passkeys need a name: a browser accepts none for an address of digits.
    const url = `http://localhost:${port}`
    const provider = await Provider.start(t, 'company', url)
    const [dataDir, directory, browser] = [dataDirectory(t), await directorySettings(t), await launchBrowser(t)]
    const roles = { bosses: 'administrator' }
    const program = runProgram(t, {
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: url,
      OIDC_PROVIDERS: JSON.stringify([provider.settings({ roles })]),
      ...directory,
    })
    const setupLink = await new Promise<string>((resolve, reject) => {
      let output = ''
      program.process.stderr?.on('data', data => {
        output += data
        const link = /http:\S+\/setup\/\S+/.exec(output)?.[0]
        if (link) resolve(link)
      })
      program.ended.then(({ errors }) => reject(new Error(`no setup link was printed: ${errors}`)))
    })
    return new Company(url, setupLink, { provider, mails: new Mails(join(dataDir, 'mail')), browser })
  }

  /** A window of a new browser profile, with its pictures. */
  async window(address: string, options: BrowserContextOptions = {}): Promise<Newcomer> {
    return new Newcomer(await openWindow(this.parts.browser, address, null, options), this.url)
  }
}

/** A directory with one person; no settings where slapd is not installed. */
async function directorySettings(t: Test): Promise<Record<string, string>> {
  if (slapdProgram === undefined) return {}
  const slapd = await Slapd.start(t)
  await slapd.addPerson('dirk', { cn: 'Dirk Deck', mail: 'dirk@harbour.example', userPassword: 'the secret of dirk' })
  return { LDAP_DIRECTORY: JSON.stringify(slapd.settings({ user_attribute: 'uid', auto_signup: true })) }
}

/** The mails in `DATA_DIR/mail`, where they lie without a mail server. */
class Mails {
  constructor(private readonly folder: string) {}

  /** The link of the newest mail to an address: it leads to a page of accounts. */
  async link(to: string): Promise<string> {
    for (const end = Date.now() + patience; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 50))) {
      const names = (await readdir(this.folder).catch(() => [])).sort().reverse()
      for (const name of names) {
        const mail = readMail(await readFile(join(this.folder, name), 'utf8'))
        const link = mail.to === to && /http:\/\/\S+\/accounts\/do_confirm\/\w+/.exec(mail.text)?.[0]
        if (link) return link
      }
    }
    throw new Error(`no mail with a link came to ${to}`)
  }
}

/** The window of a person, by the names of fields: its pages may have any language. */
export class Newcomer {
  readonly page: Page
  readonly sockets: WebSocket[] = []
  private readonly window: Window

  constructor(
    window: Window,
    private readonly url: string,
  ) {
    this.window = window
    this.page = window.page
    this.page.on('websocket', socket => this.sockets.push(socket))
  }

  /** Errors of its pages. The provider is another host, and forms load pages again. */
  get wrongs(): readonly string[] {
    return this.window.wrongs.filter(wrong => !/^(loaded again|request: http:\/\/127\.0\.0\.1)/.test(wrong))
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) await this.page.locator(`input[name=${name}]`).fill(value)
  }

  send(): Promise<void> {
    return this.page.locator('form button.primary').click()
  }

  /** The chat is open and connected, and knows the person; the first owner finds first steps, all others a channel with a greeting. */
  async arrive(name: string, greeting: 'first steps' | 'channel' = 'channel'): Promise<void> {
    await this.page.waitForURL(address => address.pathname === '/')
    await this.page.locator('.corner[data-phase="live"]').waitFor({ state: 'attached' })
    const { page } = this
    if (greeting === 'first steps') await page.locator('.welcome').waitFor()
    else {
      await page.waitForURL(/#channel\//)
      await page.locator('.message', { hasText: 'Welcome to Harbour Works!' }).waitFor()
    }
    const own = await this.own()
    if (own.full_name !== name) throw new Error(`${own.full_name} has arrived in place of ${name}`)
  }

  /** Gives the browser an authenticator, as of a laptop with a fingerprint sensor: it verifies its user, and keeps passkeys. */
  async withAuthenticator(): Promise<void> {
    const devtools = await this.page.context().newCDPSession(this.page)
    await devtools.send('WebAuthn.enable')
    const kind = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
    const options = { ...kind, isUserVerified: true, automaticPresenceSimulation: true }
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  }

  /** The own account, by the session of the browser. */
  async own(): Promise<{ id: number; email: string; full_name: string; role: number }> {
    const answer = await this.page.request.get(`${this.url}/json/users/me`)
    const { user_id: id, email, full_name, role } = await answer.json()
    return { id, email, full_name, role }
  }

  /** Resolves when the server has closed every socket of the page. */
  async closed(): Promise<void> {
    await Promise.all(this.sockets.map(socket => socket.isClosed() || socket.waitForEvent('close')))
  }

  /** The page is not wider than its window. With PICTURES, pictures: wide and phone, light and dark. */
  async look(name: string): Promise<void> {
    if (!(await this.page.evaluate('document.documentElement.scrollWidth <= innerWidth')))
      throw new Error(`the page is wider than its window: ${name}`)
    const folder = process.env.PICTURES
    if (!folder) return
    await mkdir(folder, { recursive: true })
    const before = this.page.viewportSize()
    const sizes = { wide: { width: 1280, height: 800 }, phone: phone.viewport }
    for (const [size, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await this.page.setViewportSize(viewport)
        await this.page.emulateMedia({ colorScheme })
        await this.page.waitForTimeout(400)
        await this.page.screenshot({ fullPage: true, path: join(folder, `${name}-${size}-${colorScheme}.png`) })
      }
    }
    if (before) await this.page.setViewportSize(before)
  }
}

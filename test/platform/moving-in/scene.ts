import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page, WebSocket } from 'playwright-core'
import type { Test } from 'tap'
import { greetings } from '../../../server/actions/set-up/greeting.js'
import { freePort } from '../../../server/embedded/ports.js'
import { type Language, languages } from '../../../server/web/language/language.js'
import { type ReadMail, readMail } from '../../support/mails.js'
import { Company as Provider } from '../../support/providers/company.js'
import { Slapd, slapdProgram } from '../../support/providers/slapd.js'
import { launchBrowser, openWindow, type Window } from '../../web/support/browser.js'
import { dataDirectory } from '../places.js'
import { runProgram } from '../program.js'
import { writeContactSheet } from './contact-sheet.js'

// In ms; only a failure takes this long.
const patience = 60_000

/** An empty server, as users start it, with a provider and a directory. */
export class Company {
  private constructor(
    readonly url: string,
    /** The first page of all, from the output of the start. */
    readonly setupLink: string,
    readonly language: Language,
    private readonly parts: { readonly provider: Provider; readonly mails: Mails; readonly browser: Browser },
  ) {}

  get provider(): Provider {
    return this.parts.provider
  }

  get mails(): Mails {
    return this.parts.mails
  }

  static async begin(t: Test, language: Language): Promise<Company> {
    const port = await freePort(undefined, '127.0.0.1')
    // Passkeys need a name: a browser accepts none for an address of digits.
    const url = `http://localhost:${port}`
    const provider = await Provider.start(t, 'company', url)
    const [dataDir, directory, browser] = [dataDirectory(t), await directorySettings(t), await launchBrowser(t)]
    const claims = { roles: { bosses: 'administrator' }, groups: { engineering: 'engineers' } }
    const program = runProgram(t, {
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: url,
      OIDC_PROVIDERS: JSON.stringify([provider.settings(claims)]),
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
    return new Company(url, setupLink, language, { provider, mails: new Mails(join(dataDir, 'mail')), browser })
  }

  /** A window of a new browser profile in the company's language, with its pictures. */
  async window(address: string, options: BrowserContextOptions = {}): Promise<Newcomer> {
    const locale = { en: 'en-GB', de: 'de-DE' }[this.language]
    const window = await openWindow(this.parts.browser, address, null, { locale, ...options })
    return new Newcomer(window, this.url, this.language)
  }

  /** The texts of the page. */
  async texts() {
    const { load, loadSettings } = languages[this.language]
    return { ...(await load()), ...(await loadSettings()) }
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

  /** The newest mail to an address that has a link to a page of accounts. */
  async withLink(to: string): Promise<ReadMail & { readonly link: string }> {
    for (const end = Date.now() + patience; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 50))) {
      const names = (await readdir(this.folder).catch(() => [])).sort().reverse()
      for (const name of names) {
        const mail = readMail(await readFile(join(this.folder, name), 'utf8'))
        const link = mail.to === to && /http:\/\/\S+\/accounts\/do_confirm\/\w+/.exec(mail.text)?.[0]
        if (link) return { ...mail, link }
      }
    }
    throw new Error(`no mail with a link came to ${to}`)
  }
}

/** The window of a person; forms by the names of their fields, in any language. */
export class Newcomer {
  readonly page: Page
  readonly sockets: WebSocket[] = []
  private readonly window: Window

  constructor(
    window: Window,
    private readonly url: string,
    private readonly language: Language,
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

  /** The chat is open and connected, in the language of the browser, and knows the person; the first owner finds first steps, all others a channel with a greeting. */
  async arrive(name: string, greeting: 'first steps' | 'channel' = 'channel'): Promise<void> {
    await this.page.waitForURL(address => address.pathname === '/')
    await this.page.locator('.corner[data-phase="live"]').waitFor({ state: 'attached' })
    const { page } = this
    await page.locator(`html[lang=${this.language}]`).waitFor()
    if (greeting === 'first steps') await page.locator('.welcome').waitFor()
    else {
      await page.waitForURL(/#channel\//)
      await page.locator('.message', { hasText: greetings[this.language].content('Harbour Works') }).waitFor()
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

  /** The page is not wider than its window. With PICTURES, a picture of the step. */
  async look(step: string): Promise<void> {
    if (!(await this.page.evaluate('document.documentElement.scrollWidth <= innerWidth')))
      throw new Error(`the page is wider than its window: ${step}`)
    const folder = process.env.PICTURES
    if (!folder) return
    await mkdir(folder, { recursive: true })
    await writeContactSheet(this.page, join(folder, `${step}-${this.language}.webp`))
  }
}

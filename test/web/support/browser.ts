import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { basic } from '../../support/http.js'
import type { Person } from '../../support/people.js'
import type { Teardown } from '../../support/services.js'

const shell = '/usr/bin/chromium-headless-shell'
const chosen = process.env.CHROMIUM || undefined
const firstOf = (...paths: readonly (string | undefined)[]) =>
  paths.find(path => path !== undefined && existsSync(path))

/** The installed browser; undefined if there is none. The shell draws the same pages with less than half of the CPU. */
export const chromiumPath = firstOf(chosen, shell, '/usr/bin/chromium')
/** A browser that shows notifications, and that people have: the shell is none. */
const wholePath = firstOf(chosen?.includes('headless-shell') ? undefined : chosen, '/usr/bin/chromium')

/** For tap's options: a machine without the browser runs all other tests. */
export const needsBrowser = chromiumPath ? {} : { skip: 'no Chromium' }
export const needsWholeBrowser = wholePath ? {} : { skip: 'no whole Chromium' }

// The browser of a test process, for all of its files: to start one takes as long as a usual test.
let shared: Promise<Browser> | undefined

/** A browser for a test, which closes the windows that the test opens. */
export async function launchBrowser(t: Teardown): Promise<Browser> {
  // A program without a runner, which measures or takes pictures, ends when its own browser does.
  if (!process.connected) return launchWholeBrowser(t)
  shared ??= startBrowser(chromiumPath).then(started => {
    // The runner has no further file.
    process.once('disconnect', () => void started.close())
    return started
  })
  const browser = await shared
  const others = new Set(browser.contexts())
  t.teardown(async () => {
    for (const context of browser.contexts()) if (!others.has(context)) await context.close()
  })
  return browser
}

/** A browser of the test's own: `needsWholeBrowser`. */
export async function launchWholeBrowser(t: Teardown): Promise<Browser> {
  const own = await startBrowser(wholePath ?? chromiumPath)
  t.teardown(() => own.close())
  return own
}

function startBrowser(executablePath: string | undefined): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // A machine under load takes its time to start one.
    timeout: 120_000,
    args: [
      // The browser's own sandbox does not work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export interface Window {
  readonly page: Page
  /** Errors of the page, violations of its policy, requests to other hosts, dialogs, and reloads. */
  readonly wrongs: string[]
}

/** A window of a phone with a touch screen. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** The smallest screen that the page is for. */
export const smallPhone = { ...phone, viewport: { width: 320, height: 568 } }

/** A window for one user; with `who` signed in, with null not. */
export async function openWindow(
  browser: Browser,
  url: string,
  who: Person | null,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // It would fetch all files of the page for each window.
    serviceWorkers: 'block',
    ...options,
  })
  // Tests wait for conditions: only a failure takes this long.
  context.setDefaultTimeout(60_000)
  if (who) {
    await signIn(context, url, who)
  }
  const page = await context.newPage()
  const wrongs: string[] = []
  page.on('pageerror', error => wrongs.push(`error: ${error.message}`))
  page.on('dialog', dialog => {
    wrongs.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', message => {
    // The browser logs connections that a stopped server refuses; tests expect these.
    const isOfNetwork = /WebSocket connection|Failed to load resource|ERR_CONNECTION/.test(message.text())
    if (message.type() === 'error' && !isOfNetwork) wrongs.push(`console: ${message.text()}`)
  })
  page.on('request', request => {
    if (!request.url().startsWith(`${new URL(url).origin}/`)) wrongs.push(`request: ${request.url()}`)
  })
  // Text, as all code here that runs in the page: the program of the tests knows no document.
  await page.addInitScript(`addEventListener('securitypolicyviolation', event =>
    console.error('policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`)
  await page.goto(url)
  let loads = 0
  page.on('load', () => {
    loads += 1
    wrongs.push(`loaded again: ${loads}`)
  })
  return { page, wrongs }
}

/** Waits until the entry of a closed dialog has left the history: it goes a moment later, and would take the next address, or a load, with it. */
export async function historyAtRest(page: Page): Promise<void> {
  while (await page.evaluate('history.state?.isLayer === true')) await page.waitForTimeout(20)
}

/** Gives a browser a session of the account. */
export async function signIn(context: BrowserContext, url: string, who: Person): Promise<void> {
  await context.addCookies(await newSession(url, who))
}

/** Begins a session of the account, as a browser would have it. */
export async function newSession(url: string, who: Person) {
  const { origin } = new URL(url)
  const headers = { Authorization: basic(who), Origin: origin }
  const answer = await fetch(`${origin}/accounts/login/by_key/`, { method: 'POST', headers })
  if (answer.status !== 204) throw new Error(`the sign-in was answered with ${answer.status}`)
  return answer.headers.getSetCookie().map(cookie => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: origin, httpOnly: name === 'sessionid', sameSite: 'Lax' as const }
  })
}

/** Texts of the messages in sight, in their order. */
export const textsOf = (page: Page): Promise<string[]> => page.locator('.message:not(.unsent) .content').allInnerTexts()

export async function write(page: Page, text: string): Promise<void> {
  await page.locator('.composer-text').fill(text)
  await page.locator('.composer-text').press('Enter')
}

export const messageWith = (page: Page, text: string) => page.locator('.message:not(.unsent)', { hasText: text })

export const keptSession = (page: Page): Promise<string | null> =>
  page.evaluate(`localStorage.getItem('parley.session')`)

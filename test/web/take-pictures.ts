// Not a test: creates the images of the documentation; the machine needs an emoji font. `node dist/test/web/take-pictures.js docs/images`
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { unsubscribeKey } from '../../server/auth/unsubscribe-key.js'
import type { Person } from '../support/people.js'
import { Receiver } from '../support/push-service.js'
import { startServer } from '../support/server.js'
import { launchBrowser, messageWith, openWindow } from './support/browser.js'
import { everydayTopic } from './support/everyday.js'
import { workingTeam } from './support/scene.js'
import { openSection } from './support/settings.js'

const folder = process.argv[2] ?? 'docs/images'
mkdirSync(folder, { recursive: true })
const ends: (() => unknown)[] = []
const teardown = { teardown: (end: () => unknown) => ends.push(end) }

const server = await startServer(teardown, {
  INCOMING_MAIL_ADDRESS: 'in+%s@lighthouse.example',
  INCOMING_MAIL_PORT: '0',
  PUSH_PRIVATE_ORIGINS: 'http://127.0.0.1:9',
})
const team = await workingTeam(server)
const { ines, mei, tomas, channels } = team
const browser = await launchBrowser(teardown)
await everydayTopic(server, browser, team)
const wide: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const offsite = `channel/${channels.general}/offsite`
const topic = `channel/${channels.engineering}/${encodeURIComponent('queue latency')}`

/** The picture of the topic is there in place of its placeholder. */
const shown = (page: Page) =>
  page.locator('.message_inline_image img:not(.image-loading-placeholder)').first().waitFor()

interface Picture {
  readonly name: string
  readonly who: Person | null
  readonly view: string
  readonly colours: 'light' | 'dark'
  readonly options: BrowserContextOptions
  /** Smaller than PNG. */
  readonly isWebp?: true
  prepare(page: Page): Promise<unknown>
}

const settled = (page: Page) => page.locator('.message').first().waitFor()

const all: readonly Picture[] = [
  {
    name: 'sign-in',
    who: null,
    view: '',
    colours: 'light',
    options: wide,
    prepare: page => page.getByText('to Lighthouse').waitFor(),
  },
  { name: 'chat-wide', who: ines, view: topic, colours: 'light', options: wide, prepare: settled },
  { name: 'dark', who: ines, view: topic, colours: 'dark', options: wide, prepare: settled },
  {
    name: 'direct',
    who: ines,
    view: `direct/${mei.id}`,
    colours: 'light',
    options: wide,
    async prepare(page) {
      await settled(page)
      await messageWith(page, 'nicest number').hover()
      await messageWith(page, 'nicest number').getByLabel('React with another emoji').click()
      await page.getByPlaceholder('Search emoji').fill('heart')
      await page.locator('.emoji-choice').first().waitFor()
    },
  },
  { name: 'everyday', who: ines, view: offsite, colours: 'light', options: wide, prepare: shown },
  {
    name: 'viewer',
    who: tomas,
    view: offsite,
    colours: 'light',
    options: wide,
    async prepare(page) {
      await shown(page)
      await page.locator('.message_inline_image a').first().click()
      await page.locator('.viewer img').waitFor()
    },
  },
  { name: 'everyday-phone', who: mei, view: offsite, colours: 'dark', options: phone, prepare: shown },
  { name: 'search', who: tomas, view: 'search/build', colours: 'dark', options: wide, prepare: settled },
  {
    name: 'scheduled',
    who: ines,
    view: topic,
    colours: 'light',
    options: wide,
    async prepare(page) {
      const tomorrow = { scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400 }
      const content = 'The **release notes** are ready: please look at the part about queues.'
      const to = channels.engineering
      await ines.ok('POST', '/scheduled_messages', { type: 'channel', to, topic: 'release', content, ...tomorrow })
      const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['search', 'flag']] }
      const message_id = (await ines.ok('GET', '/messages', query)).messages[0].id
      await ines.ok('POST', '/reminders', { message_id, note: 'compare with the figures of last week', ...tomorrow })
      await page.getByRole('link', { name: /^Scheduled/ }).click()
      await page.locator('.scheduled').nth(1).waitFor()
    },
  },
  {
    name: 'notification-devices',
    who: ines,
    view: '',
    colours: 'light',
    options: wide,
    isWebp: true,
    async prepare(page) {
      for (const [at, name] of ['Firefox on Linux', 'Chrome on Android'].entries())
        await ines.ok('POST', '/users/me/push_devices', new Receiver().device(`http://127.0.0.1:9/${at}`, name))
      await openSection(page, 'Notifications')
      await page.getByText('Chrome on Android').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'reminder',
    who: ines,
    view: '',
    colours: 'dark',
    options: phone,
    isWebp: true,
    async prepare(page) {
      const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['search', 'flag']] }
      const message_id = (await ines.ok('GET', '/messages', query)).messages[0].id
      const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3600
      await ines.ok('POST', '/reminders', { message_id, note: 'compare with last week', scheduled_delivery_timestamp })
      await server.sql`update jobs set due = now() where kind = 'reminder'`
      server.jobs.look()
      await page
        .getByRole('link', { name: /Notification Bot/ })
        .first()
        .click()
      await messageWith(page, 'compare with last week').waitFor()
    },
  },
  {
    name: 'mail-unsubscribed',
    who: null,
    view: '',
    colours: 'light',
    options: phone,
    isWebp: true,
    async prepare(page) {
      const key = unsubscribeKey(server.ctx.directory, 'missed_messages', tomas.id)
      await page.goto(`${server.url}/accounts/unsubscribe/missed_messages/${key}`)
    },
  },
  {
    name: 'channel-mail',
    who: ines,
    view: `channel/${channels.engineering}`,
    colours: 'light',
    options: wide,
    isWebp: true,
    async prepare(page) {
      await page.getByLabel('More', { exact: true }).click()
      await page.getByRole('button', { name: 'Channel settings' }).click()
      await page.getByLabel('Mail address').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'list-phone',
    who: ines,
    view: '',
    colours: 'light',
    options: phone,
    prepare: page => page.locator('.corner[data-phase="live"]').waitFor(),
  },
  { name: 'chat-phone', who: ines, view: topic, colours: 'light', options: phone, prepare: settled },
  { name: 'dark-phone', who: ines, view: `direct/${mei.id}`, colours: 'dark', options: phone, prepare: settled },
]

// Names after the folder choose some of the pictures.
const chosen = process.argv.slice(3)
const pictures = all.filter(({ name }) => chosen.length === 0 || chosen.includes(name))

try {
  for (const { name, who, view, colours, options, isWebp, prepare } of pictures) {
    const { page, wrongs } = await openWindow(browser, `${server.url}/#${view}`, who, {
      ...options,
      colorScheme: colours,
    })
    await prepare(page)
    // What was asked for is there; presences and counts come a moment later.
    await page.waitForTimeout(1500)
    if (isWebp)
      await sharp(await page.screenshot())
        .webp({ quality: 70 })
        .toFile(join(folder, `${name}.webp`))
    else await page.screenshot({ path: join(folder, `${name}.png`) })
    // A window without a session goes on at the page for signing in.
    const others = wrongs.filter(wrong => who !== null || !wrong.startsWith('loaded again'))
    if (others.length > 0) throw new Error(`${name}: ${others.join('; ')}`)
    await page.context().close()
  }
} finally {
  for (const end of ends.reverse()) await end()
}

// Headless browsers have no push service. A local one takes the server's pushes and decrypts them, and the test hands their texts to the
// service worker through the browser's debugger, as the browser would. So only the way from a push service to the browser is not shown.
// Nor do they show notifications on a screen: a click is an event that the test makes, with which a browser lets no window open.
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import t from 'tap'
import { PushService, Receiver } from '../support/push-service.js'
import { until } from '../support/redis-node.js'
import { startServer } from '../support/server.js'
import type { Teardown } from '../support/services.js'
import { launchWholeBrowser, messageWith, needsWholeBrowser, openWindow } from './support/browser.js'
import { openSection } from './support/settings.js'

interface Registration {
  readonly registrationId: string
  readonly scopeURL: string
}

/** Hands texts to the service worker of the page, as pushes. */
async function deliverer(context: BrowserContext, page: Page, url: string): Promise<(json: unknown) => Promise<void>> {
  const session: CDPSession = await context.newCDPSession(page)
  const found = new Promise<string>(resolve => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }: { registrations: Registration[] }) => {
      for (const one of registrations) if (one.scopeURL === `${url}/`) resolve(one.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  return async json => {
    await session.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data: JSON.stringify(json) })
  }
}

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly ids?: readonly number[]
}

/** Ada, whose browser takes pushes, and Mary, who writes to her. */
async function adasBrowser(t: Teardown) {
  const service = await PushService.start(t)
  const server = await startServer(t, { PUSH_PRIVATE_ORIGINS: service.origin })
  const [ada, mary] = [await server.person({ full_name: 'Ada' }), await server.person({ full_name: 'Mary' })]
  const device = service.device('/ada', new Receiver())
  const browser = await launchWholeBrowser(t)
  const { page, wrongs } = await openWindow(browser, server.url, ada, { serviceWorkers: 'allow' })
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: server.url })
  await page.evaluate('navigator.serviceWorker.ready')
  const deliver = await deliverer(context, page, server.url)
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers()
  const shown = () =>
    worker.evaluate<Shown[]>(
      `registration.getNotifications().then(all => all.map(({ title, body, tag, data }) => ({ title, body, tag, ids: data?.ids })))`,
    )
  // The browser does not say when the worker has taken a push.
  const shows = (...titles: string[]) => {
    const isShown = (all: readonly Shown[]) =>
      all
        .map(one => one.title)
        .sort()
        .join() === titles.sort().join()
    return until(async () => isShown(await shown()))
  }
  const send = async (content: string): Promise<number> =>
    (await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content })).id
  const next = async (type: 'message' | 'remove') => (await service.next('/ada', json => json.type === type)).json
  // The tests load the page again.
  const others = () => wrongs.filter(wrong => !wrong.startsWith('loaded again'))
  return { service, server, ada, mary, device, browser, page, worker, deliver, shown, shows, send, next, others }
}

t.test(
  'a push shows one notification for each conversation, which reading elsewhere closes',
  needsWholeBrowser,
  async t => {
    const { service, server, ada, mary, device, page, deliver, shown, shows, send, next, others } = await adasBrowser(t)
    const keys = { p256dh: device.p256dh, auth: device.auth }
    await page.evaluate(`
    window.subscription = null
    PushManager.prototype.getSubscription = async () => window.subscription
    PushManager.prototype.subscribe = async options => (window.subscription = {
      endpoint: ${JSON.stringify(device.endpoint)},
      options,
      toJSON: () => ({ endpoint: ${JSON.stringify(device.endpoint)}, keys: ${JSON.stringify(keys)} }),
      unsubscribe: async () => { window.subscription = null },
    })`)
    const section = await openSection(page, 'Notifications')
    await section.getByRole('button', { name: 'Notify this device' }).click()
    await section.getByText('(this device)').waitFor()
    t.match(await page.evaluate('subscription.options'), { userVisibleOnly: true, applicationServerKey: /^[\w-]{87}$/ })
    await section.getByRole('button', { name: 'Test', exact: true }).click()
    const test = await service.next('/ada')

    // No window of the page is open.
    await page.goto('about:blank')
    await deliver(test.json)
    await shows('Parley')
    t.match(await shown(), [{ body: 'This device shows notifications.' }])
    const first = await send('see **this**')
    const push = await next('message')
    await deliver(push)
    await deliver(push)
    await shows('Parley', 'Mary')
    const second = await send('and that')
    await deliver(await next('message'))
    await shows('Parley', '(2) Mary')
    const both = (await shown()).find(one => one.title === '(2) Mary')
    t.match(both, { tag: `d${mary.id}`, body: 'and that', ids: [first, second] }, 'one that comes twice counts once')
    await ada.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [first, second] })
    await deliver(await next('remove'))
    await shows('Parley')

    await page.goto(server.url)
    const again = await openSection(page, 'Notifications')
    const remove = again.getByRole('button', { name: 'Remove' })
    await remove.click()
    await remove.waitFor({ state: 'detached' })
    t.same((await ada.ok('GET', '/users/me/push_devices')).devices, [])
    t.same(others(), [])
  },
)

/** Clicks on the notification with this title; what the browser opens or focuses after a click is in `asked` of the worker. */
const click = (title: string) => `
  self.asked = []
  Clients.prototype.openWindow = async address => void asked.push(address)
  WindowClient.prototype.focus = async function () { asked.push('focus ' + new URL(this.url).pathname) }
  registration.getNotifications().then(async all => {
    const notification = all.find(one => one.title === ${JSON.stringify(title)})
    const event = new NotificationEvent('notificationclick', { notification })
    let work
    Object.defineProperty(event, 'waitUntil', { value: promise => { work = promise } })
    dispatchEvent(event)
    await work
    return asked
  })`

t.test(
  'a click on a push opens its conversation, and a window that reads it closes the push',
  needsWholeBrowser,
  async t => {
    const { browser, server, ada, device, page, worker, deliver, shown, shows, send, next, others } =
      await adasBrowser(t)
    await ada.ok('POST', '/users/me/push_devices', device)
    await page.goto('about:blank')

    await t.test('while no window is open, in a new one', async t => {
      await send('are you there?')
      await deliver(await next('message'))
      await shows('Mary')
      const [address = '', ...more] = await worker.evaluate<string[]>(click('Mary'))
      t.same([await shown(), more], [[], []])
      await page.goto(server.url + address)
      await messageWith(page, 'are you there?').waitFor()
      t.match(page.url(), /#(narrow\/dm|direct)\/.*\/near\/\d+$/)
      await deliver(await next('remove'))
    })

    await t.test('in the window of the page, and not in one that shows another page of the server', async t => {
      await page.goto('about:blank')
      await send('and now?')
      await deliver(await next('message'))
      await shows('Mary')
      const noChat = await page.context().newPage()
      await noChat.goto(`${server.url}/accounts/unsubscribe/digest/unknown`)
      await page.goto(`${server.url}/#all`)
      await page.getByText('and now?').first().waitFor()
      await noChat.bringToFront()
      t.same(await worker.evaluate(click('Mary')), ['focus /'])
      await page.waitForURL(/\/near\/\d+$/)
      await messageWith(page, 'and now?').waitFor()
      await noChat.close()
      await deliver(await next('remove'))
    })

    await t.test('one that another window of the account reads is closed', async t => {
      await page.goto('about:blank')
      await send('last call')
      await deliver(await next('message'))
      await shows('Mary')
      const other = await openWindow(browser, `${server.url}/#all`, ada)
      await messageWith(other.page, 'last call').waitFor()
      const removed = await next('remove')
      await deliver(removed)
      await shows()
      t.same(other.wrongs, [])
    })
    t.same(others(), [])
  },
)

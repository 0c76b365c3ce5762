// Headless browsers have no push service. A local one takes the server's pushes and decrypts them, and the test hands their texts to the
// service worker through the browser's debugger, as the browser would. So only the way from a push service to the browser is not shown.
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import t from 'tap'
import { PushService, Receiver } from '../support/push-service.js'
import { until } from '../support/redis-node.js'
import { startServer } from '../support/server.js'
import { launchBrowser, needsBrowser, openWindow } from './support/browser.js'
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

t.test('a push shows one notification for each conversation, which reading elsewhere closes', needsBrowser, async t => {
  const service = await PushService.start(t)
  const server = await startServer(t, { PUSH_PRIVATE_ORIGINS: service.origin })
  const [ada, mary] = [await server.person({ full_name: 'Ada' }), await server.person({ full_name: 'Mary' })]
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, server.url, ada, { serviceWorkers: 'allow' })
  const context = page.context()
  await context.grantPermissions(['notifications'], { origin: server.url })
  await page.evaluate('navigator.serviceWorker.ready')
  const deliver = await deliverer(context, page, server.url)

  const device = service.device('/ada', new Receiver())
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

  // No window of the page has the focus.
  await page.goto('about:blank')
  const { worker } = await workerOf(context)
  const shown = async () =>
    worker.evaluate<{ title: string; body: string; ids?: number[] }[]>(
      `registration.getNotifications().then(all => all.map(({ title, body, tag, data }) => ({ title, body, tag, ids: data?.ids })))`,
    )
  // The browser does not say when the worker has taken a push.
  const shows = (...titles: string[]) =>
    until(
      async () =>
        (await shown())
          .map(one => one.title)
          .sort()
          .join() === titles.sort().join(),
    )
  await deliver(test.json)
  await shows('Parley')
  t.match(await shown(), [{ body: 'This device shows notifications.' }])
  const send = async (content: string): Promise<number> =>
    (await mary.ok('POST', '/messages', { type: 'direct', to: [ada.id], content })).id
  const first = await send('see **this**')
  const push = await service.next('/ada', json => json.type === 'message')
  await deliver(push.json)
  await deliver(push.json)
  await shows('Parley', 'Mary')
  const second = await send('and that')
  await deliver((await service.next('/ada', json => json.type === 'message')).json)
  await shows('Parley', '(2) Mary')
  const both = (await shown()).find(one => one.title === '(2) Mary')
  t.match(both, { tag: `d${mary.id}`, body: 'and that', ids: [first, second] }, 'one that comes twice counts once')
  await ada.ok('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [first, second] })
  await deliver((await service.next('/ada', json => json.type === 'remove')).json)
  await shows('Parley')

  await page.goto(server.url)
  const again = await openSection(page, 'Notifications')
  await again.getByRole('button', { name: 'Remove' }).click()
  await again.getByRole('button', { name: 'Notify this device' }).waitFor()
  t.same((await ada.ok('GET', '/users/me/push_devices')).devices, [])
  t.same(
    wrongs.filter(wrong => !wrong.startsWith('loaded again')),
    [],
  )
})

async function workerOf(context: BrowserContext) {
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers()
  return { worker }
}

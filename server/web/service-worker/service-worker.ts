// The page's files for a start without a connection. Answers of the API and uploaded files are never kept.

import { chatWindows } from './chat-windows.js'
import { renewSubscription, takePush } from './pushes.js'

interface WorkerEvent {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}
interface ClickEvent extends WorkerEvent {
  readonly notification: Notification
}
interface PushEvent extends WorkerEvent {
  readonly data: { text(): string } | null
}
interface SubscriptionEvent extends WorkerEvent {
  readonly oldSubscription?: PushSubscription | null
  readonly newSubscription?: PushSubscription | null
}
interface Worker {
  readonly clients: {
    openWindow(address: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionEvent) => void): void
}

/** The build writes these two (server/web/build/service-worker.mjs): the version is a hash of the files' contents. */
declare const __VERSION__: string
declare const __FILES__: readonly string[]

// The cast: the project compiles with the types of a window.
const worker = globalThis as unknown as Worker
const prefix = 'parley-page-'
const own = prefix + __VERSION__
const files: ReadonlySet<string> = new Set(__FILES__)

worker.addEventListener('install', event => event.waitUntil(install()))
worker.addEventListener('activate', event => event.waitUntil(forgetOldVersions()))
worker.addEventListener('notificationclick', event => event.waitUntil(openFrom(event.notification)))
worker.addEventListener('push', event => event.waitUntil(takePush(event.data?.text() ?? '{}')))
worker.addEventListener('pushsubscriptionchange', event =>
  event.waitUntil(renewSubscription(event.oldSubscription ?? null, event.newSubscription ?? null)),
)
worker.addEventListener('fetch', event => {
  const { method, url, mode } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  if (mode === 'navigate' && pathname === '/') event.respondWith(openPage(event.request))
  else if (files.has(pathname) && pathname !== '/') event.respondWith(keptOr(event.request))
  else if (pathname.startsWith('/assets/')) event.respondWith(keptOr(event.request))
})

async function install(): Promise<void> {
  const cache = await caches.open(own)
  await cache.addAll(__FILES__.map(path => new Request(path, { cache: 'no-cache' })))
  // With one window open it is that which registered this version. Older windows keep their worker until they close.
  if ((await chatWindows()).length <= 1) await worker.skipWaiting()
}

/** Keeps the version before this one, too: a window that was loaded with it may still load parts of it. */
async function forgetOldVersions(): Promise<void> {
  const names = (await caches.keys()).filter(name => name.startsWith(prefix) && name !== own)
  await Promise.all(names.slice(0, -1).map(name => caches.delete(name)))
}

/** The page of the server; without a connection, or while the server fails, the kept one. */
async function openPage(request: Request): Promise<Response> {
  try {
    const answer = await fetch(request)
    if (answer.status < 500) return answer
  } catch {
    // No connection.
  }
  const kept = await (await caches.open(own)).match('/')
  return kept ?? fetch(request)
}

/** Names in /assets change with the content, so a kept file of any version is right. */
async function keptOr(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}

/** Opens the page at the message of a notification, in a window of the chat that is open already if there is one. */
async function openFrom(notification: Notification): Promise<void> {
  notification.close()
  // Of the page: the address; of a push: an object with it; of a test: none.
  const { data } = notification
  const address = typeof data === 'string' ? data : String(data?.address ?? '')
  const [open] = await chatWindows()
  if (!open) {
    await worker.clients.openWindow(`/#${address}`)
    return
  }
  await open.focus()
  open.postMessage({ open: address })
}

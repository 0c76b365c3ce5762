// What the server's pushes show (docs/push.md#what-a-push-says): one notification for each conversation.

import { chatWindows } from './chat-windows.js'

interface Shown extends Notification {
  readonly data: { readonly address: string; readonly ids: readonly number[] }
}
interface Scope {
  readonly registration: ServiceWorkerRegistration
}

/** The fields of a push that count here. */
interface Push {
  readonly type: 'message' | 'remove' | 'test'
  readonly message_id: number
  readonly message_ids: readonly number[]
  readonly sender_avatar_url: string
  readonly content: string
  readonly tag: string
  readonly silent: boolean
  readonly notification: { readonly title: string; readonly body: string; readonly navigate: string }
}

interface Device {
  readonly id: number
  readonly name: string
  readonly endpoint_hash: string
}

const place = '/json/users/me/push_devices'
// The cast: the types of the page are those of a window.
const scope = globalThis as unknown as Scope

/** Shows, replaces or closes notifications, as a push says. */
export async function takePush(text: string): Promise<void> {
  const push = JSON.parse(text) as Push
  if (push.type === 'message') await show(push)
  else if (push.type === 'remove') await withdraw(new Set(push.message_ids))
  else await scope.registration.showNotification(push.notification.title, { body: push.notification.body, tag: 'test' })
}

/** A message that comes again changes nothing. While a window of the page has the focus, the page itself shows what is new. */
async function show({ message_id, tag, silent, sender_avatar_url, notification }: Push): Promise<void> {
  if ((await chatWindows()).some(one => one.focused)) return
  const [before] = (await scope.registration.getNotifications({ tag })) as Shown[]
  const earlier = before?.data?.ids ?? []
  if (earlier.includes(message_id)) return
  const ids = [...earlier, message_id]
  const { hash } = new URL(notification.navigate)
  await scope.registration.showNotification(
    ids.length > 1 ? `(${ids.length}) ${notification.title}` : notification.title,
    {
      body: notification.body,
      icon: sender_avatar_url,
      tag,
      silent,
      data: { address: hash.slice(1), ids },
    },
  )
}

/** A notification closes when its newest message was read: what came before was read with it. */
async function withdraw(read: ReadonlySet<number>): Promise<void> {
  for (const one of (await scope.registration.getNotifications()) as Shown[]) {
    const newest = one.data?.ids?.at(-1)
    if (newest !== undefined && read.has(newest)) one.close()
  }
}

/** The browser has replaced its subscription: the server gets the new one in place of the old one. */
export async function renewSubscription(old: PushSubscription | null, made: PushSubscription | null): Promise<void> {
  const answer = await fetch(place)
  // No session is left here, or the server is away: the user enables it again.
  if (!answer.ok) return
  const { public_key, devices } = (await answer.json()) as { public_key: string | null; devices: readonly Device[] }
  const hash = old ? await endpointHash(old.endpoint) : ''
  const before = devices.find(device => device.endpoint_hash === hash)
  if (!before || public_key === null) return
  const options = { userVisibleOnly: true, applicationServerKey: public_key }
  const subscription = made ?? (await scope.registration.pushManager.subscribe(options))
  const { endpoint, keys } = subscription.toJSON()
  const body = new URLSearchParams({ endpoint: endpoint ?? '', ...keys, name: before.name })
  await fetch(place, { method: 'POST', body })
  await fetch(`${place}/${before.id}`, { method: 'DELETE' })
}

async function endpointHash(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

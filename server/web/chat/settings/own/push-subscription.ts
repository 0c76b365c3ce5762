/** Whether this browser can have a subscription to pushes: not without https, and not without a service worker. */
export const arePushesPossible = (): boolean => 'PushManager' in globalThis && navigator.serviceWorker !== undefined

/** The subscription of this browser; undefined: there is none. */
export async function ownSubscription(): Promise<PushSubscription | undefined> {
  if (!arePushesPossible()) return undefined
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? undefined
}

/**
 * Subscribes this browser in place of an earlier subscription, which may be for another key of the server or another account. Undefined: the
 * user, or the browser, allows no notifications. @returns what `add_push_device` takes
 */
export async function subscribe(publicKey: string): Promise<Record<string, string> | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = made.toJSON()
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '', name: deviceName(navigator.userAgent) }
}

/** As the server lists it. */
export async function endpointHash(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Browser and system. Browsers also name those that they resemble, so the rarer names come first. */
function deviceName(userAgent: string): string {
  const browser = /Firefox|Edg|OPR/.exec(userAgent) ?? /Chrome/.exec(userAgent) ?? /Safari/.exec(userAgent)
  const system = /Android|iPhone|iPad|Mac|Windows/.exec(userAgent) ?? /Linux/.exec(userAgent)
  const found = [browser, system].flatMap(match => match?.[0] ?? [])
  return found.length > 0 ? found.join(', ') : location.host
}

import { createEffect, onCleanup } from 'solid-js'
import type { Chat } from './chat.js'

const address = '/service-worker.js'

const installAfterMs = 2000

interface ScriptPolicies {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(given: string): string }
}

// With Trusted Types the browser takes the address of a worker only from a policy. This one knows no other address, and its
// name cannot be used again.
const policy = (globalThis as { trustedTypes?: ScriptPolicies }).trustedTypes?.createPolicy('service-worker', {
  createScriptURL: () => address,
})

/**
 * Installs the service worker, which keeps the page's files for a start without a connection, and opens what it asks for
 * after a click on a notification. A browser without one, or one that refuses it, loses only that.
 */
export function keepServiceWorker(chat: Chat): void {
  const { serviceWorker } = navigator
  if (!serviceWorker) return
  const listener = ({ data }: MessageEvent<{ open?: unknown }>) => {
    if (typeof data?.open === 'string') location.hash = data.open
  }
  serviceWorker.addEventListener('message', listener)
  onCleanup(() => serviceWorker.removeEventListener('message', listener))
  const install = () => {
    serviceWorker
      .register(policy?.createScriptURL(address) ?? address, { scope: '/' })
      .then(() => serviceWorker.startMessages())
      .catch(error => console.warn('No service worker:', error))
  }
  createEffect(() => {
    if (!chat.isReady()) return
    // After the page has what it shows first.
    const timer = setTimeout(install, installAfterMs)
    onCleanup(() => clearTimeout(timer))
  })
}

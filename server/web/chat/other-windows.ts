import { onCleanup } from 'solid-js'
import { listen } from '../look/listen.js'

const prefix = 'parley.focus.'
// Other windows of this browser see the lock that a window with the focus holds.
const own = `${prefix}${crypto.randomUUID()}`

/** Tells the other windows of this browser whether this one has the focus. */
export function tellFocus(): void {
  if (!navigator.locks) return
  let release: (() => void) | undefined
  const gain = () => {
    if (release) return
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    navigator.locks.request(own, () => held).catch(error => console.error(error))
  }
  const lose = () => {
    release?.()
    release = undefined
  }
  if (document.hasFocus()) gain()
  listen(window, 'focus', gain)
  listen(window, 'blur', lose)
  onCleanup(lose)
}

/** Whether this window or another one of this browser has the focus. */
export async function isLookedAt(): Promise<boolean> {
  if (document.hasFocus()) return true
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name?.startsWith(prefix) && name !== own)
}

const alertMs = 5000

/** Whether this window is the first of this browser to ask about a message: only that one alerts the user. */
export async function isFirst(messageId: number): Promise<boolean> {
  if (!navigator.locks) return true
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(`parley.alert.${messageId}`, { ifAvailable: true }, async lock => {
        resolve(lock !== null)
        if (lock) await new Promise(done => setTimeout(done, alertMs))
      })
      .catch(reject)
  })
}

import type { BrowserContext } from 'playwright-core'

/** The socket of windows that load from now on: a test can cut it, and see which operations on queues the windows ask for. */
interface SocketLink {
  /** `register` and `attach`, in their order. */
  readonly queueOps: string[]
  /** While cut, the window reaches the server over HTTP only. */
  isCut: boolean
}

export async function linkOf(context: BrowserContext): Promise<SocketLink> {
  const link: SocketLink = { queueOps: [], isCut: false }
  await context.routeWebSocket(/\/socket$/, socket => {
    if (link.isCut) return void socket.close()
    const server = socket.connectToServer()
    socket.onMessage(message => {
      // A text frame is a string already; of a binary one only the operation at its beginning matters.
      const [op] = /register|attach/.exec(Buffer.from(message).toString('latin1', 0, 60)) ?? []
      if (op) link.queueOps.push(op)
      server.send(message)
    })
    return undefined
  })
  return link
}

/** Code for a window: the kept state, or undefined. `change`: code that changes `kept` before it is stored again. */
export const keptInBrowser = (change = '') => `new Promise((resolve, reject) => {
  const open = indexedDB.open('parley')
  open.onupgradeneeded = () => open.transaction.abort()
  open.onerror = () => resolve(undefined)
  open.onsuccess = () => {
    const store = open.result.transaction('kept', 'readwrite').objectStore('kept')
    const get = store.get('state')
    get.onerror = () => reject(get.error)
    get.onsuccess = () => {
      const kept = get.result
      ${change && `${change}; store.put(kept, 'state')`}
      store.transaction.oncomplete = () => {
        open.result.close()
        resolve(kept && { position: kept.position, messages: Object.keys(kept.state?.messages ?? {}).length })
      }
    }
  }
})`

import type { Client, RequestError } from '../../../shared/client/index.js'
import { refusalText } from '../language/refusal-text.js'
import type { Chat } from './chat.js'
import { createOrder } from './in-order.js'
import type { Meter } from './meter.js'

/** Sends requests over the socket, measures them, and gives a failed one the words of the page's language. */
export function createAsk(client: Client, meter: Meter): Chat['ask'] {
  // The server may carry out two requests in any order: it would keep the older of two settings.
  const inOrder = createOrder()
  return async (method, path, params) => {
    const request = async () => {
      const start = performance.now()
      const wasLive = client.state === 'live'
      const answer = await client.request(method, path, params)
      // The time of a request that waited for a connection is not the server's response time.
      if (wasLive) meter.answered(performance.now() - start)
      return answer
    }
    return (method === 'GET' ? request() : inOrder(path, request)).catch(explain)
  }
}

function explain(error: RequestError): never {
  error.message = refusalText(error.code, error.message)
  throw error
}

/** The part of the WebSocket interface that the client uses; the classes of browsers, of Node and of the package `ws` fit. */
export interface WebSocketLike {
  binaryType: string
  readonly readyState: number
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

export type WebSocketClass = new (url: string, protocols: string[]) => WebSocketLike

/** The `readyState` of a socket that accepts frames. */
export const open = 1

/**
 * The platform's class: every browser has one, and Node from version 22.
 * @throws if there is none; the caller then has to pass one as `webSocket`.
 */
export function platformWebSocket(): WebSocketClass {
  const { WebSocket } = globalThis as { WebSocket?: WebSocketClass }
  if (!WebSocket) throw new Error('This platform has no WebSocket of its own: pass one as `webSocket`.')
  return WebSocket
}

/** What the client needs of a WebSocket: the standard's own names, so that a browser's, Node's and `ws`' all fit. */
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

/** `readyState` of a socket that takes frames. */
export const open = 1

/**
 * The platform's own class: every browser has it, and Node from 22 on.
 * @throws when there is none and so one has to be given (`webSocket`).
 */
export function platformWebSocket(): WebSocketClass {
  const { WebSocket } = globalThis as { WebSocket?: WebSocketClass }
  if (!WebSocket) throw new Error('This platform has no WebSocket of its own: pass one as `webSocket`.')
  return WebSocket
}

interface WindowClient {
  readonly url: string
  readonly focused: boolean
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}
interface Scope {
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>
  }
}

// The cast: the project compiles with the types of a window.
const { clients } = globalThis as unknown as Scope

/** The open windows that show the chat: not those of other pages of the server, such as one for signing in, or a file. */
export async function chatWindows(): Promise<readonly WindowClient[]> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return windows.filter(({ url }) => new URL(url).pathname === '/')
}

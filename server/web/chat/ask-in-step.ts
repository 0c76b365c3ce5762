import type { KnownType } from '../../../shared/client/index.js'
import type { Chat } from './chat.js'

const tries = 3

/** Reads what events of this type keep in step. Asks again if one comes meanwhile: the answer may be older or newer than it. @throws {RequestError} */
export async function askInStep(
  chat: Chat,
  type: KnownType,
  { path, params = {} }: { readonly path: string; readonly params?: Record<string, unknown> },
): Promise<Record<string, unknown>> {
  let changes = 0
  const stop = chat.client.on(type, () => changes++)
  try {
    for (let at = 1; ; at++) {
      const before = changes
      const answer = await chat.ask('GET', path, params)
      if (changes === before || at === tries) return answer
    }
  } finally {
    stop()
  }
}

import { refusalText } from '../language/refusal-text.js'
import { authorization } from '../sign-in/session.js'
import type { Chat } from './chat.js'

/** Sends one file to an operation. A socket carries no files, so this is a request of its own. @throws {Error} with a sentence for people */
export async function sendFile(
  { session }: Chat,
  path: string,
  file: File,
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', file)
  const answer = await fetch(`/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: authorization(session) },
    credentials: 'omit',
    body,
  })
  const { result, code, msg } = (await answer.json()) as { result: string; code?: string; msg: string }
  if (result !== 'success') throw new Error(refusalText(code, msg))
}

import { refusalText } from '../language/refusal-text.js'

/** Sends one file to an operation. A socket carries no files, so this is a request of its own. @throws {Error} with a sentence for people */
export async function sendFile(path: string, file: File, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', file)
  const answer = await fetch(`/json${path}`, {
    method: 'POST',
    body,
  })
  const { result, code, msg } = (await answer.json()) as { result: string; code?: string; msg: string }
  if (result !== 'success') throw new Error(refusalText(code, msg))
}

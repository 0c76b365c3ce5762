import type { CustomFetchOptions } from 'openid-client'

const mostBytes = 1_000_000

/**
 * Fetches for openid-client, which gives each request a time limit. A provider may send anything, so the answer has a limit, too.
 * @throws {TypeError} for a longer answer
 */
export async function fetchShortly(url: string, options: CustomFetchOptions): Promise<Response> {
  // The cast: the types of the library and of Node describe a body differently.
  const answer = await fetch(url, options as RequestInit)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.length
    if (size > mostBytes) throw new TypeError(`the answer has more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  const hasBody = ![204, 205, 304].includes(answer.status)
  const { status, headers } = answer
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers })
}

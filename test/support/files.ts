import { removeBytes } from '../../server/actions/files/clean-files.js'
import type { Ctx } from '../../server/ctx.js'
import { ApiError } from '../../shared/errors.js'
import { checkAnswer, routeOf } from './conformance.js'
import { recordCall } from './coverage.js'
import { type Answer, basic, type Credentials } from './http.js'

export interface GivenFile {
  readonly name: string
  readonly bytes: string | Uint8Array<ArrayBuffer>
  /** Content type; absent: none. */
  readonly type?: string
}

/** Sends files in a multipart form, each under a name of its own, and validates the answer with the operation's declaration. */
export async function sendFiles(
  url: string,
  who: Credentials | null,
  path: string,
  {
    files,
    fields = {},
    method = 'POST',
  }: {
    readonly files: readonly GivenFile[]
    readonly fields?: Readonly<Record<string, string>>
    readonly method?: 'POST' | 'PATCH'
  },
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const [i, { name, bytes, type }] of files.entries()) {
    form.set(`file${i}`, new Blob([bytes], type === undefined ? {} : { type }), name)
  }
  const headers = who ? { Authorization: basic(who) } : undefined
  const response = await fetch(`${url}/api/v1${path}`, { method, body: form, ...(headers && { headers }) })
  const body = JSON.parse(await response.text())
  const { status } = response
  const problems = checkAnswer({ method, path, status, body })
  if (problems.length > 0) throw new Error(`${method} ${path}: not as declared: ${problems.join('; ')}`)
  const route = routeOf(method, path)
  if (!(route instanceof ApiError)) recordCall(route, { sent: Object.entries(fields), status, body })
  return { status, headers: response.headers, body }
}

/** Uploads a file and returns its address on the server. */
export async function upload(url: string, who: Credentials, file: GivenFile): Promise<string> {
  const { status, body } = await sendFiles(url, who, '/user_uploads', { files: [file] })
  if (status !== 200) throw new Error(`the upload was refused: ${status} ${JSON.stringify(body)}`)
  return body.url
}

/** Reads a file as a client does. */
export const readFile = (
  url: string,
  who: Credentials | null,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url + path, { redirect: 'manual', headers: { ...(who && { Authorization: basic(who) }), ...headers } })

/** Removes the bytes of all files that no row names. The server does so by itself, too, every 20 s: it may have begun. */
export async function removeUnnamedBytes(ctx: Pick<Ctx, 'sql' | 'storage'>): Promise<void> {
  for (;;) {
    while ((await removeBytes(ctx)) > 0);
    const rows = await ctx.sql`select from loose_files where remove_after <= now()`
    if (rows.length === 0) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

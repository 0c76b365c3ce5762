import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '../../server/store/driver/db.js'
import { until } from '../http/until.js'

/** A mail that lies in `DATA_DIR/mail`, decoded. */
export interface ReadMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** As it lies there. */
  readonly source: string
}

/** Returns the mails that were written since the last call, the oldest first, when no mail waits. Without those that welcome new people, unless `withWelcome`. */
export function newMails(sql: Sql, dataDir: string, { withWelcome = false } = {}): () => Promise<ReadMail[]> {
  const read = new Set<string>()
  const folder = join(dataDir, 'mail')
  return async () => {
    await until(async () => (await sql`select from jobs where kind = 'mail'`).length === 0)
    const names = (await readdir(folder).catch(() => [])).filter(name => !read.has(name)).sort()
    for (const name of names) read.add(name)
    const mails = await Promise.all(names.map(async name => readMail(await readFile(join(folder, name), 'utf8'))))
    return mails.filter(one => withWelcome || !one.source.includes('/accounts/unsubscribe/welcome/'))
  }
}

/** Reads the headers and the parts of a mail of this server. */
export function readMail(source: string): ReadMail {
  const { headers, body } = partOf(source)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = boundary ? body.split(`--${boundary}`).map(part => partOf(part.trimStart())) : [{ headers, body }]
  const content = (type: string) => {
    const part = parts.find(one => one.headers.get('content-type')?.startsWith(type))
    return part ? decoded(part) : ''
  }
  const [to, subject] = ['to', 'subject'].map(name => words(headers.get(name) ?? ''))
  return { to: to ?? '', subject: subject ?? '', text: content('text/plain'), html: content('text/html'), source }
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

function partOf(source: string): Part {
  const [head = '', ...rest] = source.replaceAll('\r\n', '\n').split('\n\n')
  const lines = head.replace(/\n[ \t]+/g, ' ').split('\n')
  const headers = lines.map(
    line => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 2)] as const,
  )
  return { headers: new Map(headers), body: rest.join('\n\n') }
}

function decoded({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding === 'quoted-printable') return quotedPrintable(body.replace(/=\n/g, ''))
  // Long lines of a flowed text end in a space.
  return headers.get('content-type')?.includes('flowed') ? body.replace(/(?<!^--) \n/gm, ' ') : body
}

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** A header without encoded words (RFC 2047). */
const words = (header: string): string =>
  header
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64').toString() : quotedPrintable(text.replaceAll('_', ' ')),
    )

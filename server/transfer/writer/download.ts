import type { External } from '../../external/external.js'
import { ExternalFailure, OtherHost } from '../../external/external-failure.js'
import { chunksOf, type ExternalAnswer, isExternalAddress } from '../../external/external-hosts.js'
import { retryAfterMs } from '../../external/retry-after.js'
import type { ImportFile } from '../../store/imports/import-files.js'

/** The source does not give the file, and another attempt would end the same: `message` completes "report.pdf: ". */
export class LostFile extends Error {}

/** The host asks to wait. */
export class BusySource extends Error {
  constructor(readonly seconds: number) {
    super('the host is busy')
  }
}

type Wanted = Pick<ImportFile, 'address' | 'file_hosts' | 'name' | 'bytes'>

interface Downloading {
  /** With which the source lets its files be read; null: as the archive says. */
  readonly token: string | null
  readonly signal: AbortSignal
}

const owner = { key: 'import', most: 4 }
// Where a busy host does not say how long.
const usualMs = 60_000
const gone: ReadonlySet<number> = new Set([404, 410])
const refused: ReadonlySet<number> = new Set([401, 403])
const busy: ReadonlySet<number> = new Set([429, 503])
const signIn = 'the source asks for a sign-in: the link has expired, or its token was revoked'
// A page in place of a file begins like this.
const page = /^[\ufeff\s]*<(?:!doctype\s+html|html)/i
const pageName = /\.x?html?$/i

/**
 * Begins to download a file. Only the hosts of the source are asked, and only at public addresses.
 * @throws {LostFile}; {BusySource}; {ExternalFailure}: another attempt may succeed
 */
export async function openDownload(
  { hosts }: External,
  file: Wanted,
  { token, signal }: Downloading,
): Promise<{ readonly type: string; readonly bytes: number; readonly pieces: AsyncIterable<Buffer> }> {
  const address = file.address ?? ''
  if (!isExternalAddress(address)) throw new LostFile('its address is none of the Web')
  const mayAsk = ({ hostname }: URL) => isAmong(hostname, file.file_hosts)
  const answer = await hosts.get(withToken(address, token), { headers: {}, owner, signal, mayAsk }).catch(error => {
    if (error instanceof OtherHost)
      throw new LostFile(mayAsk(new URL(address)) ? signIn : `${error.host} is no host of the source`)
    throw error
  })
  try {
    requireFile(answer, file)
  } catch (error) {
    answer.body.destroy()
    throw error
  }
  return {
    type: answer.type,
    bytes: Number(answer.body.headers['content-length']) || 0,
    pieces: wholeFile(answer, file),
  }
}

/** `*.files.example` stands for all below. */
function isAmong(host: string, hosts: readonly string[]): boolean {
  return hosts.some(one => (one.startsWith('*.') ? host.endsWith(one.slice(1)) : host === one))
}

function withToken(address: string, token: string | null): string {
  if (token === null) return address
  const url = new URL(address)
  url.searchParams.set('t', token)
  return url.href
}

/** @throws {LostFile}; {BusySource}; {ExternalFailure} */
function requireFile({ status, type, body }: ExternalAnswer, { name, bytes }: Wanted): void {
  if (busy.has(status))
    throw new BusySource(Math.ceil((retryAfterMs(body.headers['retry-after'], Date.now()) ?? usualMs) / 1000))
  if (gone.has(status)) throw new LostFile('the source no longer has this file')
  if (refused.has(status)) throw new LostFile(signIn)
  if (status !== 200) throw new ExternalFailure(`the host answered ${status}`)
  const isOther = bytes > 0 && Number(body.headers['content-length']) !== bytes
  if (type === 'text/html' && (!pageName.test(name) || isOther)) throw new LostFile(signIn)
}

/** @throws {LostFile} if it is a page, whatever its type says; {ExternalFailure} if it breaks off */
async function* wholeFile(answer: ExternalAnswer, { name }: Wanted): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of chunksOf(answer)) {
    if (isFirst && !pageName.test(name) && page.test(chunk.toString('latin1', 0, 200))) throw new LostFile(signIn)
    isFirst = false
    yield chunk
  }
}

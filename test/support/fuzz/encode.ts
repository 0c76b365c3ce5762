import { blackPng } from '../crafted-pictures.js'
import { basic, type Credentials, formEncode } from '../http.js'
import type { FuzzedOperation } from './operations.js'
import type { FuzzedRequest } from './requests.js'

/** A request in the form in which it is sent. */
interface EncodedRequest {
  readonly method: string
  /** Below /api/v1, without the query, as a client sends it. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData | Uint8Array<ArrayBuffer>
}

type Pairs = readonly (readonly [name: string, value: unknown])[]

/** Encodes an honest request with the changes. */
export function encode(
  operation: FuzzedOperation,
  request: FuzzedRequest,
  honest: Readonly<Record<string, unknown>>,
  who: Credentials | null,
): EncodedRequest {
  const pairs = changed(Object.entries(honest), request.changes)
  const namesIn = (of: string) => operation.parameters.filter(({ place }) => place === of).map(({ name }) => name)
  const [inPath, inHeader] = [namesIn('path'), namesIn('header')]
  const texts = new Map(pairs.map(([name, value]) => [name, asText(value)]))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(texts.get(name) || 'x'))
  const rest = pairs.filter(([name]) => !inPath.includes(name) && !inHeader.includes(name))
  // Other characters cannot be sent in a header.
  const headers = inHeader.map(name => [name, (texts.get(name) ?? '').replace(/[^\x20-\x7e]/g, '')] as const)
  const isInQuery = request.method === 'GET' || request.encoding === 'query'
  const content =
    isInQuery && !operation.takesFile ? { headers: headersOf(who) } : bodyOf(operation, request, rest, who)
  return {
    method: request.method,
    // Clients resolve the dots of a path.
    path: new URL(`http://x${path}`).pathname,
    query: isInQuery && rest.length > 0 ? `?${form(rest)}` : '',
    ...content,
    headers: { ...content.headers, ...Object.fromEntries(headers.filter(([, text]) => text !== '')) },
  }
}

function changed(honest: Pairs, changes: FuzzedRequest['changes']): Pairs {
  let pairs = honest
  for (const change of changes) {
    const others = pairs.filter(([name]) => name !== change.name)
    if (change.kind === 'omit') pairs = others
    else pairs = [...(change.kind === 'set' ? others : pairs), [change.name, change.value] as const]
  }
  return pairs
}

/** As clients send it; an unpaired surrogate has no bytes. */
const asText = (value: unknown): string => formEncode({ value: value ?? null }).get('value') ?? ''
const form = (pairs: Pairs) =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, asText(value)]))
const json = (pairs: Pairs) =>
  `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`
const headersOf = (who: Credentials | null, type?: string) => ({
  ...(who && { Authorization: basic(who) }),
  ...(type !== undefined && { 'Content-Type': type }),
})

function bodyOf(
  { takesFile }: FuzzedOperation,
  { encoding, file, method }: FuzzedRequest,
  pairs: Pairs,
  who: Credentials | null,
): Pick<EncodedRequest, 'headers' | 'body'> {
  const text = form(pairs).toString()
  if (method === 'GET' || encoding === 'no body') return { headers: headersOf(who) }
  if (encoding === 'multipart' || (takesFile && ['form', 'json', 'query'].includes(encoding)))
    return { headers: headersOf(who), body: multipart(encoding === 'query' ? [] : pairs, takesFile ? file : 'none') }
  if (encoding === 'json') return { headers: headersOf(who, 'application/json'), body: json(pairs) }
  if (encoding === 'broken json') return { headers: headersOf(who, 'application/json'), body: json(pairs).slice(0, -1) }
  if (encoding === 'text') return { headers: headersOf(who, 'text/plain'), body: text }
  if (encoding === 'no type') return { headers: headersOf(who), body: new Uint8Array(Buffer.from(text)) }
  return { headers: headersOf(who, 'application/x-www-form-urlencoded'), body: text }
}

function multipart(pairs: Pairs, file: FuzzedRequest['file']): FormData {
  const all = new FormData()
  for (const [name, text] of form(pairs)) all.append(name, text)
  const picture = new Blob([blackPng(20, 10)], { type: 'image/png' })
  if (file === 'picture' || file === 'two') all.append('file', picture, 'picture.png')
  if (file === 'two') all.append('other', picture, 'other.png')
  if (file === 'text') all.append('file', new Blob(['Some text.']), 'text.txt')
  if (file === 'empty') all.append('file', new Blob([]), 'empty.png')
  return all
}

const mostShown = 2000

/** The request as a command; the account stands for its credentials. */
export function asCommand(
  url: string,
  account: string,
  { method, path, query, headers, body }: EncodedRequest,
): string {
  const quoted = (text: string) => `'${text.slice(0, mostShown).replaceAll("'", `'\\''`)}'`
  const { Authorization: _, ...shown } = headers
  const parts = body instanceof FormData ? [...body].map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`) : []
  const data = typeof body === 'string' ? [`--data-binary ${quoted(body)}`] : []
  const bytes = body instanceof Uint8Array ? [`--data-binary ${quoted(Buffer.from(body).toString())}`] : []
  return [
    `curl -X ${method} -u '${account}' ${quoted(`${url}/api/v1${path}${query}`)}`,
    ...Object.entries(shown).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...parts,
    ...data,
    ...bytes,
  ].join(' ')
}

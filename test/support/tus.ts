import { basic, type Credentials } from './http.js'

export const base64 = (text: string) => Buffer.from(text).toString('base64')
const bodyType = 'application/offset+octet-stream'
export const uploads = '/api/v1/tus/'

export interface TusAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any answer
  readonly body: any
}

type Given = Readonly<Record<string, string | undefined>>

/** A client of the tus protocol that does only what a test says. */
export class TusClient {
  constructor(readonly url: string) {}

  /** One request; `undefined` takes a header away. */
  async ask(
    who: Credentials | null,
    method: string,
    path: string,
    { headers = {}, bytes }: { readonly headers?: Given; readonly bytes?: Uint8Array } = {},
  ): Promise<TusAnswer> {
    const all = {
      ...(who && { Authorization: basic(who) }),
      'Tus-Resumable': '1.0.0',
      ...(bytes && { 'Content-Type': bodyType }),
      ...headers,
    }
    const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined)
    const answer = await fetch(new URL(path, this.url), {
      method,
      headers: given,
      ...(bytes && { body: bytes as Uint8Array<ArrayBuffer> }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  post(who: Credentials | null, headers: Given, bytes?: Uint8Array): Promise<TusAnswer> {
    return this.ask(who, 'POST', uploads, { headers, bytes })
  }

  /** Begins an upload and returns its path on the server. */
  async begin(who: Credentials, length: number, metadata = `filename ${base64('a.bin')}`): Promise<string> {
    const answer = await this.post(who, { 'Upload-Length': String(length), 'Upload-Metadata': metadata })
    if (answer.status !== 201) throw new Error(`no upload: ${answer.status} ${JSON.stringify(answer.body)}`)
    return new URL(answer.headers.get('location') ?? '').pathname
  }

  send(who: Credentials, path: string, offset: number | string, bytes: Uint8Array): Promise<TusAnswer> {
    return this.ask(who, 'PATCH', path, { headers: { 'Upload-Offset': String(offset) }, bytes })
  }

  async offsetOf(who: Credentials, path: string): Promise<number> {
    return Number((await this.ask(who, 'HEAD', path)).headers.get('upload-offset'))
  }
}

/** The head of a PATCH for a raw connection, on which a test may send less than it announces. */
export const patchHead = (who: Credentials, path: string, offset: number, framing: string): string =>
  `PATCH ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(who)}\r\nTus-Resumable: 1.0.0\r\n` +
  `Upload-Offset: ${offset}\r\nContent-Type: ${bodyType}\r\n${framing}\r\n\r\n`

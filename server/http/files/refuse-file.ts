import { STATUS_CODES } from 'node:http'
import type { Answer } from '../answer.js'
import { commonHeaders } from './file-headers.js'
import type { FileRequest } from './file-request.js'

/**
 * Answers that a file cannot be had: JSON for programs that accept it, otherwise a short page. Nothing is sent after a file has begun,
 * because its connection is closed then.
 */
export function refuseFile(request: FileRequest, { status, body, headers }: Answer): void {
  const { res } = request
  if (request.isGone) return
  request.isGone = true
  const asPage = /\btext\/html\b/.test(request.accept)
  const text = `${status} ${STATUS_CODES[status]}`
  res.cork(() => {
    res.writeStatus(text)
    for (const [name, value] of [...commonHeaders, ...headers]) {
      // A browser would ask the reader of a page for a password of its own, also for a picture.
      if (name !== 'WWW-Authenticate') res.writeHeader(name, value)
    }
    res.writeHeader('Content-Type', asPage ? 'text/html; charset=utf-8' : 'application/json')
    res.writeHeader('Vary', 'Accept')
    const content = asPage ? page(text, (JSON.parse(body as string) as { msg: string }).msg) : (body as string)
    if (request.method === 'HEAD') res.endWithoutBody(Buffer.byteLength(content), true)
    else res.end(content, !request.isRead)
  })
}

const page = (title: string, message: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><p>${message}</p>`

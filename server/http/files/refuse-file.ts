import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import { projectRoot } from '../../config/paths.js'
import type { Answer, Header } from '../answer.js'
import { writeWhole } from '../write-answer.js'
import { commonHeaders } from './file-headers.js'
import type { FileRequest } from './file-request.js'
import { prefersPictures } from './prefers-pictures.js'

const picture = (name: string) => readFileSync(join(projectRoot, 'server/http/files/refusals', `${name}.png`))
/** PNGs with a sentence, by the status of the refusal. */
const pictures: ReadonlyMap<number, Buffer> = new Map([401, 403, 404].map(status => [status, picture(String(status))]))
const otherPicture = picture('other')

/**
 * Answers that a file cannot be had: a picture where a page shows pictures, a short page for browsers, otherwise JSON
 * (docs/protocol/files.md#answers). Nothing is sent after a file has begun, because its connection is closed then.
 */
export function refuseFile(request: FileRequest, { status, body, headers }: Answer): void {
  if (request.isGone) return
  request.isGone = true
  const { type, content } = formOf(request.accept, status, body as string)
  const all: Header[] = [
    ...commonHeaders,
    // A browser would ask the reader of a page for a password of its own, also for a picture.
    ...headers.filter(([name]) => name !== 'WWW-Authenticate'),
    ['Content-Type', type],
    ['Vary', 'Accept'],
  ]
  writeWhole(request.res, status, {
    headers: all,
    body: content,
    ending: { isHead: request.method === 'HEAD', closes: false },
  })
}

function formOf(accept: string, status: number, json: string): { type: string; content: string | Buffer<ArrayBuffer> } {
  if (prefersPictures(accept)) {
    return { type: 'image/png', content: (pictures.get(status) ?? otherPicture) as Buffer<ArrayBuffer> }
  }
  if (!/\btext\/html\b/.test(accept)) return { type: 'application/json', content: json }
  const { msg } = JSON.parse(json) as { msg: string }
  return { type: 'text/html; charset=utf-8', content: shortPage(`${status} ${STATUS_CODES[status]}`, msg) }
}

/** A page with one sentence; both texts are HTML. */
export const shortPage = (title: string, message: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><p>${message}</p>`

import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import busboy from 'busboy'
import { badRequest } from '../../shared/errors.js'
import { budgets } from '../config/budgets.js'
import { FileBytes } from './file-bytes.js'
import type { SentBody } from './sent-body.js'

/** A file in a multipart form while it arrives. */
interface ArrivingFile {
  /** As the client gave it; not safe as a path. */
  readonly name: string
  /** Content type as the client gave it; empty: it does not know it. */
  readonly type: string
  /** A chunk is valid until the next one is asked for. */
  readonly bytes: AsyncIterable<Uint8Array>
}

// Types that say nothing: what a part has when the client gives none (RFC 7578, 4.4), and what programs write that do not know it.
const unknownTypes: ReadonlySet<string> = new Set(['text/plain', 'application/octet-stream'])

/**
 * Passes the one file of a form to `take`, as fast as `take` reads it, and returns what `take` returns once the form is complete.
 * Fields beside the file are ignored.
 * @throws {ApiError} BAD_REQUEST if there is no file, more than one, one of more than `mostBytes`, or a malformed form; the stream that
 *   `take` reads ends with the same error. What `take` throws.
 */
export async function fileOfForm<T>(
  { type, stream }: Pick<SentBody, 'type' | 'stream'>,
  mostBytes: number,
  take: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
  let taken: Promise<T> | undefined
  let current: FileBytes | undefined
  const parser = newParser(type, mostBytes)
  // Not the parser: it must not be destroyed while it parses.
  const end = (error: Error) => stream.destroy(error)
  const refuse = (message: string) => end(badRequest(message))
  parser.on('file', (_field, file, { filename, mimeType }) => {
    const bytes = new FileBytes(file)
    if (!filename || taken) {
      bytes.leave()
      // Without a name it is a form field without a chosen file.
      if (filename) refuse('You may only upload one file at a time')
      return
    }
    current = bytes
    file.once('limit', () => refuse(tooLarge(mostBytes)))
    taken = take({ name: filename, type: unknownTypes.has(mimeType) ? '' : mimeType, bytes })
    // Awaited below; a failure also ends the reading of the form.
    taken.catch(end).finally(() => bytes.leave())
  })
  parser.on('error', end)
  parser.on('partsLimit', () => refuse(`The form has more than ${budgets.formPairs.most} parts.`))
  try {
    for await (const chunk of stream) {
      await written(parser, chunk)
      await current?.used()
    }
    parser.end()
    await finished(parser)
  } catch (error) {
    const reason = isOfParser(error) ? malformed() : (error as Error)
    current?.destroy(reason)
    // `take` fails with this error, or has failed before; then its error is the reason.
    await taken?.catch(() => undefined)
    throw reason
  }
  if (!taken) throw noFile()
  return taken
}

/** Resolves when the parser has read a chunk; its errors are those of the event. */
const written = (parser: Writable, chunk: Uint8Array) =>
  new Promise<void>(resolve => {
    parser.write(chunk, () => resolve())
  })

/** @param bytes the largest size that is allowed */
export const tooLarge = (bytes: number) =>
  `Uploaded file is larger than the allowed limit of ${bytes / 1024 / 1024} MiB`
const noFile = () => badRequest('You must specify a file to upload')
const malformed = () => badRequest('The multipart body is malformed.')

/** The parser throws plain errors, with a message and nothing else. */
const isOfParser = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && (error as { code?: unknown }).code === undefined

function newParser(type: string, mostBytes: number) {
  if (!/^multipart\/form-data\s*;/i.test(type)) throw noFile()
  const limits = { fileSize: mostBytes, parts: budgets.formPairs.most, fieldSize: 0, headerPairs: 20 }
  try {
    return busboy({ headers: { 'content-type': type }, limits, preservePath: true, defParamCharset: 'utf8' })
  } catch {
    throw malformed()
  }
}

import { ApiError, badRequest } from '../../shared/errors.js'
import { Pairs, readForm, readQuery } from './form.js'
import { headerWord, readMultipart } from './multipart.js'

/** A body and the headers that say how to read it. */
export interface Content {
  readonly type: string
  readonly encoding: string
  readonly body: Buffer
}

/**
 * The parameters of the query and of the body; the body's values win (docs/protocol/conventions.md#parameters).
 * @throws {ApiError} BAD_REQUEST for undecodable or too many parameters, UNSUPPORTED_MEDIA_TYPE for a body that is not a form.
 */
export function readParameters(query: string, content: Content | undefined): Map<string, unknown> {
  const pairs = new Pairs()
  // uWebSockets replaces bytes that are not UTF-8 by this character.
  if (query.includes('\ufffd')) throw badRequest('The query is not valid UTF-8.')
  readQuery(query, pairs)
  if (content && content.body.length > 0) readBody(content, pairs)
  return pairs.values
}

function readBody({ type, encoding, body }: Content, into: Pairs): void {
  if (encoding !== '' && encoding !== 'identity') {
    throw unsupported(`The server does not read bodies with Content-Encoding ${encoding}.`)
  }
  const semicolon = type.indexOf(';')
  const kind = (semicolon < 0 ? type : type.slice(0, semicolon)).trim().toLowerCase()
  if (kind === 'multipart/form-data') {
    readMultipart(body, type, into)
    return
  }
  // A body without a content type is read as an urlencoded form.
  if (kind !== 'application/x-www-form-urlencoded' && kind !== '') {
    throw unsupported('Parameters are sent form-encoded (application/x-www-form-urlencoded or multipart/form-data).')
  }
  const charset = semicolon < 0 ? undefined : headerWord(type, 'charset')?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported('Parameters are sent as UTF-8.')
  }
  readForm(body, into)
}

const unsupported = (message: string) => new ApiError('UNSUPPORTED_MEDIA_TYPE', message)

import { ApiError, badRequest } from '../../shared/errors.js'
import { parseJson } from '../text/bounded-json.js'
import { Pairs, readForm, readQuery, readText } from './form.js'
import { headerWord, readMultipart } from './multipart.js'

// Bytes of a body in which its first sign is looked for.
const firstSigns = 64

/** A body and the headers that say how to read it. */
interface Content {
  readonly type: string
  readonly encoding: string
  readonly body: Buffer
}

/**
 * The parameters of the query and of the body; the body's values win (docs/protocol/conventions.md#parameters).
 * @throws {ApiError} BAD_REQUEST for undecodable or too many parameters, INVALID_JSON, UNSUPPORTED_MEDIA_TYPE for a body of another type.
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
  if (!['application/x-www-form-urlencoded', 'application/json', ''].includes(kind)) {
    throw unsupported('Parameters are sent form-encoded, as multipart/form-data, or as a JSON object.')
  }
  const charset = semicolon < 0 ? undefined : headerWord(type, 'charset')?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported('Parameters are sent as UTF-8.')
  }
  // Some libraries name this type whatever the body is. A form never begins with these signs.
  if (kind === 'application/json' && /^\s*[{["]/.test(body.toString('latin1', 0, firstSigns))) readObject(body, into)
  else readForm(body, into)
}

/** A JSON object whose members are the parameters, as values or as the texts that a form would have. */
function readObject(body: Buffer, into: Pairs): void {
  const members = Object.entries(parsedObject(readText(body)))
  into.count(members.length)
  for (const [name, value] of members) into.set(name, value)
}

/** @throws {ApiError} INVALID_JSON, or BAD_REQUEST beyond a budget of JSON values. */
function parsedObject(text: string): object {
  try {
    const value = parseJson(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown
  }
  throw new ApiError('INVALID_JSON', 'The body is not a JSON object.')
}

const unsupported = (message: string) => new ApiError('UNSUPPORTED_MEDIA_TYPE', message)

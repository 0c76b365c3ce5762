import { ApiError } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The pairs of the header Upload-Metadata: a key without spaces, then a text in base64, or none.
 * @throws {ApiError} BAD_REQUEST (422)
 */
export function readMetadata(header: string): Map<string, string> {
  if (header.length > budgets.uploadMetadata.most) throw invalid('Upload-Metadata is too long.')
  const pairs = new Map<string, string>()
  if (header.trim() === '') return pairs
  for (const pair of header.split(',')) {
    const [, key = '', value = ''] = /^ *([\x21-\x7e]+)(?: +([\x21-\x7e]+))? *$/.exec(pair) ?? []
    if (key === '' || !base64.test(value)) throw invalid('Upload-Metadata is malformed.')
    if (pairs.has(key)) throw invalid('Upload-Metadata has a key twice.')
    pairs.set(key, textOf(value))
  }
  return pairs
}

function textOf(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'base64'))
  } catch {
    throw invalid('A value of Upload-Metadata is not UTF-8.')
  }
}

const invalid = (message: string) => new ApiError('BAD_REQUEST', message, {}, 422)

import { isReceiverKey } from '../../actions/push/push-keys.js'
import { text } from '../../params/schemas.js'

const pointBytes = 65
const authBytes = 16
// In base64 with padding.
const pointCharacters = 88
const authCharacters = 24

const isBase64 = (value: string): boolean => /^[\w+/-]+=*$/.test(value)
/** The bytes of a text that passed one of these schemas. */
export const bytesOf = (value: string): Buffer => Buffer.from(value, 'base64')

export const receiverKey = () =>
  text(pointCharacters).refine(
    value => isBase64(value) && bytesOf(value).length === pointBytes && isReceiverKey(bytesOf(value)),
    'Must be an uncompressed point of P-256 in base64url.',
  )

export const receiverSecret = () =>
  text(authCharacters).refine(
    value => isBase64(value) && bytesOf(value).length === authBytes,
    'Must be 16 bytes in base64url.',
  )

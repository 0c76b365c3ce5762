import type { Directory } from '../memory/directory.js'
import { readSigned, sign } from './signed-text.js'

const temporaryMs = 60_000

interface Signer {
  readonly directory: Directory
  readonly clock: { now(): number }
}

/** A token with which any client may read one file for a minute (docs/protocol/files.md#temporary-addresses). */
export const temporaryToken = ({ directory, clock }: Signer, pathId: string): string =>
  sign(directory.organization.secret, 'temporary', [pathId, clock.now() + temporaryMs])

/** The file of such a token; undefined: it is foreign or too old. */
export function fileOfToken({ directory, clock }: Signer, token: string): string | undefined {
  const [pathId, until] = readSigned(directory.organization.secret, 'temporary', token) ?? []
  return typeof pathId === 'string' && Number(until) > clock.now() ? pathId : undefined
}

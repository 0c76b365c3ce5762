import { sizeText } from '../language/size-text.js'
import { kindOf } from '../state/file-kind.js'

/** `PDF · 12 kB`, as far as it is known. */
export const describeFile = (name: string, size: number | undefined): string =>
  [kindOf(name), size === undefined ? '' : sizeText(size)].filter(part => part !== '').join(' · ')

/** Bytes of an uploaded file; undefined: the server has no such file for the user, or does not answer. */
export async function sizeOf(address: string): Promise<number | undefined> {
  try {
    const { ok, headers } = await fetch(address, { method: 'HEAD' })
    return ok ? Number(headers.get('content-length')) : undefined
  } catch (error) {
    console.warn('The size of a file is not known:', error)
    return undefined
  }
}

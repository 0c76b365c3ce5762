import { encode } from 'uqr'

/** A picture of a text that phones read. */
export interface QrCode {
  /** Modules of each side, with the margin that readers need. */
  readonly size: number
  /** The dark modules as an SVG path, each of the size 1. */
  readonly path: string
}

// Light modules around the code that its standard asks for.
const margin = 4

export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { border: margin, ecc: 'M' })
  const rows = data.map((row, y) =>
    [
      ...row
        .map(dark => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  )
  return { size, path: rows.flat().join('') }
}

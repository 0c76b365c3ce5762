import { numberText } from './format.js'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A number of bytes: `12 kB`. */
export function sizeText(bytes: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1)
  return numberText(bytes / 1000 ** unit, {
    style: 'unit',
    unit: units[unit],
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: bytes / 1000 ** unit < 10 ? 1 : 0,
  })
}

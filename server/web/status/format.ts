import { numberText } from '../language/format.js'
/** A short number for a tile or an axis: 3 significant digits, thousands as k. */
export function short(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e6) return `${digits(value / 1e6)}M`
  if (size >= 1e4) return `${digits(value / 1e3)}k`
  return digits(value)
}

function digits(value: number): string {
  const size = Math.abs(value)
  const places = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2
  return numberText(value, { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false })
}

/** `3 h 12 min`, `42 s`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

import { budgets } from '../config/budgets.js'

// No real message of 10,000 characters has so many lines. The parser reads a quotation again for each line that leaves
// it, so its time grows with the square of the lines.
const maxLines = 1500
// Short rows are padded to the width of the table's header: two thousand short lines could become a megabyte.
const maxCells = 10_000

/** Whether parsing the text would take excessive time; the server then shows it unformatted. */
export function isTooComplex(text: string): boolean {
  if (text.length <= budgets.quickCharacters.most) return false
  let lines = 0
  let bars = 0
  let widest = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x7c) widest = Math.max(widest, ++bars)
    else if (char === 0x0a) {
      lines++
      bars = 0
    }
  }
  return lines > maxLines || widest * lines > maxCells
}

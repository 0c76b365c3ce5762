// Nobody writes so many lines into 10,000 characters. A quotation is read anew for each line that leaves it, so that
// time grows with their square.
const maxLines = 1500
// Short rows are filled up to the width of the table's head: two thousand short lines could become a megabyte.
const maxCells = 10_000
// Shorter text is quick whatever it holds.
const alwaysQuick = 1000

/** Whether text would keep the parser busy out of all proportion; it is then shown as it was typed. */
export function isNonsense(text: string): boolean {
  if (text.length <= alwaysQuick) return false
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

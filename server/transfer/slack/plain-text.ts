// Characters that this server reads as marks at the start of a line, behind up to three blanks.
const lineMark = /^( {0,3})(?=#{1,6} |>|(?:[*+-]|\d{1,9}[.)]) |```|~~~|\/(?:me|poll|todo)\b|(?:[-*_] ?){3,}$)/gm
const inlineMark = /[@#](?=_?\*)|\$(?=\$)/g
const wordJoiner = '\u2060'

/** A text that gains no meaning here which it did not have: there are no escapes, so an invisible character parts the marks. */
export const plain = (text: string): string =>
  text.replace(lineMark, `$1${wordJoiner}`).replace(inlineMark, mark => mark + wordJoiner)

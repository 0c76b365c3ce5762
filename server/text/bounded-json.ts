import { badRequest } from '../../shared/errors.js'
import { budgets } from '../config/budgets.js'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const mostLevels = budgets.jsonDepth.most
const mostItems = budgets.jsonItems.most

/**
 * Parses JSON from a caller. Levels and values are counted before any value is built; an object counts its values, not
 * its keys.
 * @throws {ApiError} BAD_REQUEST beyond budgets.jsonDepth or budgets.jsonItems
 * @throws {SyntaxError} when the text is not JSON
 */
export function parseJson(text: string): unknown {
  // A text of n characters has at most n levels and n values.
  if (text.length > mostLevels && /^\s*[[{]/.test(text) && !isSmall(text)) requireBounds(text)
  return JSON.parse(text)
}

/** @throws {ApiError} BAD_REQUEST with the message that MessagePack frames get, too. */
export function requireDepth(levels: number): void {
  if (levels > mostLevels) throw badRequest(`The value nests arrays and objects more than ${mostLevels} levels deep.`)
}

/** @throws {ApiError} BAD_REQUEST with the message that MessagePack frames get, too. */
export function requireItems(items: number): void {
  if (items > mostItems) throw badRequest(`The value holds more than ${mostItems} values.`)
}

/** The position of the quote that closes the string before `start`; the length of the text if there is none. */
export function closingQuote(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
    at++
  }
}

/**
 * Whether the text is certainly within both budgets: each value takes a character and a comma. This check is cheaper
 * than counting and holds for nearly every text.
 */
function isSmall(text: string): boolean {
  return (
    text.length < 2 * mostItems &&
    countUpTo(mostLevels + 1, '[', text) + countUpTo(mostLevels + 1, '{', text) <= mostLevels
  )
}

function countUpTo(most: number, letter: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(letter); at >= 0 && count < most; at = text.indexOf(letter, at + 1)) count++
  return count
}

function requireBounds(text: string): void {
  let levels = 0
  // The outermost value counts once; each comma and each opening bracket adds a value, except for an empty array or
  // object.
  let items = 1
  let before = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 0x20) continue
    if (code === quote) i = closingQuote(text, i + 1)
    else if (code === comma) requireItems(++items)
    else if (isOpening(code)) {
      requireDepth(++levels)
      items++
    } else if (isOpening(code - 2)) {
      levels--
      if (isOpening(before)) items--
    }
    before = code
  }
  requireItems(items)
}

/** Whether a character opens an array or object; in ASCII the closing one is two positions later. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b
